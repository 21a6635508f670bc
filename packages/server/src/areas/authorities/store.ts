// Queries of authorities.
import type { Executor } from '../../platform/database/database.ts';
import type { AuthorityRow, AuthorityTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<AuthorityTables>();

export const findAll = (executor: Executor): Promise<AuthorityRow[]> =>
  tables(executor).selectFrom('authority').selectAll().orderBy('name').orderBy('uuid').execute();

export const findOne = (executor: Executor, uuid: string): Promise<AuthorityRow | undefined> =>
  tables(executor).selectFrom('authority').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const findMany = (executor: Executor, uuids: readonly string[]): Promise<AuthorityRow[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : tables(executor).selectFrom('authority').selectAll().where('uuid', 'in', uuids).execute();

export const findByName = (executor: Executor, name: string): Promise<AuthorityRow | undefined> =>
  tables(executor).selectFrom('authority').selectAll().where('name', '=', name).executeTakeFirst();

/** Holds the row against other changes until the transaction ends. */
export const lock = (tx: Executor, uuid: string): Promise<AuthorityRow | undefined> =>
  tables(tx).selectFrom('authority').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst();

/** Holds the row against removal; many may hold it at once. */
export const holdForUse = (tx: Executor, uuid: string): Promise<AuthorityRow | undefined> =>
  tables(tx).selectFrom('authority').selectAll().where('uuid', '=', uuid).forShare().executeTakeFirst();

/** The oldest first. */
export const findOfConnector = (executor: Executor, connectorUuid: string, limit: number): Promise<AuthorityRow[]> =>
  tables(executor)
    .selectFrom('authority')
    .selectAll()
    .where('connector_uuid', '=', connectorUuid)
    .orderBy('created_at')
    .limit(limit)
    .execute();

export const namesOfConnector = async (executor: Executor, connectorUuid: string): Promise<string[]> => {
  const rows = await tables(executor)
    .selectFrom('authority')
    .select('name')
    .where('connector_uuid', '=', connectorUuid)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
};

export async function insert(tx: Executor, row: AuthorityRow): Promise<void> {
  await tables(tx).insertInto('authority').values(row).execute();
}

export async function update(
  tx: Executor,
  uuid: string,
  changes: Partial<Pick<AuthorityRow, 'status' | 'updated_at'>>,
): Promise<boolean> {
  const result = await tables(tx).updateTable('authority').set(changes).where('uuid', '=', uuid).executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The authorities of a connector that is removed keep its name only. */
export async function detachConnector(tx: Executor, connectorUuid: string): Promise<void> {
  await tables(tx)
    .updateTable('authority')
    .set({ connector_uuid: null })
    .where('connector_uuid', '=', connectorUuid)
    .execute();
}

export async function remove(tx: Executor, uuid: string): Promise<void> {
  await tables(tx).deleteFrom('authority').where('uuid', '=', uuid).execute();
}
