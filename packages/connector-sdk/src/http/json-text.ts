// Bytes: Base64 in JSON text, and bytes inside a process.
import { isObject } from '../is-object.ts';

/** Serializes a value to JSON, with bytes as Base64. */
export const jsonText = (value: unknown): string => JSON.stringify(value, encodeOctets);

/**
 * Replacer for `JSON.stringify`: converts bytes to Base64. A Buffer has already been converted by its `toJSON`, so the
 * value is read from its holder.
 */
function encodeOctets(this: unknown, key: string, value: unknown): unknown {
  // `this` is the object that contains `key`.
  const given = isObject(value) ? (this as Record<string, unknown>)[key] : value;
  if (!(given instanceof Uint8Array)) return value;
  return Buffer.from(given.buffer, given.byteOffset, given.length).toString('base64');
}

/**
 * Returns the bytes of a member such as `crlData`. Within the same process they are not copied, so they must not be
 * changed.
 */
export const octetsOf = (value: string | Uint8Array): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : value;
