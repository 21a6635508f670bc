// Answers as JSON text.
import { isObject } from '../is-object.ts';

/** Octets become Base64. */
export const jsonText = (value: unknown): string => JSON.stringify(value, octetsAsText);

/**
 * For `JSON.stringify`: octets as Base64 text. A Buffer has already been converted by its `toJSON`, so the value is
 * taken from its holder.
 */
function octetsAsText(this: unknown, key: string, value: unknown): unknown {
  // the holder of `key`
  const given = isObject(value) ? (this as Record<string, unknown>)[key] : value;
  if (!(given instanceof Uint8Array)) return value;
  return Buffer.from(given.buffer, given.byteOffset, given.length).toString('base64');
}
