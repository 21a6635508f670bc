import { defaultSignatureAlgorithm, parsePublicKey, signatureAlgorithm } from '@signetry/pki';
import { generateKeyPair, type KeySpec } from '@signetry/pki/node';
import { expect, it } from 'vitest';
import { defaultSignatureValues, signatureAlgorithmOf, signatureValuesOf } from './mechanism-attributes.ts';

const publicKeyOf = async (spec: KeySpec) => parsePublicKey((await generateKeyPair(spec)).spki);

it.each(['RSA-2048', 'P-256', 'P-384', 'P-521', 'Ed25519', 'ML-DSA-44'] as const)(
  "the attribute values of %s's default algorithm map to that algorithm, and back",
  async (spec) => {
    const key = await publicKeyOf(spec);
    const algorithm = defaultSignatureAlgorithm(key);
    expect(signatureValuesOf(algorithm)).toEqual(defaultSignatureValues(key));
    expect(signatureAlgorithmOf(key, signatureValuesOf(algorithm)).name).toBe(algorithm.name);
  },
);

it.each([
  ['RSA-2048', 'SHA384withRSAandMGF1'],
  ['RSA-2048', 'SHA3-256withRSA'],
  ['P-256', 'SHA3-512withECDSA'],
  ['P-256', 'SHA224withECDSA'],
] as const)('a %s key signs with %s if its attribute values specify it', async (spec, name) => {
  const algorithm = signatureAlgorithm(name);
  expect(signatureAlgorithmOf(await publicKeyOf(spec), signatureValuesOf(algorithm)).name).toBe(algorithm.name);
});
