// Queries for users and their roles.
import { sql } from 'kysely';
import type { Belonging } from '../../../kernel/belonging.ts';
import { hotStatement, runHot, type Executor } from '../../../platform/database/database.ts';
import { findMemberships } from '../../groups/index.ts';
import type { ObjectPermissionRow, PermissionRow } from '../permissions/permission-rows.ts';
import type { IdentityTables, RoleRow, UserRow } from '../tables.ts';

const tables = (executor: Executor) => executor.withTables<IdentityTables>();

export const findAll = (executor: Executor): Promise<UserRow[]> =>
  tables(executor).selectFrom('platform_user').selectAll().orderBy('username').execute();

export const findOne = (executor: Executor, uuid: string): Promise<UserRow | undefined> =>
  tables(executor).selectFrom('platform_user').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const findByUsername = (executor: Executor, username: string): Promise<UserRow | undefined> =>
  tables(executor).selectFrom('platform_user').selectAll().where('username', '=', username).executeTakeFirst();

export const findByFingerprint = (executor: Executor, fingerprint: string): Promise<UserRow | undefined> =>
  tables(executor)
    .selectFrom('platform_user')
    .selectAll()
    .where('certificate_fingerprint', '=', fingerprint)
    .executeTakeFirst();

/** Finds the users who sign in with one of these certificates; each result includes the certificate. */
export const findByCertificates = (executor: Executor, certificateUuids: readonly string[]) =>
  tables(executor)
    .selectFrom('platform_user')
    .select(['uuid', 'username', 'enabled', 'certificate_uuid as certificateUuid'])
    .where('certificate_uuid', '=', sql<string>`ANY(${certificateUuids}::uuid[])`)
    .$narrowType<{ certificateUuid: string }>()
    .execute();

export const findByRole = (executor: Executor, roleUuid: string): Promise<UserRow[]> =>
  tables(executor)
    .selectFrom('user_role as ur')
    .innerJoin('platform_user as u', 'u.uuid', 'ur.user_uuid')
    .selectAll('u')
    .where('ur.role_uuid', '=', roleUuid)
    .orderBy('u.username')
    .execute();

/** Returns the identifiers and usernames of the existing users. */
export const findNames = (executor: Executor, uuids?: readonly string[]) =>
  tables(executor)
    .selectFrom('platform_user')
    .select(['uuid', 'username'])
    .$if(uuids !== undefined, (query) => query.where('uuid', '=', sql<string>`ANY(${uuids ?? []}::uuid[])`))
    .orderBy('username')
    .execute();

/** Returns the enabled non-system users among the given users or among the users who have a role. */
export async function findActive(
  executor: Executor,
  among: { readonly userUuids: readonly string[] } | { readonly roleUuid: string },
): Promise<string[]> {
  const query = tables(executor)
    .selectFrom('platform_user as u')
    .select('u.uuid')
    .where('u.enabled', '=', true)
    .where('u.is_system', '=', false);
  const narrowed =
    'userUuids' in among
      ? query.where('u.uuid', '=', sql<string>`ANY(${among.userUuids}::uuid[])`)
      : query.innerJoin('user_role as ur', 'ur.user_uuid', 'u.uuid').where('ur.role_uuid', '=', among.roleUuid);
  return (await narrowed.execute()).map(({ uuid }) => uuid);
}

/** Returns the enabled users with their full names, or usernames if the full name is unknown. */
export async function findPeople(executor: Executor, uuids: readonly string[]) {
  const rows = await tables(executor)
    .selectFrom('platform_user')
    .select(['uuid', 'username', 'first_name', 'last_name', 'email'])
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .where('enabled', '=', true)
    .execute();
  return rows.map(({ uuid, username, first_name: first, last_name: last, email }) => ({
    uuid,
    name: first && last ? `${first} ${last}` : username,
    email,
  }));
}

export async function insert(executor: Executor, row: UserRow): Promise<void> {
  await tables(executor).insertInto('platform_user').values(row).execute();
}

