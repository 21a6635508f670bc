import { describe, expect, it } from 'vitest';
import {
  countOutlivingDeprecation,
  countOutlivingDisallowance,
  rowsOf,
  searchOfCell,
  spansFrom,
  keyStrengthOf,
} from './key-matrix.ts';

const share = (publicKeyAlgorithm: string, keySize: number, year: number, certificates = 1) => ({
  publicKeyAlgorithm,
  keySize,
  signatureAlgorithm: 'SHA256withRSA',
  year,
  certificates,
});
const asked = { countedAt: '2026-11-23T10:00:00.000Z', includeArchived: false };

describe('keys grouped by year of expiry', () => {
  it('lists the years until 2030 individually, then the years until 2035, then all later years', () => {
    expect(spansFrom(2028).map(({ label }) => label)).toEqual(['2028', '2029', '2030', '2031–2035', 'After 2035']);
    expect(spansFrom(2033).map(({ label }) => label)).toEqual(['2033–2035', 'After 2035']);
    expect(spansFrom(2040).map(({ label }) => label)).toEqual(['After 2035']);
  });

  it('counts each certificate once, with the most frequent key first', () => {
    const spans = spansFrom(2029);
    const rows = rowsOf(
      [share('RSA', 2048, 2029, 2), share('RSA', 2048, 2034, 3), share('ECDSA', 256, 2100, 9)],
      spans,
    );
    expect(rows.map(({ keySize, certificates }) => [keySize, certificates])).toEqual([
      [256, [0, 0, 0, 9]],
      [2048, [2, 0, 3, 0]],
    ]);
  });

  it.each([
    ['RSA', 2048, undefined, 'deprecated', 'disallowed'],
    ['RSA', 3072, undefined, undefined, 'disallowed'],
    ['ECDSA', 224, undefined, 'deprecated', 'disallowed'],
    ['ECDSA', 256, undefined, undefined, 'disallowed'],
    ['Ed25519', 255, undefined, undefined, 'disallowed'],
    ['ML-DSA-65', 0, undefined, undefined, undefined],
  ])('rates %s %i according to NIST IR 8547', (publicKeyAlgorithm, keySize, until2030, until2035, after) => {
    const [first, second, third] = spansFrom(2030).map((span) => keyStrengthOf({ publicKeyAlgorithm, keySize }, span));
    expect([first, second, third]).toEqual([until2030, until2035, after]);
  });

  it('finds certificates that outlive their key algorithm', () => {
    const keys = [
      share('RSA', 2048, 2031),
      share('RSA', 4096, 2040),
      share('ML-DSA-65', 0, 2040),
      share('RSA', 2048, 2030),
    ];
    const [deprecated, disallowed] = [countOutlivingDeprecation(keys, asked), countOutlivingDisallowance(keys, asked)];
    expect([deprecated.count, disallowed.count]).toEqual([1, 1]);
    expect(deprecated.search.filters?.map(({ value }) => value)).toEqual([
      ['RSA'],
      [2048],
      ['issued'],
      '2031-01-01T00:00:00.000Z',
    ]);
  });

  it('omits certificates that already expired in the current year, as the count does', () => {
    const [span] = spansFrom(2026);
    const [row] = rowsOf([share('RSA', 2048, 2026)], spansFrom(2026));
    if (!span || !row) throw new Error('There is a row.');
    expect(
      searchOfCell(row, span, asked)
        .filters?.map(({ value }) => value)
        .slice(-2),
    ).toEqual([asked.countedAt, '2027-01-01T00:00:00.000Z']);
  });
});
