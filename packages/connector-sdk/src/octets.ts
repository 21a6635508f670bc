// Octets that are Base64 text on the wire and stay octets inside one process.

/** The octets of a member such as `crlData`; those of the same process are not copied and must not be changed. */
export const octetsOf = (value: string | Uint8Array): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : value;

/** For `JSON.stringify`: octets as Base64 text. A Buffer has turned itself into something else by then, so its holder is asked. */
export function octetsAsText(this: unknown, key: string, value: unknown): unknown {
  const given = typeof value === 'object' && value !== null ? (this as Record<string, unknown>)[key] : value; // the holder of `key`
  if (!(given instanceof Uint8Array)) return value;
  return Buffer.from(given.buffer, given.byteOffset, given.length).toString('base64');
}
