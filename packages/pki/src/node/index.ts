// Entry point @signetry/pki/node: functions that the pure package requires, based on node:crypto.
export * from './crypto.ts';
export * from './cms.ts';
export * from './keys.ts';
export * from './mac-functions.ts';
export { decryptPrivateKeyInfo, encryptPrivateKeyInfo, MAX_ITERATIONS } from './pbe.ts';
export * from './pkcs12.ts';
export * from './key-store.ts';
export * from './verify-once.ts';