/** Inserts a system user unless it exists; another node may be inserting the same user concurrently. */
export async function insertMissing(executor: Executor, row: UserRow): Promise<void> {
  await tables(executor)
    .insertInto('platform_user')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export type UserChanges = Partial<Omit<UserRow, 'uuid' | 'username' | 'is_system' | 'created_at'>>;

export async function update(executor: Executor, uuid: string, changes: UserChanges): Promise<void> {
  await tables(executor).updateTable('platform_user').set(changes).where('uuid', '=', uuid).execute();
}

export async function remove(executor: Executor, uuid: string): Promise<void> {
  await tables(executor).deleteFrom('platform_user').where('uuid', '=', uuid).execute();
}

export const rolesOf = (executor: Executor, userUuid: string): Promise<RoleRow[]> =>
  tables(executor)
    .selectFrom('user_role as ur')
    .innerJoin('role as r', 'r.uuid', 'ur.role_uuid')
    .selectAll('r')
    .where('ur.user_uuid', '=', userUuid)
    .orderBy('r.name')
    .execute();

/** Leaves existing pairs unchanged. */
export async function addRoles(
  executor: Executor,
  pairs: readonly { userUuid: string; roleUuid: string }[],
): Promise<void> {
  if (pairs.length === 0) return;
  await tables(executor)
    .insertInto('user_role')
    .values(pairs.map(({ userUuid, roleUuid }) => ({ user_uuid: userUuid, role_uuid: roleUuid })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function removeRole(executor: Executor, pair: { userUuid: string; roleUuid: string }): Promise<void> {
  await tables(executor)
    .deleteFrom('user_role')
    .where('user_uuid', '=', pair.userUuid)
    .where('role_uuid', '=', pair.roleUuid)
    .execute();
}

/** Serializes changes to users and roles by locking the row of the role without which the platform cannot operate. */
export async function lockAdministration(executor: Executor): Promise<void> {
  await sql`SELECT 1 FROM role WHERE name = 'superadmin' AND is_system FOR NO KEY UPDATE`.execute(executor);
}

/** Enabled non-system users whose roles grant all permissions. */
const administrators = (executor: Executor) =>
  tables(executor)
    .selectFrom('platform_user as u')
    .where('u.enabled', '=', true)
    .where('u.is_system', '=', false)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('user_role as ur')
          .innerJoin('role_permission as p', 'p.role_uuid', 'ur.role_uuid')
          .select('ur.role_uuid')
          .whereRef('ur.user_uuid', '=', 'u.uuid')
          .where('p.resource', 'is', null)
          .where('p.action', 'is', null),
      ),
    );

export async function countAdministrators(executor: Executor): Promise<number> {
  const row = await administrators(executor)
    .select((eb) => eb.fn.countAll<number>().as('administrators'))
    .executeTakeFirstOrThrow();
  return row.administrators;
}

/** Returns the administrator with this name or, if there is none, the oldest administrator. */
export const findAdministrator = (executor: Executor, preferred: string): Promise<UserRow | undefined> =>
  administrators(executor)
    .selectAll('u')
    .orderBy((eb) => eb('u.username', '=', preferred), 'desc')
    .orderBy('u.created_at')
    .orderBy('u.uuid')
    .executeTakeFirst();

/** Returns whether there are any non-system users. */
export async function hasOrdinaryUsers(executor: Executor): Promise<boolean> {
  const row = await tables(executor)
    .selectFrom('platform_user')
    .select('uuid')
    .where('is_system', '=', false)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Users have no owner, only groups. */
export async function findBelongings(executor: Executor, uuids: readonly string[]): Promise<Belonging[]> {
  const memberships = await findMemberships(executor, 'users', uuids);
  const there = await tables(executor)
    .selectFrom('platform_user')
    .select('uuid')
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();
  const groups = Map.groupBy(memberships, ({ object_uuid }) => object_uuid);
  return there.map(({ uuid }) => ({
    uuid,
    ownerUuid: null,
    groupUuids: (groups.get(uuid) ?? []).map((group) => group.uuid),
  }));
}

export interface IdentityRow {
  readonly uuid: string;
  readonly username: string;
  readonly enabled: boolean;
  readonly is_system: boolean;
  readonly permissions: readonly PermissionRow[];
  readonly object_permissions: readonly ObjectPermissionRow[];
}

// Index lookups: the user by primary key, role rows by (user_uuid, role_uuid) and (role_uuid, …).
const identityOf = hotStatement(
  'identity_of_user',
  `SELECT u.uuid, u.username, u.enabled, u.is_system,
     coalesce((SELECT json_agg(json_build_object('resource', p.resource, 'action', p.action))
       FROM user_role ur JOIN role_permission p ON p.role_uuid = ur.role_uuid WHERE ur.user_uuid = u.uuid), '[]'::json) AS permissions,
     coalesce((SELECT json_agg(json_build_object('resource', p.resource, 'object_uuid', p.object_uuid, 'action', p.action, 'denied', p.denied))
       FROM user_role ur JOIN role_object_permission p ON p.role_uuid = ur.role_uuid WHERE ur.user_uuid = u.uuid), '[]'::json) AS object_permissions
   FROM platform_user u WHERE u.uuid = $1`,
);

/** Returns a user with the permission rows of all roles of the user. Every authenticated request needs them. */
export async function findIdentity(executor: Executor, uuid: string): Promise<IdentityRow | undefined> {
  const [row] = await runHot<IdentityRow>(executor, identityOf, [uuid]);
  return row;
}
