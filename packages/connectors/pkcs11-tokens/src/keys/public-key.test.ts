import { encodeDer, octetStringPart, parsePublicKey } from '@signetry/pki';
import { generateKeyPair, type KeySpec } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { CKK, CKO } from '../module/constants.ts';
import type { ObjectFacts } from '../module/protocol.ts';
import { publicKeyOf } from './public-key.ts';

const object = (keyType: number, attributes: Partial<ObjectFacts>): ObjectFacts => ({
  objectClass: CKO.publicKey,
  keyType,
  id: new Uint8Array(),
  label: '',
  ...attributes,
});
const generatePublicKey = async (spec: KeySpec) => parsePublicKey((await generateKeyPair(spec)).spki);
const P256 = Buffer.from('06082a8648ce3d030107', 'hex');

describe('the public key of an object', () => {
  it('is built from the modulus and the exponent for RSA', async () => {
    const { spki, modulus, exponent } = await generatePublicKey('RSA-2048');
    expect(publicKeyOf(object(CKK.rsa, { modulus, publicExponent: exponent }))?.spki).toEqual(spki);
  });

  it.each([
    ['wrapped in an OCTET STRING', (point: Uint8Array) => encodeDer(octetStringPart(point))],
    ['bare', (point: Uint8Array) => point],
  ])('is built for EC from a point that is %s', async (_, form) => {
    const { spki, keyBytes } = await generatePublicKey('P-256');
    expect(publicKeyOf(object(CKK.ec, { ecParams: P256, ecPoint: form(keyBytes) }))?.spki).toEqual(spki);
    const edwards = await generatePublicKey('Ed25519');
    expect(publicKeyOf(object(CKK.ecEdwards, { ecPoint: form(edwards.keyBytes) }))?.spki).toEqual(edwards.spki);
  });

  it('is built from the parameter set and the value for ML-DSA', async () => {
    const { spki, keyBytes } = await generatePublicKey('ML-DSA-65');
    expect(publicKeyOf(object(CKK.mlDsa, { value: keyBytes, parameterSet: 2 }))?.spki).toEqual(spki);
  });

  it('is undefined if attributes are missing or malformed, or if the algorithm is unknown', () => {
    expect(publicKeyOf(object(CKK.rsa, { modulus: Uint8Array.of(1) }))).toBeUndefined();
    expect(publicKeyOf(object(CKK.ec, { ecParams: P256, ecPoint: Uint8Array.of(4, 1, 2) }))).toBeUndefined();
    expect(publicKeyOf(object(CKK.ecEdwards, { ecPoint: new Uint8Array(33) }))).toBeUndefined();
    expect(publicKeyOf(object(0x30, {}))).toBeUndefined();
  });
});
