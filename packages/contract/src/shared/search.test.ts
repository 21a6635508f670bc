import { describe, expect, it } from 'vitest';
import { CertificateSearchRequestDto } from '../platform/certificates.ts';
import { queryBoolean, queryInt32 } from './query.ts';
import { SearchRequestDto } from './search.ts';

describe('search requests', () => {
  it('ask for the first ten items when nothing is said', () => {
    expect(SearchRequestDto.parse({})).toEqual({ itemsPerPage: 10, pageNumber: 1 });
    expect(CertificateSearchRequestDto.parse({})).toEqual({ itemsPerPage: 10, pageNumber: 1 });
  });

  it.each([{ itemsPerPage: 1001 }, { itemsPerPage: 0 }, { pageNumber: 0 }, { itemsPerPage: 1.5 }])(
    'are refused with %o',
    (page) => {
      expect(SearchRequestDto.safeParse(page).success).toBe(false);
    },
  );

  it('take filters with scalar and list values and without a value', () => {
    const filters = [
      { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'CONTAINS', value: 'example' },
      { fieldSource: 'property', fieldIdentifier: 'CERTIFICATE_STATE', condition: 'EQUALS', value: ['issued'] },
      { fieldSource: 'custom', fieldIdentifier: 'department|STRING', condition: 'NOT_EMPTY' },
    ];
    expect(SearchRequestDto.parse({ filters }).filters).toEqual(filters);
  });

  it('are refused with an operator that does not exist', () => {
    const filter = { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'SOUNDS_LIKE' };
    expect(SearchRequestDto.safeParse({ filters: [filter] }).success).toBe(false);
  });
});

describe('query parameters', () => {
  it('read booleans and whole numbers from text', () => {
    expect(queryBoolean().parse('false')).toBe(false);
    expect(queryBoolean().parse('true')).toBe(true);
    expect(queryInt32().parse('-17')).toBe(-17);
  });

  it('guess nothing', () => {
    for (const text of ['1', 'yes', '', 'TRUE']) expect(queryBoolean().safeParse(text).success).toBe(false);
    for (const text of ['', ' 1', '1e3', '1.0', '2147483648']) expect(queryInt32().safeParse(text).success).toBe(false);
  });
});
