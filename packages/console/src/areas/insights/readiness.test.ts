import { describe, expect, it } from 'vitest';
import { pairingsOf, periodsFrom, searchOfPairing, sharesBy } from './readiness.ts';

const share = (publicKeyAlgorithm: string, signatureAlgorithm: string | undefined, year: number, certificates = 1) => ({
  publicKeyAlgorithm,
  keySize: 256,
  ...(signatureAlgorithm !== undefined && { signatureAlgorithm }),
  year,
  certificates,
});
const keys = [
  share('RSA', 'SHA256withRSA', 2027, 6),
  share('RSA', 'SHA384withECDSA', 2040, 2),
  share('ECDSA', 'ML-DSA-65', 2032, 1),
  share('ML-DSA-65', 'ML-DSA-65', 2040, 3),
  share('RSA', undefined, 2027, 4),
];

describe('post-quantum readiness', () => {
  it('omits past periods', () => {
    expect(periodsFrom(2026).map(({ label }) => label)).toEqual(['Until 2030', '2031–2035', 'After 2035']);
    expect(periodsFrom(2033)[0]).toMatchObject({ label: '2031–2035', first: 2033 });
    expect(periodsFrom(2040)).toHaveLength(1);
  });

  it('shows the shares of algorithms, most frequent first', () => {
    const shares = sharesBy(keys, ({ publicKeyAlgorithm }) => publicKeyAlgorithm);
    expect(shares.map(({ algorithm, certificates, isSafe }) => [algorithm, certificates, isSafe])).toEqual([
      ['RSA', 12, false],
      ['ML-DSA-65', 3, true],
      ['ECDSA', 1, false],
    ]);
    expect(shares[0]?.share).toBe(0.75);
    const signatures = sharesBy(keys, ({ signatureAlgorithm }) => signatureAlgorithm);
    expect(signatures.map(({ certificates }) => certificates)).toEqual([6, 4, 2]);
  });

  it('pairs keys with the signature algorithms of their certificates, by expiry', () => {
    const pairings = pairingsOf(keys, periodsFrom(2026));
    expect(pairings.map(({ isKeySafe, isSignatureSafe, certificates }) => [isKeySafe, isSignatureSafe, certificates])).toEqual([
      [false, false, [6, 0, 2]],
      [false, true, [0, 1, 0]],
      [true, true, [0, 0, 3]],
    ]); // prettier-ignore
  });

  it('links each count to its certificates', () => {
    const periods = periodsFrom(2026);
    const [both] = pairingsOf(keys, periods);
    const [, , last] = periods;
    if (!both || !last) throw new Error('There is a pairing and a last period.');
    const { filters = [] } = searchOfPairing(both, last, { countedAt: '2026-11-23T10:00:00Z', includeArchived: false });
    expect(filters.map(({ fieldIdentifier, value }) => [fieldIdentifier, value])).toEqual([
      ['PUBLIC_KEY_ALGORITHM', ['RSA']],
      ['SIGNATURE_ALGORITHM', ['SHA256withRSA', 'SHA384withECDSA']],
      ['CERTIFICATE_STATE', ['issued']],
      ['NOT_AFTER', '2036-01-01T00:00:00.000Z'],
    ]);
  });
});
