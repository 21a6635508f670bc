// Entry @signetry/pki/node: what the pure package needs, supplied by node:crypto.
export * from './crypto.ts';
export * from './cms.ts';
export * from './keys.ts';
export * from './mac-functions.ts';
export { decryptPrivateKeyInfo, encryptPrivateKeyInfo, MAX_ITERATIONS } from './pbe.ts';
export * from './pkcs12.ts';
export * from './key-store.ts';
export * from './verify-once.ts';
