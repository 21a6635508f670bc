// Queries of RA profiles.
import type { Executor } from '../../platform/database/database.ts';
import type { RaProfileRow, RaProfileTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<RaProfileTables>();

export const findAll = (
  executor: Executor,
  filter: { enabled?: boolean | undefined } = {},
): Promise<RaProfileRow[]> => {
  const query = tables(executor).selectFrom('ra_profile').selectAll().orderBy('name').orderBy('uuid');
  return (filter.enabled === undefined ? query : query.where('enabled', '=', filter.enabled)).execute();
};

export const findOne = (executor: Executor, uuid: string): Promise<RaProfileRow | undefined> =>
  tables(executor).selectFrom('ra_profile').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const findMany = (executor: Executor, uuids: readonly string[]): Promise<RaProfileRow[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : tables(executor).selectFrom('ra_profile').selectAll().where('uuid', 'in', uuids).orderBy('name').execute();

export const findByName = (executor: Executor, name: string): Promise<RaProfileRow | undefined> =>
  tables(executor).selectFrom('ra_profile').selectAll().where('name', '=', name).executeTakeFirst();

/** Profiles of an authority, enabled ones first, the oldest of them first. */
export const findOfAuthority = (executor: Executor, authorityUuid: string): Promise<RaProfileRow[]> =>
  tables(executor)
    .selectFrom('ra_profile')
    .selectAll()
    .where('authority_uuid', '=', authorityUuid)
    .orderBy('enabled', 'desc')
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();

/** Holds the rows until the transaction ends; in one order, so that two that lock several do not wait for each other. */
export const lockMany = (tx: Executor, uuids: readonly string[]): Promise<RaProfileRow[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : tables(tx).selectFrom('ra_profile').selectAll().where('uuid', 'in', uuids).orderBy('uuid').forUpdate().execute();

/** Answers whether the profile is there; then it is until the transaction ends, and nobody else holds it. */
export const hold = async (tx: Executor, uuid: string): Promise<boolean> => {
  const row = await tables(tx)
    .selectFrom('ra_profile')
    .select('uuid')
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
};

export const namesOfAuthority = async (executor: Executor, authorityUuid: string): Promise<string[]> => {
  const rows = await tables(executor)
    .selectFrom('ra_profile')
    .select('name')
    .where('authority_uuid', '=', authorityUuid)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
};

export async function insert(tx: Executor, row: RaProfileRow): Promise<void> {
  await tables(tx).insertInto('ra_profile').values(row).execute();
}

export type RaProfileChanges = Partial<Omit<RaProfileRow, 'uuid' | 'name' | 'created_at'>>;

/** Answers the profiles that were there. */
export const update = (tx: Executor, uuids: readonly string[], changes: RaProfileChanges): Promise<RaProfileRow[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : tables(tx).updateTable('ra_profile').set(changes).where('uuid', 'in', uuids).returningAll().execute();

/** The profiles of an authority that is removed by force stay without one. */
export async function detachAuthority(tx: Executor, authorityUuid: string): Promise<void> {
  await tables(tx)
    .updateTable('ra_profile')
    .set({ authority_uuid: null })
    .where('authority_uuid', '=', authorityUuid)
    .execute();
}

export async function remove(tx: Executor, uuids: readonly string[]): Promise<void> {
  if (uuids.length > 0) await tables(tx).deleteFrom('ra_profile').where('uuid', 'in', uuids).execute();
}
