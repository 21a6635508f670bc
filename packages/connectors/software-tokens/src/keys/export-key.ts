// Export of private keys that were created as exportable. The key is read from the database each time, so a destroyed
// key is never exported, and its token must be active.
import { notFound, rejected, type ExportedKeyReference } from '@signetry/connector-sdk';
import { isUuid } from '../problems.ts';
import type { ActiveTokens } from '../tokens/active-tokens.ts';
import type { KeyStore } from './key-store.ts';

interface Parts {
  readonly keys: KeyStore;
  readonly active: ActiveTokens;
}

/** Returns PKCS #8 in DER, which the caller overwrites. */
export async function exportPrivateKey(
  { keys, active }: Parts,
  { token, key }: ExportedKeyReference,
): Promise<Uint8Array> {
  const opened = await active.get(token);
  const row = isUuid(key) ? await keys.findWithMaterial({ token: opened.uuid, key }) : undefined;
  if (!row) throw notFound('Key', key);
  if (row.type !== 'Private' || !row.material) throw rejected(`The key "${row.name}" is not a private key.`);
  if (!row.exportable)
    throw rejected(
      `The key "${row.name}" cannot be exported: it was not created as exportable, which cannot be changed.`,
    );
  return opened.openMaterial(row.uuid, row.material);
}
