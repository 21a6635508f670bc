import { describe, expect, it } from 'vitest';
import { CertificateSearchRequestDto } from '../platform/certificates.ts';
import { queryBoolean, queryInt32 } from './query.ts';
import { SearchRequestDto } from './search.ts';

describe('search requests', () => {
  it('return the first ten items by default', () => {
    expect(SearchRequestDto.parse({})).toEqual({ itemsPerPage: 10, pageNumber: 1 });
    expect(CertificateSearchRequestDto.parse({})).toEqual({ itemsPerPage: 10, pageNumber: 1 });
  });

  it.each([{ itemsPerPage: 1001 }, { itemsPerPage: 0 }, { pageNumber: 0 }, { itemsPerPage: 1.5 }])(
    'are rejected with %o',
    (page) => {
      expect(SearchRequestDto.safeParse(page).success).toBe(false);
    },
  );

  it('accept filters with a single value, a list of values or no value', () => {
    const filters = [
      { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'CONTAINS', value: 'example' },
      { fieldSource: 'property', fieldIdentifier: 'CERTIFICATE_STATE', condition: 'EQUALS', value: ['issued'] },
      { fieldSource: 'custom', fieldIdentifier: 'department|STRING', condition: 'NOT_EMPTY' },
    ];
    expect(SearchRequestDto.parse({ filters }).filters).toEqual(filters);
  });

  it('are rejected with an unknown operator', () => {
    const filter = { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'SOUNDS_LIKE' };
    expect(SearchRequestDto.safeParse({ filters: [filter] }).success).toBe(false);
  });
});

describe('query parameters', () => {
  it('are parsed as booleans and whole numbers', () => {
    expect(queryBoolean().parse('false')).toBe(false);
    expect(queryBoolean().parse('true')).toBe(true);
    expect(queryInt32().parse('-17')).toBe(-17);
  });

  it('are parsed strictly', () => {
    for (const text of ['1', 'yes', '', 'TRUE']) expect(queryBoolean().safeParse(text).success).toBe(false);
    for (const text of ['', ' 1', '1e3', '1.0', '2147483648']) expect(queryInt32().safeParse(text).success).toBe(false);
  });
});
