// Octets that are Base64 text on the wire and stay octets inside one process.

/** The octets of a member such as `crlData`; those of the same process are not copied and must not be changed. */
export const octetsOf = (value: string | Uint8Array): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : value;
