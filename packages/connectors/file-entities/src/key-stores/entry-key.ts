// The private key of an entry.
import { rejected } from '@signetry/connector-sdk';
import { isPkiError } from '@signetry/pki';
import { exportPublicKey, keyStorePrivateKey, type KeyStoreEntry } from '@signetry/pki/node';
import type { KeyObject } from 'node:crypto';
import { certificateOf } from './store-file.ts';

/** SubjectPublicKeyInfo; undefined without a key, and for one that opens with another password. */
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

/** Refuses with words where there is none that opens. */
export function privateKeyOf(
  entry: KeyStoreEntry | undefined,
  { alias, password }: { readonly alias: string; readonly password: string },
): KeyObject {
  if (!entry?.key) throw rejected(`There is no key under the name ${alias} that could be kept.`);
  try {
    return keyStorePrivateKey(entry.key, password);
  } catch (error) {
    if (!isPkiError(error)) throw error;
    throw rejected(
      error.code === 'wrong-password'
        ? `The key under the name ${alias} has a password of its own; give it that of the store (keytool -keypasswd).`
        : `The key under the name ${alias} cannot be used: ${error.message}`,
    );
  }
}
