// Base64 (RFC 4648) without Buffer. Reading ignores white space and accepts absent padding, because clients send both
// (EST bodies, copied text); writing is one line with padding, or base64url without it.
import { PkiError } from './errors.ts';

/** One line, with padding. */
export function toBase64(bytes: Uint8Array): string {
  return bytes.toBase64();
}

/** The URL-safe alphabet without padding (RFC 7515 §2). */
export function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** Octets of base64 text; white space anywhere and absent padding are accepted. Throws `PkiError` `bad-base64`. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    const foreign = text.search(/[^A-Za-z0-9+/=\s]/);
    const place = foreign === -1 ? '' : ` (character ${foreign + 1})`;
    throw new PkiError('bad-base64', `The text is not base64${place}.`);
  }
}

const BASE64URL = /^[A-Za-z0-9_-]*$/;

/**
 * Octets of base64url text, strictly: no padding, no white space, no stray bits in the last character, so that each
 * value has one text (JOSE compares texts). Throws `PkiError` `bad-base64`.
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!BASE64URL.test(text)) throw new PkiError('bad-base64', 'The text is not base64url without padding.');
  try {
    const padded = text.length % 4 === 0 ? text : text + '='.repeat(4 - (text.length % 4));
    return Uint8Array.fromBase64(padded, { alphabet: 'base64url', lastChunkHandling: 'strict' });
  } catch {
    throw new PkiError('bad-base64', 'The text is not base64url without padding.');
  }
}
