// Queries of ACME profiles. Every change counts the version up, in its own statement.
import type { Executor } from '../../platform/database/database.ts';
import type { AcmeProfileRow, AcmeProfileTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<AcmeProfileTables>();

export const findAll = (executor: Executor): Promise<AcmeProfileRow[]> =>
  tables(executor).selectFrom('acme_profile').selectAll().orderBy('name').execute();

export const findOne = (executor: Executor, uuid: string): Promise<AcmeProfileRow | undefined> =>
  tables(executor).selectFrom('acme_profile').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const findByName = (executor: Executor, name: string): Promise<AcmeProfileRow | undefined> =>
  tables(executor).selectFrom('acme_profile').selectAll().where('name', '=', name).executeTakeFirst();

/** The profile that is activated on an RA profile, with the connector that the attributes are kept under. */
export const findActivated = (executor: Executor, raProfileUuid: string) =>
  tables(executor)
    .selectFrom('acme_activation as a')
    .innerJoin('acme_profile as p', 'p.uuid', 'a.acme_profile_uuid')
    .selectAll('p')
    .select(['a.ra_profile_uuid as activated_on', 'a.connector_uuid as activation_connector_uuid'])
    .where('a.ra_profile_uuid', '=', raProfileUuid)
    .executeTakeFirst();

/** Holds the rows until the transaction ends; in one order, so that two that lock several do not wait for each other. */
export const lockMany = (tx: Executor, uuids: readonly string[]): Promise<AcmeProfileRow[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : tables(tx)
        .selectFrom('acme_profile')
        .selectAll()
        .where('uuid', 'in', uuids)
        .orderBy('uuid')
        .forNoKeyUpdate()
        .execute();

export async function insert(tx: Executor, row: Omit<AcmeProfileRow, 'version'>): Promise<void> {
  await tables(tx).insertInto('acme_profile').values(row).execute();
}

export type ProfileChanges = Partial<Omit<AcmeProfileRow, 'uuid' | 'name' | 'version' | 'created_at'>>;

/** Answers the profiles that were there. Without changes only the version counts up. */
export const update = (tx: Executor, uuids: readonly string[], changes: ProfileChanges): Promise<AcmeProfileRow[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : tables(tx)
        .updateTable('acme_profile')
        .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
        .where('uuid', 'in', uuids)
        .returningAll()
        .execute();

export const findOfRaProfiles = (tx: Executor, raProfileUuids: readonly string[]): Promise<AcmeProfileRow[]> =>
  tables(tx).selectFrom('acme_profile').selectAll().where('ra_profile_uuid', 'in', raProfileUuids).execute();

/** Removes profiles; activations, keys and accounts go with them by their foreign keys, orders and authorizations do not. */
export async function remove(tx: Executor, uuids: readonly string[]): Promise<void> {
  if (uuids.length > 0) await tables(tx).deleteFrom('acme_profile').where('uuid', 'in', uuids).execute();
}

/** Leaves profiles without RA profile. Their version was counted up by the caller. */
export async function detachRaProfiles(tx: Executor, raProfileUuids: readonly string[]): Promise<void> {
  await tables(tx)
    .updateTable('acme_profile')
    .set({ ra_profile_uuid: null, connector_uuid: null })
    .where('ra_profile_uuid', 'in', raProfileUuids)
    .execute();
}
