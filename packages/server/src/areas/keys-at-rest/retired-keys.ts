// Remains of removed sealing keys: the keys derived from them, sealed with the current one.
import type { Executor } from '../../platform/database/database.ts';
import type { KeyRing } from '../../platform/crypto/sealing.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import * as store from './store.ts';

/** Returns the row's name, which is also the purpose that its key is sealed for. */
export const retiredName = ({ key_id, purpose }: { readonly key_id: string; readonly purpose: string }): string =>
  `${key_id} ${purpose}`;

export const retiredColumn: SealedColumn = {
  table: 'retired_key',
  key: 'name',
  keyType: 'text',
  column: 'sealed_key',
  form: 'bytes',
  purpose: ({ name = '' }) => name,
};

/** Lets a key ring recognize values created with removed keys. */
export async function loadRetiredKeys(executor: Executor, ring: KeyRing): Promise<void> {
  for (const { name, key_id: keyId, purpose, sealed_key } of await store.findRetired(executor))
    ring.learnDerived({ keyId, purpose, key: ring.open(sealed_key, name) });
}
