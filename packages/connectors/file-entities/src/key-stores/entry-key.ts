// An entry's private key.
import { rejected } from '@signetry/connector-sdk';
import { isPkiError } from '@signetry/pki';
import { exportPublicKey, keyStorePrivateKey, type KeyStoreEntry } from '@signetry/pki/node';
import type { KeyObject } from 'node:crypto';
import { certificateOf } from './store-file.ts';

/** Returns the SubjectPublicKeyInfo; undefined if there is no key or the key has a different password. */
export function publicKeyOf({ key, chain: [leaf] }: KeyStoreEntry, password: string): Uint8Array | undefined {
  if (!key) return undefined;
  const certificate = certificateOf(leaf);
  if (certificate) return certificate.spki;
  try {
    return exportPublicKey(keyStorePrivateKey(key, password));
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}

/** Returns the private key. Rejects if there is no key or the key cannot be opened. */
export function privateKeyOf(
  entry: KeyStoreEntry | undefined,
  { alias, password }: { readonly alias: string; readonly password: string },
): KeyObject {
  if (!entry?.key) throw rejected(`Cannot keep the key: there is no key under the alias ${alias}.`);
  try {
    return keyStorePrivateKey(entry.key, password);
  } catch (error) {
    if (!isPkiError(error)) throw error;
    throw rejected(
      error.code === 'wrong-password'
        ? `The key under the alias ${alias} has its own password. Change it to the password of the store (keytool -keypasswd).`
        : `Cannot use the key under the alias ${alias}: ${error.message}`,
    );
  }
}
