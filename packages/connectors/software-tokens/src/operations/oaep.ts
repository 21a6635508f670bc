// OAEP (RFC 8017 §7.1) with two digests, one for the label and another for MGF1, which OpenSSL can do and node:crypto
// cannot ask it to. The RSA operation itself is that of OpenSSL, with its protection against timing.
import {
  constants,
  hash,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

export interface OaepDigests {
  /** As node:crypto calls them. */
  readonly digest: string;
  readonly mgfDigest: string;
}

const octetsOf = (digest: string, data: Uint8Array): Buffer => hash(digest, data, 'buffer');

/** MGF1 (RFC 8017 appendix B.2.1), applied to `target`. */
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

/** `plain` has at most `bytes - 2 * digest - 2` octets, `bytes` being those of the modulus. */
export function oaepEncrypt(
  key: KeyObject,
  plain: Uint8Array,
  { digest, mgfDigest, bytes }: OaepDigests & Sized,
): Buffer {
  const label = octetsOf(digest, new Uint8Array());
  const padding = Buffer.alloc(bytes - plain.length - 2 * label.length - 2);
  const block = Buffer.concat([label, padding, Uint8Array.of(1), plain]);
  const seed = randomBytes(label.length);
  const maskedBlock = mask(block, seed, mgfDigest);
  const encoded = Buffer.concat([Uint8Array.of(0), mask(seed, maskedBlock, mgfDigest), maskedBlock]);
  return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, encoded);
}

interface Sized {
  readonly bytes: number;
}

/**
 * Nothing for whatever is wrong, found out in one way: which part of the encoding was wrong would let who asks often
 * decrypt (RFC 8017 §7.1.2 note; Manger 2001).
 */
export function oaepDecrypt(
  key: KeyObject,
  sealed: Uint8Array,
  { digest, mgfDigest }: OaepDigests,
): Buffer | undefined {
  const encoded = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, sealed);
  const label = octetsOf(digest, new Uint8Array());
  const maskedBlock = encoded.subarray(1 + label.length);
  const seed = mask(encoded.subarray(1, 1 + label.length), maskedBlock, mgfDigest);
  const block = mask(maskedBlock, seed, mgfDigest);
  let wrong = encoded[0] ?? 1;
  wrong |= timingSafeEqual(block.subarray(0, label.length), label) ? 0 : 1;
  // Every octet is looked at, wherever the message begins.
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
