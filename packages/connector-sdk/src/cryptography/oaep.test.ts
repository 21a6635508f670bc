import { constants, generateKeyPairSync, privateDecrypt, publicEncrypt, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { oaepDecode, oaepEncode, type OaepDigests } from './oaep.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const bytes = 256;
const [raw, padding] = [constants.RSA_NO_PADDING, constants.RSA_PKCS1_OAEP_PADDING];

const encrypt = (plain: Uint8Array, digests: OaepDigests): Buffer =>
  publicEncrypt({ key: publicKey, padding: raw }, oaepEncode(plain, digests, bytes));
const decrypt = (sealed: Uint8Array, digests: OaepDigests): string | undefined => {
  const plain = oaepDecode(privateDecrypt({ key: privateKey, padding: raw }, sealed), digests);
  return plain && Buffer.from(plain).toString('hex');
};

it.each([
  ['SHA-256', 32],
  ['SHA-384', 48],
  ['SHA-512', 64],
  ['SHA3-256', 32],
] as const)('OAEP matches OpenSSL if both digests are %s', (digest, octets) => {
  const digests = { digest, mgfDigest: digest };
  const oaepHash = digest.toLowerCase().replace('sha-', 'sha');
  for (const length of [0, 1, 17, bytes - 2 * octets - 2]) {
    const plain = randomBytes(length);
    expect(privateDecrypt({ key: privateKey, padding, oaepHash }, encrypt(plain, digests))).toEqual(plain);
    expect(decrypt(publicEncrypt({ key: publicKey, padding, oaepHash }, plain), digests)).toBe(plain.toString('hex'));
  }
});

it('OAEP decoding requires the same digests as encoding', () => {
  const digests = { digest: 'SHA-256', mgfDigest: 'SHA-1' } as const;
  const sealed = encrypt(Buffer.from('secret'), digests);
  expect(decrypt(sealed, digests)).toBe(Buffer.from('secret').toString('hex'));
  expect(decrypt(sealed, { digest: 'SHA-256', mgfDigest: 'SHA-256' })).toBeUndefined();
  expect(decrypt(sealed, { digest: 'SHA-224', mgfDigest: 'SHA-1' })).toBeUndefined();
});

it('OAEP decoding rejects an incorrect first byte, label, padding or separator', () => {
  const digests = { digest: 'SHA-256', mgfDigest: 'SHA-1' } as const;
  const wrong = [new Uint8Array(bytes), Buffer.alloc(bytes, 1), Buffer.concat([Uint8Array.of(0), randomBytes(255)])];
  for (const encoded of wrong) expect(oaepDecode(encoded, digests)).toBeUndefined();
});
