import { expect, it } from 'vitest';
import { CKM } from '../module/constants.ts';
import { offeredPairs, offeredSecrets } from './key-specs.ts';

const mechanism = (number: number, [minKeySize, maxKeySize]: [number, number] = [0, 0]) => ({
  mechanism: number,
  minKeySize,
  maxKeySize,
  flags: 0,
});
const pairs = (...mechanisms: ReturnType<typeof mechanism>[]) => offeredPairs(mechanisms).map(({ name }) => name);

it('offers key pairs only if the token can generate them, supports their size and can sign with them', () => {
  expect(pairs(mechanism(CKM.rsaPkcsKeyPairGen, [2048, 3072]), mechanism(CKM.rsaPkcs))).toEqual([
    'RSA-2048',
    'RSA-3072',
  ]);
  expect(pairs(mechanism(CKM.ecKeyPairGen, [256, 384]), mechanism(CKM.ecdsa))).toEqual(['P-256', 'P-384']);
  expect(pairs(mechanism(CKM.ecKeyPairGen, [256, 521]))).toEqual([]);
  expect(pairs(mechanism(CKM.ecEdwardsKeyPairGen, [255, 255]), mechanism(CKM.eddsa))).toEqual(['Ed25519']);
  expect(pairs(mechanism(CKM.mlDsaKeyPairGen), mechanism(CKM.mlDsa))).toEqual(['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87']);
});

it('accepts AES key sizes in bytes, and in bits from tokens that return bits', () => {
  for (const range of [
    [16, 24],
    [128, 192],
  ] satisfies [number, number][])
    expect(offeredSecrets([mechanism(CKM.aesKeyGen, range), mechanism(CKM.aesGcm)]).map(({ name }) => name)).toEqual([
      'AES-192',
      'AES-128',
    ]);
});
