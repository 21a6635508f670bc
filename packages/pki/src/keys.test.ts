import { describe, expect, it } from 'vitest';
import { generateKeyPairSync } from 'node:crypto';
import { bitStringPart, encodeDer, nullPart, oidPart, sequence } from './der/writer.ts';
import { CURVES, defaultSignatureAlgorithm, keyFitsAlgorithm, parsePublicKey } from './keys.ts';
import { checkKeyPolicy } from './key-policy.ts';
import { isQuantumSafe } from './lint/key-strength.ts';
import { KEY_SPECS } from './node/index.ts';
import { OID } from './oids.ts';
import {
  resolveSignatureAlgorithm,
  parseAlgorithm,
  signatureAlgorithm,
  signatureAlgorithmName,
  SIGNATURE_ALGORITHM_NAMES,
} from './algorithms.ts';
import { testKeys } from './testing/authority.ts';

describe('public keys', () => {
  it('have a family, parameter set and size', async () => {
    const facts = [];
    for (const spec of KEY_SPECS.filter((name) => !/RSA-[34]/.test(name))) {
      const { family, name, bits, curve } = parsePublicKey((await testKeys(spec)).spki);
      facts.push([family, name, bits, curve]);
    }
    expect(facts).toEqual([
      ['RSA', 'RSA', 2048, undefined],
      ['ECDSA', 'ECDSA', 256, 'P-256'],
      ['ECDSA', 'ECDSA', 384, 'P-384'],
      ['ECDSA', 'ECDSA', 521, 'P-521'],
      ['Ed25519', 'Ed25519', 256, undefined],
      ['Ed448', 'Ed448', 456, undefined],
      ['ML-DSA', 'ML-DSA-44', 44, undefined],
      ['ML-DSA', 'ML-DSA-65', 65, undefined],
      ['ML-DSA', 'ML-DSA-87', 87, undefined],
    ]);
  });

  it('are recognized for every type that Node.js generates, with the length defined by their standard', () => {
    for (const type of [
      'ml-kem-512',
      'ml-kem-768',
      'ml-kem-1024',
      'slh-dsa-sha2-128s',
      'slh-dsa-shake-256f',
      'x25519',
      'x448',
    ]) {
      // The types of Node.js do not include all of its key types.
      const { publicKey } = generateKeyPairSync(type as 'x25519');
      const key = parsePublicKey(publicKey.export({ type: 'spki', format: 'der' }));
      expect(key.name.toLowerCase()).toBe(type);
      expect(key.family).not.toBe('Unknown');
    }
    const brainpool = [160, 192, 224, 256, 320, 384, 512].flatMap((bits) =>
      ['r1', 't1'].map((form) => `brainpoolP${bits}${form}`),
    );
    for (const namedCurve of ['secp256k1', 'P-224', ...brainpool]) {
      const { publicKey } = generateKeyPairSync('ec', { namedCurve });
      expect(parsePublicKey(publicKey.export({ type: 'spki', format: 'der' })).curve).toBe(namedCurve);
    }
    expect(CURVES.size).toBe(20);
  });

  it('of national algorithms are shown by name, without being accepted', () => {
    const keyOf = (oid: string, parameters: string, size: number) => {
      const point = new Uint8Array(size).fill(4);
      const { name, bits, family } = parsePublicKey(
        encodeDer(sequence([sequence([oidPart(oid), oidPart(parameters)]), bitStringPart(point)])),
      );
      return { name, bits, family };
    };
    expect(keyOf('1.2.643.7.1.1.1.1', '1.2.643.2.2.36.0', 66)).toEqual({ name: 'GOST R 34.10-2012', bits: 256, family: 'Unknown' }); // prettier-ignore
    expect(keyOf('1.2.643.7.1.1.1.2', '1.2.643.7.1.2.1.2.1', 131)).toEqual({ name: 'GOST R 34.10-2012', bits: 512, family: 'Unknown' }); // prettier-ignore
    expect(keyOf('1.2.643.2.2.19', '1.2.643.2.2.36.0', 66)).toMatchObject({ name: 'GOST R 34.10-2001', bits: 256 });
    expect(keyOf(OID.ecPublicKey, '1.2.156.10197.1.301', 65)).toEqual({ name: 'SM2', bits: 256, family: 'Unknown' });
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'SM2' });
    const key = parsePublicKey(publicKey.export({ type: 'spki', format: 'der' }));
    expect([key.name, key.curve]).toEqual(['SM2', undefined]);
    expect(checkKeyPolicy(key).map(({ message }) => message)).toEqual(['Keys of type SM2 are not allowed.']);
    expect(isQuantumSafe(key)).toBe(false);
  });

  it('can be RSA-PSS or DSA keys', () => {
    const pss = generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).publicKey.export({
      type: 'spki',
      format: 'der',
    });
    expect(parsePublicKey(pss)).toMatchObject({ family: 'RSA', bits: 1024 });
    const dsa = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).publicKey.export({
      type: 'spki',
      format: 'der',
    });
    expect(parsePublicKey(dsa)).toMatchObject({ family: 'DSA', bits: 1024 });
  });

  it('are accepted for display if their parameters are not recognized', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' });
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    expect(parsePublicKey(spki)).toMatchObject({ family: 'ECDSA', bits: 256 });
  });

  it('are rejected if they are malformed', async () => {
    const p256 = (await testKeys('P-256')).spki;
    const ed25519 = (await testKeys('Ed25519')).spki;
    const changeByte = (spki: Uint8Array, at: number, value: number): Uint8Array => {
      const copy = Uint8Array.from(spki);
      copy[copy.length + at] = value;
      return copy;
    };
    expect(() => parsePublicKey(changeByte(p256, -65, 5))).toThrow(/The EC point does not match its curve/);
    expect(() => parsePublicKey(changeByte(p256, -65, 2))).toThrow(/The EC point does not match its curve/);
    const short = encodeDer(sequence([sequence([oidPart(OID.ed25519)]), bitStringPart(ed25519.subarray(-31))]));
    expect(() => parsePublicKey(short)).toThrow(/key has the wrong length/);
    const withNull = encodeDer(
      sequence([sequence([oidPart(OID.ed25519), nullPart()]), bitStringPart(ed25519.subarray(-32))]),
    );
    expect(() => parsePublicKey(withNull)).toThrow(/must not have parameters/);
  });
});

