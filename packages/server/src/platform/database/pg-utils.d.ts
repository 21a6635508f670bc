declare module 'pg/lib/utils.js' {
  const utils: {
    /** A JavaScript value as the driver sends it: text, or octets of `bytea`. Throws on what cannot be sent. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
