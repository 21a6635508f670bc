// Keys of external account binding as the protocol server uses them for new accounts (RFC 8555 §7.3.4).
import type { AcmeEabKeyState } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { NamePolicy } from '../name-policy.ts';
import { stateOf } from './present.ts';
import { openMacKey } from './sealed-key.ts';
import * as store from './store.ts';

/** Key identifiers come from unauthenticated clients; those of another form need no look-up. */
const KEY_ID = /^[\w-]{22}$/;

/** A key that a client may make an account with, or why it may not. */
export type EabKeyLookup =
  | { readonly uuid: string; readonly macKey: Uint8Array }
  | { readonly reason: 'unknown' | Exclude<AcmeEabKeyState, 'usable'> };

export type EabKeys = ReturnType<typeof createEabKeys>;

export function createEabKeys({ database, sealer }: Platform) {
  /** Looks a key up that a client names. That it is usable holds for now; `bind` decides. */
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
    /** Rules for the accounts that were made with a key, whatever its state; they never change. */
    namePolicyOf: async (uuid: string): Promise<NamePolicy | undefined> =>
      (await store.findNamePolicy(database.executor, uuid)) ?? undefined,
    /** Counts the account that the transaction makes; false when the key cannot be used (any more). */
    bind: (tx: Executor, uuid: string, { now }: { readonly now: Date }): Promise<boolean> => store.bind(tx, uuid, now),
  };
}