describe('signature algorithms', () => {
  it('all round-trip through their own encoding', () => {
    for (const name of SIGNATURE_ALGORITHM_NAMES) {
      const algorithm = signatureAlgorithm(name);
      expect(resolveSignatureAlgorithm(parseAlgorithm(algorithm.der))).toEqual(algorithm);
      expect(signatureAlgorithmName(parseAlgorithm(algorithm.der))).toBe(name);
    }
    expect(SIGNATURE_ALGORITHM_NAMES.length).toBe(39);
  });

  it('of national standards are shown by name, without being supported', () => {
    for (const [oid, name] of [
      ['1.2.643.2.2.3', 'GOST R 34.11-94 with GOST R 34.10-2001'],
      ['1.2.643.7.1.1.3.2', 'GOST R 34.11-2012-256 with GOST R 34.10-2012-256'],
      ['1.2.643.7.1.1.3.3', 'GOST R 34.11-2012-512 with GOST R 34.10-2012-512'],
      ['1.2.156.10197.1.501', 'SM3withSM2'],
      ['0.4.0.127.0.7.1.1.4.1.3', 'SHA256withPLAIN-ECDSA'],
    ] as const) {
      const algorithm = parseAlgorithm(encodeDer(sequence([oidPart(oid)])));
      expect(signatureAlgorithmName(algorithm)).toBe(name);
      expect(() => resolveSignatureAlgorithm(algorithm)).toThrow(/is not supported/);
    }
  });

  it('are rejected if they have parameters that their RFC forbids', () => {
    const withNull = encodeDer(sequence([oidPart(OID.sha256WithEcdsa), nullPart()]));
    expect(() => resolveSignatureAlgorithm(parseAlgorithm(withNull))).toThrow(/parameters/);
    expect(signatureAlgorithmName(parseAlgorithm(withNull))).toBe('SHA256withECDSA');
    const bare = encodeDer(sequence([oidPart(OID.sha256WithRsa)]));
    expect(resolveSignatureAlgorithm(parseAlgorithm(bare)).name).toBe('SHA256withRSA');
    const unknown = encodeDer(sequence([oidPart('1.2.3')]));
    expect(() => resolveSignatureAlgorithm(parseAlgorithm(unknown))).toThrow(
      expect.objectContaining({ code: 'unsupported-algorithm' }),
    );
    expect(signatureAlgorithmName(parseAlgorithm(unknown))).toBe('1.2.3');
  });

  it('match only keys of the corresponding type', async () => {
    const p384 = parsePublicKey((await testKeys('P-384')).spki);
    expect(defaultSignatureAlgorithm(p384).name).toBe('SHA384withECDSA');
    expect(keyFitsAlgorithm(p384, signatureAlgorithm('SHA256withECDSA'))).toBe(true);
    expect(keyFitsAlgorithm(p384, signatureAlgorithm('SHA256withRSA'))).toBe(false);
    const mlDsa = parsePublicKey((await testKeys('ML-DSA-44')).spki);
    expect(keyFitsAlgorithm(mlDsa, signatureAlgorithm('ML-DSA-65'))).toBe(false);
    expect(() => signatureAlgorithm('SHA256withMAGIC')).toThrow(/not supported/);
  });
});
