// External account binding keys as used by the protocol server for new accounts (RFC 8555 §7.3.4).
import type { AcmeEabKeyState } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { NamePolicy } from '../name-policy.ts';
import { stateOf } from './present.ts';
import { openMacKey } from './sealed-key.ts';
import * as store from './store.ts';

/** Format of key IDs. They come from unauthenticated clients, and malformed ones need no lookup. */
const KEY_ID = /^[\w-]{22}$/;

/** Key with which a client can create an account, or the reason why it cannot. */
export type EabKeyLookup =
  | { readonly uuid: string; readonly macKey: Uint8Array }
  | { readonly reason: 'unknown' | Exclude<AcmeEabKeyState, 'usable'> };

export type EabKeys = ReturnType<typeof createEabKeys>;

export function createEabKeys({ database, sealer }: Platform) {
  /** Looks up a key specified by a client and checks that it is currently usable. `bind` makes the final decision. */
  async function findUsable(
    keyId: string,
    { acmeProfileUuid, now }: { readonly acmeProfileUuid: string; readonly now: Date },
  ): Promise<EabKeyLookup> {
    const row = KEY_ID.test(keyId) ? await store.findByKeyId(database.executor, { keyId, acmeProfileUuid }) : undefined;
    if (!row) return { reason: 'unknown' };
    const state = stateOf(row, now);
    if (state !== 'usable') return { reason: state };
    return { uuid: row.uuid, macKey: openMacKey(sealer, row) };
  }

  return {
    findUsable,
    /** Returns the name policy for accounts created with a key, regardless of the key's state. It never changes. */
    namePolicyOf: async (uuid: string): Promise<NamePolicy | undefined> =>
      (await store.findNamePolicy(database.executor, uuid)) ?? undefined,
    /** Returns whether a key that an account was created with is neither revoked nor expired. */
    isCurrent: async (uuid: string, now: Date): Promise<boolean> => store.isCurrent(database.executor, uuid, now),
    /** Counts the account that the transaction creates. Returns false if the key is not, or is no longer, usable. */
    bind: (tx: Executor, uuid: string, { now }: { readonly now: Date }): Promise<boolean> => store.bind(tx, uuid, now),
  };
}
