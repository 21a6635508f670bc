// AES-256-GCM with random nonces, under keys that are overwritten after use: NIST SP 800-38D §8.2.2 allows 2^32 values
// per key.
import { createCipheriv, createDecipheriv, randomBytes, type CipherGCMTypes, type KeyObject } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Number of bytes by which a ciphertext is longer than its plaintext. */
const OVERHEAD = NONCE_BYTES + TAG_BYTES;

/** Returns nonce, ciphertext and tag, concatenated. `context` is authenticated and must be the same for decryption. */
export function encrypt(key: Uint8Array | KeyObject, plain: Uint8Array, context?: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(algorithmOf(key), key, nonce);
  if (context !== undefined) cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Returns undefined if the data was modified, moved or encrypted with a different key. */
export function decrypt(key: Uint8Array | KeyObject, sealed: Uint8Array, context?: string): Buffer | undefined {
  if (sealed.length < OVERHEAD) return undefined;
  const decipher = createDecipheriv(algorithmOf(key), key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  if (context !== undefined) decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    decipher.final(); // For a stream cipher, this returns no bytes but verifies the tag.
    return plain;
  } catch {
    plain.fill(0);
    return undefined;
  }
}

function algorithmOf(key: Uint8Array | KeyObject): CipherGCMTypes {
  const octets = 'byteLength' in key ? key.byteLength : key.symmetricKeySize;
  return octets === 16 ? 'aes-128-gcm' : octets === 24 ? 'aes-192-gcm' : 'aes-256-gcm';
}
