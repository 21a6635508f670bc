import { describe, expect, it } from 'vitest';
import { checkPrimeSync, generateKeyPairSync, generatePrimeSync } from 'node:crypto';
import { fromHex } from './bytes.ts';
import { bitStringPart, encodeDer, integerPart, nullPart, oidPart, sequence } from './der/writer.ts';
import { checkKeyPolicy, type KeyPolicy } from './key-policy.ts';
import { parsePublicKey } from './keys.ts';
import { OID } from './oids.ts';
import { testKeys } from './testing/authority.ts';
import { ROCA_MODULUS } from './testing/weak-keys.ts';

const rsa = (modulus: bigint, exponent = 65537n): Uint8Array =>
  encodeDer(
    sequence([
      sequence([oidPart(OID.rsaEncryption), nullPart()]),
      bitStringPart(encodeDer(sequence([integerPart(modulus), integerPart(exponent)]))),
    ]),
  );
const findings = (spki: Uint8Array, policy?: KeyPolicy) => checkKeyPolicy(parsePublicKey(spki), policy);
const codes = (spki: Uint8Array, policy?: KeyPolicy): string[] => findings(spki, policy).map(({ code }) => code);

const modulus = 2n ** 2047n + 1n;

describe('key policy', () => {
  it('accepts the keys that certificates are issued for today', async () => {
    for (const spec of ['RSA-2048', 'P-256', 'Ed448', 'ML-DSA-44'] as const) {
      expect(codes((await testKeys(spec)).spki)).toEqual([]);
    }
  });

  it('refuses weak RSA keys, each weakness by its code', () => {
    expect(codes(rsa(2n ** 1023n + 1n))).toEqual(['rsa-too-small']);
    expect(codes(rsa(2n ** 9000n + 1n))).toEqual(['rsa-too-large']);
    expect(codes(rsa(modulus + 1n))).toEqual(['rsa-modulus']);
  });

  it('refuses RSA exponents that are even, below 65537 or not below 2^256, whatever a profile allows', () => {
    for (const exponent of [1n, 3n, 17n, 65535n, 65536n, 65538n, 2n ** 256n + 1n, 2n ** 2000n + 1n]) {
      expect(codes(rsa(modulus, exponent), { otherRsaExponents: true })).toEqual(['rsa-exponent']);
    }
    expect(findings(rsa(modulus, 3n))[0]?.message).toMatch(/at least 65537.*Generate a key with the exponent 65537/);
  });

  it('leaves other sound exponents to the profile', () => {
    for (const exponent of [65539n, 2n ** 256n - 1n]) {
      expect(codes(rsa(modulus, exponent))).toEqual([]);
      expect(codes(rsa(modulus, exponent), { otherRsaExponents: false })).toEqual(['rsa-exponent']);
    }
    expect(codes(rsa(modulus), { otherRsaExponents: false })).toEqual([]);
  });

  it('refuses EC keys that do not name their curve', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' });
    expect(codes(publicKey.export({ type: 'spki', format: 'der' }))).toEqual(['ec-curve']);
  });

  it('can be narrowed by a profile', async () => {
    expect(codes((await testKeys('P-256')).spki, { families: ['RSA'] })).toEqual(['key-family']);
    expect(codes((await testKeys('P-256')).spki, { curves: [OID.secp384r1] })).toEqual(['ec-curve']);
    expect(codes((await testKeys('RSA-2048')).spki, { minRsaBits: 3072 })).toEqual(['rsa-too-small']);
  });
});

describe('RSA keys that give their private key away', () => {
  const prime = generatePrimeSync(1024, { bigint: true });

  it('have primes next to each other, or the same one twice', () => {
    let next = prime + 2n;
    while (!checkPrimeSync(next, { checks: 1 })) next += 2n;
    expect(codes(rsa(prime * next))).toEqual(['rsa-close-primes']);
    expect(codes(rsa(prime * prime))).toEqual(['rsa-close-primes']);
    expect(findings(rsa(prime * next))[0]?.message).toMatch(/too close.*Generate a new key/);
  });

  it('are found by the hundredth round of Fermat’s method, and not looked for after it', () => {
    // n = a² − b², and the root of n rounded up lies about b²/2a below a.
    const product = (rounds: bigint): bigint => {
      const a = 2n ** 1024n - 3n;
      const b = squareRoot(2n * a * rounds) & ~1n;
      return (a - b) * (a + b);
    };
    expect(codes(rsa(product(97n)))).toEqual(['rsa-close-primes']);
    expect(codes(rsa(product(105n)))).toEqual([]);
  });

  it('were made by a faulty Infineon chip (ROCA)', () => {
    const spki = rsa(BigInt(`0x${ROCA_MODULUS}`));
    expect(codes(spki)).toEqual(['rsa-roca']);
    expect(findings(spki)[0]?.message).toMatch(/CVE-2017-15361.*Generate a new key/);
    expect(fromHex(ROCA_MODULUS).length).toBe(256);
  });

  it('are not those that are powers of 65537 modulo each small prime, with an exponent of its own for each', () => {
    // 65537 has an even order modulo 11 and modulo many others: exponents 1 and 4 have no common solution.
    const primes = [3n, 5n, 7n, ...oddPrimes(11n, 167n)];
    const product = primes.reduce((all, each) => all * each, 1n);
    const odd = 65537n ** 4n % product;
    const byOne = chinese(odd, product, { at: 11n, value: 65537n % 11n });
    const long = (residue: bigint): bigint => {
      const base = residue + product * (2n ** 2047n / product + 1n);
      return base % 2n === 0n ? base + product : base;
    };
    expect(codes(rsa(long(odd)))).toEqual(['rsa-roca']);
    expect(codes(rsa(long(byOne)))).toEqual([]);
  });

  it('are never honest ones', () => {
    const keys = Array.from({ length: 3 }, () => generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey);
    const spkis = keys.map((key) => key.export({ type: 'spki', format: 'der' }));
    expect(spkis.flatMap((spki) => codes(spki))).toEqual([]);
  });
});

function squareRoot(value: bigint): bigint {
  let root = value;
  for (let next = (root + 1n) >> 1n; next < root; next = (root + value / root) >> 1n) root = next;
  return root;
}

function oddPrimes(from: bigint, to: bigint): bigint[] {
  const found: bigint[] = [];
  for (let n = from; n <= to; n += 2n) {
    let divisor = 3n;
    while (n % divisor !== 0n) divisor += 2n;
    if (divisor === n) found.push(n);
  }
  return found;
}

/** The residue with another value at one prime. */
function chinese(residue: bigint, product: bigint, { at, value }: { at: bigint; value: bigint }): bigint {
  let candidate = residue;
  while (candidate % at !== value) candidate += product / at;
  return candidate % product;
}
