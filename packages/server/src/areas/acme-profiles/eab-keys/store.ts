// Queries for external account binding keys.
import type { Executor } from '../../../platform/database/database.ts';
import type { NamePolicy } from '../name-policy.ts';
import type { AcmeEabKeyRow, AcmeEabKeyTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<AcmeEabKeyTables>();

/** Returns the keys of a profile, newest first. */
export const findAll = (executor: Executor, acmeProfileUuid: string): Promise<AcmeEabKeyRow[]> =>
  tables(executor)
    .selectFrom('acme_eab_key')
    .selectAll()
    .where('acme_profile_uuid', '=', acmeProfileUuid)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();

export const findByKeyId = (
  executor: Executor,
  { keyId, acmeProfileUuid }: { readonly keyId: string; readonly acmeProfileUuid: string },
): Promise<AcmeEabKeyRow | undefined> =>
  tables(executor)
    .selectFrom('acme_eab_key')
    .selectAll()
    .where('key_id', '=', keyId)
    .where('acme_profile_uuid', '=', acmeProfileUuid)
    .executeTakeFirst();

/**
 * Returns the name policy of a key, even if it has since been revoked: accounts created with it remain, and so does its
 * policy.
 */
export async function findNamePolicy(executor: Executor, uuid: string): Promise<NamePolicy | null | undefined> {
  const row = await tables(executor)
    .selectFrom('acme_eab_key')
    .select('name_policy')
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row?.name_policy;
}

/** Returns whether a key exists and is neither revoked nor expired; it can be used up. */
export async function isCurrent(executor: Executor, uuid: string, now: Date): Promise<boolean> {
  const row = await tables(executor)
    .selectFrom('acme_eab_key')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst();
  return row !== undefined;
}

export async function insert(tx: Executor, row: AcmeEabKeyRow): Promise<void> {
  await tables(tx).insertInto('acme_eab_key').values(row).execute();
}

export const lock = (
  tx: Executor,
  { uuid, acmeProfileUuid }: { readonly uuid: string; readonly acmeProfileUuid: string },
): Promise<AcmeEabKeyRow | undefined> =>
  tables(tx)
    .selectFrom('acme_eab_key')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('acme_profile_uuid', '=', acmeProfileUuid)
    .forUpdate()
    .executeTakeFirst();

export async function revoke(tx: Executor, uuid: string, at: Date): Promise<void> {
  await tables(tx).updateTable('acme_eab_key').set({ revoked_at: at }).where('uuid', '=', uuid).execute();
}

/**
 * Increments the key's account counter if the key can still be used. The update locks the row: if a single-use key is
 * used twice concurrently, the second update finds that it has been used.
 */
export async function bind(tx: Executor, uuid: string, at: Date): Promise<boolean> {
  const result = await tables(tx)
    .updateTable('acme_eab_key')
    .set((eb) => ({ accounts_bound: eb('accounts_bound', '+', 1), last_used_at: at }))
    .where('uuid', '=', uuid)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .where((eb) => eb.or([eb('reusable', '=', true), eb('accounts_bound', '=', 0)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
