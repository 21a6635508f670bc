// Queries for permission rows of roles.
import type { Resource } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { IdentityTables, RoleRow } from '../tables.ts';
import type { ObjectPermissionRow, PermissionRow } from './permission-rows.ts';
import type { GrantingRole } from './effective.ts';

const tables = (executor: Executor) => executor.withTables<IdentityTables>();

/** Both kinds of permission rows, of one role or of all roles of a user. */
export interface PermissionRows {
  readonly rows: readonly PermissionRow[];
  readonly objectRows: readonly ObjectPermissionRow[];
}

export async function findByRole(executor: Executor, roleUuid: string): Promise<PermissionRows> {
  const rows = await tables(executor)
    .selectFrom('role_permission')
    .select(['resource', 'action'])
    .where('role_uuid', '=', roleUuid)
    .execute();
  const objectRows = await tables(executor)
    .selectFrom('role_object_permission')
    .select(['resource', 'object_uuid', 'action', 'denied'])
    .where('role_uuid', '=', roleUuid)
    .execute();
  return { rows, objectRows };
}

/** Returns the rows of all roles of a user; overlapping roles result in repeated rows. */
export async function findByUser(executor: Executor, userUuid: string): Promise<PermissionRows> {
  const rows = await tables(executor)
    .selectFrom('user_role as ur')
    .innerJoin('role_permission as p', 'p.role_uuid', 'ur.role_uuid')
    .select(['p.resource', 'p.action'])
    .where('ur.user_uuid', '=', userUuid)
    .execute();
  const objectRows = await tables(executor)
    .selectFrom('user_role as ur')
    .innerJoin('role_object_permission as p', 'p.role_uuid', 'ur.role_uuid')
    .select(['p.resource', 'p.object_uuid', 'p.action', 'p.denied'])
    .where('ur.user_uuid', '=', userUuid)
    .execute();
  return { rows, objectRows };
}

/** Returns the given roles, each with its permission rows. */
export const withRows = (executor: Executor, roles: readonly RoleRow[]): Promise<GrantingRole[]> =>
  Promise.all(roles.map(async ({ uuid, name }) => ({ role: { uuid, name }, ...(await findByRole(executor, uuid)) })));

/** Replaces a role's rows on whole resources; leaves unchanged rows untouched. */
export async function replaceForRole(
  executor: Executor,
  roleUuid: string,
  rows: readonly PermissionRow[],
): Promise<void> {
  const key = (row: PermissionRow) => `${row.resource ?? ''} ${row.action ?? ''}`;
  const wanted = new Map(rows.map((row) => [key(row), row]));
  for (const row of (await findByRole(executor, roleUuid)).rows) {
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

/** A resource's objects on which a role has rows; all such objects if none are specified. */
export interface RoleObjects {
  readonly roleUuid: string;
  readonly resource: Resource;
  readonly objectUuids?: readonly string[];
}

/** Replaces a role's rows on these objects. */
export async function replaceForObjects(
  executor: Executor,
  { roleUuid, resource, objectUuids }: RoleObjects,
  rows: readonly ObjectPermissionRow[],
): Promise<void> {
  await tables(executor)
    .deleteFrom('role_object_permission')
    .where('role_uuid', '=', roleUuid)
    .where('resource', '=', resource)
    .$if(objectUuids !== undefined, (query) =>
      query.where('object_uuid', '=', sql<string>`ANY(${objectUuids}::uuid[])`),
    )
    .execute();
  if (rows.length === 0) return;
  await sql`
    INSERT INTO role_object_permission (role_uuid, resource, object_uuid, action, denied)
    SELECT ${roleUuid}::uuid, resource, object_uuid, action, denied
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (resource text, object_uuid uuid, action text, denied boolean)`.execute(
    executor,
  );
}
