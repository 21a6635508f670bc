// Byte arrays: comparison, concatenation and hexadecimal text. `equalBytes` is not constant-time and must not be used
// for secrets.
import { PkiError } from './errors.ts';

/** Returns a view of the same bytes as a plain Uint8Array (a Node Buffer's `subarray` is slower and leaks its type). */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * Returns whether two byte arrays are equal. Must not be used for secrets: the run time depends on the position of the
 * first difference.
 */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Compares in unsigned lexicographic order. A proper prefix sorts first, as DER requires for SET OF (X.690 §11.6). */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] as number) - (b[i] as number); // Both arrays are at least `shared` bytes long.
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part.length;
  const out = new Uint8Array(length);
  let position = 0;
  for (const part of parts) {
    out.set(part, position);
    position += part.length;
  }
  return out;
}

/** Returns lowercase hexadecimal text. */
export function toHex(bytes: Uint8Array): string {
  return bytes.toHex();
}

/** Decodes hexadecimal text in either case. Throws `PkiError` `bad-hex`. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromHex(text);
  } catch {
    throw new PkiError('bad-hex', 'The text is not hexadecimal or has an odd number of digits.');
  }
}

/**
 * Formats an unsigned number as lowercase hex without leading zeros, the usual text form of a serial number. Zero is
 * `0`.
 */
export function numberHex(magnitude: Uint8Array): string {
  const text = magnitude.toHex();
  let first = 0;
  while (first < text.length - 1 && text.charCodeAt(first) === 0x30) first++;
  return first === 0 ? text || '0' : text.slice(first);
}
