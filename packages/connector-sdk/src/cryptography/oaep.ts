// OAEP encoding (RFC 8017 §7.1) with separate digests for the label and for MGF1, for callers that have only the raw
// RSA operation. OpenSSL supports this, but node:crypto does not expose it; tokens often support only SHA-1.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CipherMechanism } from './cipher-mechanism.ts';

/** Digests with the names used in `CipherMechanism`. */
export type OaepDigests = Pick<Extract<CipherMechanism, { kind: 'rsa-oaep' }>, 'digest' | 'mgfDigest'>;

/** Returns the node:crypto name of a digest. */
export const nodeDigest = (digest: string): string => digest.toLowerCase().replace(/^sha-/, 'sha');

const octetsOf = (digest: string, data: Uint8Array): Buffer => hash(nodeDigest(digest), data, 'buffer');

/** Applies MGF1 (RFC 8017 appendix B.2.1) to `target`. */
function mask(target: Uint8Array, seed: Uint8Array, digest: string): Buffer {
  const masked = Buffer.alloc(target.length);
  const counter = Buffer.alloc(4);
  for (let at = 0, block = 0; at < target.length; block += 1) {
    counter.writeUInt32BE(block);
    for (const octet of octetsOf(digest, Buffer.concat([seed, counter]))) {
      if (at === target.length) break;
      masked[at] = (target[at] ?? 0) ^ octet;
      at += 1;
    }
  }
  return masked;
}

/**
 * Returns the input of the RSA encryption, which is as long as the modulus (`bytes` bytes). `plain` must not exceed
 * `longestPlaintext`.
 */
export function oaepEncode(plain: Uint8Array, { digest, mgfDigest }: OaepDigests, bytes: number): Uint8Array {
  const label = octetsOf(digest, new Uint8Array());
  const padding = Buffer.alloc(bytes - plain.length - 2 * label.length - 2);
  const block = Buffer.concat([label, padding, Uint8Array.of(1), plain]);
  const seed = randomBytes(label.length);
  const maskedBlock = mask(block, seed, mgfDigest);
  return Buffer.concat([Uint8Array.of(0), mask(seed, maskedBlock, mgfDigest), maskedBlock]);
}

/**
 * Returns the plaintext from the output of the RSA decryption, which is as long as the modulus and is overwritten;
 * undefined if the encoding is wrong. All errors are detected in the same way: revealing which part was wrong would let
 * a caller decrypt with repeated queries (RFC 8017 §7.1.2 note; Manger 2001).
 */
export function oaepDecode(encoded: Uint8Array, { digest, mgfDigest }: OaepDigests): Uint8Array | undefined {
  const label = octetsOf(digest, new Uint8Array());
  const maskedBlock = encoded.subarray(1 + label.length);
  const seed = mask(encoded.subarray(1, 1 + label.length), maskedBlock, mgfDigest);
  const block = mask(maskedBlock, seed, mgfDigest);
  let wrong = encoded[0] ?? 1;
  wrong |= timingSafeEqual(block.subarray(0, label.length), label) ? 0 : 1;
  // Every byte is examined, wherever the message begins.
  let begins = 0;
  let isFound = 0;
  for (let at = label.length; at < block.length; at += 1) {
    const octet = block[at] ?? 0;
    const isOne = Number(octet === 1) & (1 - isFound);
    begins |= isOne * (at + 1);
    wrong |= (1 - isFound) & (1 - isOne) & Number(octet !== 0);
    isFound |= isOne;
  }
  wrong |= 1 - isFound;
  const plain = Buffer.from(block.subarray(begins));
  block.fill(0);
  encoded.fill(0);
  return wrong === 0 ? plain : undefined;
}
