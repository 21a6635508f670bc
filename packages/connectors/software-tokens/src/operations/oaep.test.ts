import { constants, generateKeyPairSync, privateDecrypt, publicEncrypt, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { oaepDecrypt, oaepEncrypt } from './oaep.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const bytes = 256;
const padding = constants.RSA_PKCS1_OAEP_PADDING;

it.each([
  ['sha1', 20],
  ['sha256', 32],
  ['sha384', 48],
  ['sha512', 64],
])('agrees with OpenSSL where both digests are %s', (digest, octets) => {
  for (const length of [0, 1, 17, bytes - 2 * octets - 2]) {
    const plain = randomBytes(length);
    const ours = oaepEncrypt(publicKey, plain, { digest, mgfDigest: digest, bytes });
    expect(privateDecrypt({ key: privateKey, padding, oaepHash: digest }, ours)).toEqual(plain);
    const theirs = publicEncrypt({ key: publicKey, padding, oaepHash: digest }, plain);
    expect(oaepDecrypt(privateKey, theirs, { digest, mgfDigest: digest })).toEqual(plain);
  }
});

it('opens with the two digests that it was made with only', () => {
  const digests = { digest: 'sha256', mgfDigest: 'sha1' };
  const sealed = oaepEncrypt(publicKey, Buffer.from('secret'), { ...digests, bytes });
  expect(oaepDecrypt(privateKey, sealed, digests)?.toString()).toBe('secret');
  expect(oaepDecrypt(privateKey, sealed, { digest: 'sha256', mgfDigest: 'sha256' })).toBeUndefined();
  expect(oaepDecrypt(privateKey, sealed, { digest: 'sha1', mgfDigest: 'sha1' })).toBeUndefined();
});

it('opens no encoding without its first octet, its label, its padding or its separator', () => {
  const digests = { digest: 'sha256', mgfDigest: 'sha1' };
  const raw = (encoded: Uint8Array): Buffer =>
    publicEncrypt({ key: publicKey, padding: constants.RSA_NO_PADDING }, encoded);
  const outcomes = [new Uint8Array(bytes), Buffer.alloc(bytes, 1), Buffer.concat([Uint8Array.of(0), randomBytes(255)])];
  for (const encoded of outcomes) expect(oaepDecrypt(privateKey, raw(encoded), digests)).toBeUndefined();
});
