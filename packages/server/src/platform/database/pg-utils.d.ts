declare module 'pg/lib/utils.js' {
  const utils: {
    /**
     * Encodes a JavaScript value as the driver does: text, or bytes for `bytea`. Throws if the value cannot be sent.
     */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
