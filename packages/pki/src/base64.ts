// Base64 (RFC 4648) without Buffer. The decoder ignores whitespace and accepts missing padding, because clients send
// both (EST bodies, pasted text). The encoder writes a single line with padding, or base64url without padding.
import { PkiError } from './errors.ts';

/** Encodes as a single line with padding. */
export function toBase64(bytes: Uint8Array): string {
  return bytes.toBase64();
}

/** Encodes with the URL-safe alphabet, without padding (RFC 7515 §2). */
export function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** Decodes base64 text; whitespace and missing padding are accepted. Throws `PkiError` `bad-base64`. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    const foreign = text.search(/[^A-Za-z0-9+/=\s]/);
    const place = foreign === -1 ? '' : ` (character ${foreign + 1})`;
    throw new PkiError('bad-base64', `The text is not valid Base64${place}.`);
  }
}

const BASE64URL = /^[A-Za-z0-9_-]*$/;

/**
 * Decodes base64url text strictly: no padding, no whitespace, no stray bits in the last character, so that each value
 * has exactly one encoding (JOSE compares encoded text). Throws `PkiError` `bad-base64`.
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!BASE64URL.test(text)) throw new PkiError('bad-base64', 'The text must be base64url without padding.');
  try {
    const padded = text.length % 4 === 0 ? text : text + '='.repeat(4 - (text.length % 4));
    return Uint8Array.fromBase64(padded, { alphabet: 'base64url', lastChunkHandling: 'strict' });
  } catch {
    throw new PkiError('bad-base64', 'The text must be base64url without padding.');
  }
}
