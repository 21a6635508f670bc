// Queries of roles.
import type { Executor } from '../../../platform/database/database.ts';
import type { IdentityTables, RoleRow } from '../tables.ts';

const tables = (executor: Executor) => executor.withTables<IdentityTables>();

export const findAll = (executor: Executor): Promise<RoleRow[]> =>
  tables(executor).selectFrom('role').selectAll().orderBy('name').execute();

export const findOne = (executor: Executor, uuid: string): Promise<RoleRow | undefined> =>
  tables(executor).selectFrom('role').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const findByName = (executor: Executor, name: string): Promise<RoleRow | undefined> =>
  tables(executor).selectFrom('role').selectAll().where('name', '=', name).executeTakeFirst();

export const findMany = (executor: Executor, uuids: readonly string[]): Promise<RoleRow[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : tables(executor).selectFrom('role').selectAll().where('uuid', 'in', uuids).orderBy('name').execute();

export async function insert(executor: Executor, row: RoleRow): Promise<void> {
  await tables(executor).insertInto('role').values(row).execute();
}

/** For the roles that the platform brings along; another node may be doing the same. */
export async function insertMissing(executor: Executor, row: RoleRow): Promise<void> {
  await tables(executor)
    .insertInto('role')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export type RoleChanges = Pick<RoleRow, 'name' | 'description' | 'email' | 'updated_at'>;

export async function update(executor: Executor, uuid: string, changes: RoleChanges): Promise<void> {
  await tables(executor).updateTable('role').set(changes).where('uuid', '=', uuid).execute();
}

export async function remove(executor: Executor, uuid: string): Promise<void> {
  await tables(executor).deleteFrom('role').where('uuid', '=', uuid).execute();
}

/** Those of the roles that allow everything. */
export async function allowingEverything(executor: Executor, roleUuids: readonly string[]): Promise<RoleRow[]> {
  if (roleUuids.length === 0) return [];
  return tables(executor)
    .selectFrom('role as r')
    .innerJoin('role_permission as p', 'p.role_uuid', 'r.uuid')
    .selectAll('r')
    .where('r.uuid', 'in', roleUuids)
    .where('p.resource', 'is', null)
    .where('p.action', 'is', null)
    .execute();
}
