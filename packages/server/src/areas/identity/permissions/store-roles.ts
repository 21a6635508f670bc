// Queries for roles.
import type { Executor } from '../../../platform/database/database.ts';
import { namedObjects } from '../../../platform/objects/named-objects.ts';
import type { IdentityTables, RoleRow } from '../tables.ts';

const tables = (executor: Executor) => executor.withTables<IdentityTables>();

export const roles = namedObjects<RoleRow>({ what: 'Role', table: 'role' });

/** Returns the given roles that allow everything. */
export async function findUnrestrictedRoles(executor: Executor, roleUuids: readonly string[]): Promise<RoleRow[]> {
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
