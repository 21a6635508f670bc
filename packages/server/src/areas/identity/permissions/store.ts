// Permission rows of roles.
import type { Executor } from '../../../platform/database/database.ts';
import type { IdentityTables } from '../tables.ts';
import type { PermissionRow } from './domain.ts';

const tables = (executor: Executor) => executor.withTables<IdentityTables>();

export const ofRole = (executor: Executor, roleUuid: string): Promise<PermissionRow[]> =>
  tables(executor)
    .selectFrom('role_permission')
    .select(['resource', 'action'])
    .where('role_uuid', '=', roleUuid)
    .execute();

/** Rows of all roles of a user, repeated where roles overlap. */
export const ofUser = (executor: Executor, userUuid: string): Promise<PermissionRow[]> =>
  tables(executor)
    .selectFrom('user_role as ur')
    .innerJoin('role_permission as p', 'p.role_uuid', 'ur.role_uuid')
    .select(['p.resource', 'p.action'])
    .where('ur.user_uuid', '=', userUuid)
    .execute();

/** Makes the rows of a role exactly these; rows that stay are not touched. */
export async function replaceOfRole(
  executor: Executor,
  roleUuid: string,
  rows: readonly PermissionRow[],
): Promise<void> {
  const key = (row: PermissionRow) => `${row.resource ?? ''} ${row.action ?? ''}`;
  const wanted = new Map(rows.map((row) => [key(row), row]));
  for (const row of await ofRole(executor, roleUuid)) {
    if (wanted.delete(key(row))) continue;
    await tables(executor)
      .deleteFrom('role_permission')
      .where('role_uuid', '=', roleUuid)
      .where('resource', 'is not distinct from', row.resource)
      .where('action', 'is not distinct from', row.action)
      .execute();
  }
  if (wanted.size === 0) return;
  await tables(executor)
    .insertInto('role_permission')
    .values([...wanted.values()].map(({ resource, action }) => ({ role_uuid: roleUuid, resource, action })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
