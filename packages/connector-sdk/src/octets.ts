// Byte strings that are Base64 on the wire and stay bytes inside a process.

/**
 * Returns the bytes of a member such as `crlData`. Within the same process they are not copied, so they must not be
 * changed.
 */
export const octetsOf = (value: string | Uint8Array): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : value;
