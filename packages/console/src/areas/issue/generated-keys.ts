// Private keys that were generated here and have not been saved yet, passed from the form to the result page. They
// exist only in memory and are lost if the tab is reloaded or closed, so the page asks for confirmation.

const keys = new Map<string, string>();

/** Stores a PEM-encoded PKCS #8 key for the certificate with this UUID. */
export const storeKey = (uuid: string, privateKey: string): unknown => keys.set(uuid, privateKey);

export const findKey = (uuid: string): string | undefined => keys.get(uuid);

/** Discards the key; called when the user leaves the result page. */
export const discardKey = (uuid: string): unknown => keys.delete(uuid);
