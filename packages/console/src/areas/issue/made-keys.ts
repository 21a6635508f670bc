// Private keys that were generated here and are not saved yet, from the form to the page of the result. They are kept
// in memory only: a reload or closing the tab loses them, so the page asks before.

const keys = new Map<string, string>();

/** PKCS#8 in PEM, for the certificate with this identifier. */
export const keepKey = (uuid: string, privateKey: string): unknown => keys.set(uuid, privateKey);

export const keyFor = (uuid: string): string | undefined => keys.get(uuid);

/** Once its page was left. */
export const dropKey = (uuid: string): unknown => keys.delete(uuid);
