// Roles assigned to a user.
import type { RoleDto, UserDetailDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { roles } from '../permissions/store-roles.ts';
import type { RoleRow, UserRow } from '../tables.ts';
import {
  assertMayAssignRoles,
  assertMayRemoveRoles,
  requireChangeableUser,
  type Administration,
} from './administration.ts';
import { presentUserDetail } from './present.ts';
import * as store from './store.ts';

export type UserRoles = ReturnType<typeof createUserRoles>;

interface UserRolesParts {
  readonly audit: AuditTrail;
  readonly administration: Administration;
}

export function createUserRoles({ database }: Platform, parts: UserRolesParts) {
  const { administration } = parts;

  async function detail(userUuid: string): Promise<UserDetailDto> {
    const row = await store.findOne(database.executor, userUuid);
    if (!row) throw notFound('User', userUuid);
    return presentUserDetail(database.executor, row);
  }

  const list = async (userUuid: string): Promise<RoleDto[]> => (await detail(userUuid)).roles;

  /** Replaces all roles of the user. */
  async function replace(
    userUuid: string,
    change: { readonly roleUuids: readonly string[]; readonly context: RequestContext },
  ): Promise<UserDetailDto> {
    const { roleUuids, context } = change;
    await administration.change(async (tx) => {
      const user = await requireChangeableUser(tx, userUuid, context);
      const wanted = await allRoles(tx, roleUuids);
      const held = await store.rolesOf(tx, userUuid);
      const added = without(wanted, held);
      const removed = without(held, wanted);
      await apply(parts, tx, { user, added, removed, context });
    });
    return detail(userUuid);
  }

  async function add(
    userUuid: string,
    change: { readonly roleUuid: string; readonly context: RequestContext },
  ): Promise<UserDetailDto> {
    await administration.change(async (tx) => {
      const user = await requireChangeableUser(tx, userUuid, change.context);
      const added = without(await allRoles(tx, [change.roleUuid]), await store.rolesOf(tx, userUuid));
      await apply(parts, tx, { user, added, removed: [], context: change.context });
    });
    return detail(userUuid);
  }

  /** Removing a role that the user does not have has no effect. */
  async function remove(
    userUuid: string,
    change: { readonly roleUuid: string; readonly context: RequestContext },
  ): Promise<UserDetailDto> {
    await administration.change(async (tx) => {
      const user = await requireChangeableUser(tx, userUuid, change.context);
      const unwanted = await allRoles(tx, [change.roleUuid]);
      const held = await store.rolesOf(tx, userUuid);
      await apply(parts, tx, {
        user,
        added: [],
        removed: held.filter(({ uuid }) => unwanted.some((role) => role.uuid === uuid)),
        context: change.context,
      });
    });
    return detail(userUuid);
  }

  return { list, replace, add, remove };
}

interface RoleChange {
  readonly user: UserRow;
  readonly added: readonly RoleRow[];
  readonly removed: readonly RoleRow[];
  readonly context: RequestContext;
}

async function apply(
  { audit, administration }: UserRolesParts,
  tx: Executor,
  { user, added, removed, context }: RoleChange,
): Promise<void> {
  const changed = [...added, ...removed];
  if (changed.length === 0) return;
  await assertMayAssignRoles(tx, changed, context);
  await assertMayRemoveRoles(tx, removed, context);
  await administration.assertPrivilegesHeld(tx, { roleUuids: added.map(({ uuid }) => uuid), groupUuids: [] }, context);
  await store.addRoles(
    tx,
    added.map((role) => ({ userUuid: user.uuid, roleUuid: role.uuid })),
  );
  for (const role of removed) await store.removeRole(tx, { userUuid: user.uuid, roleUuid: role.uuid });
  await audit.append(tx, context, {
    objects: [{ uuid: user.uuid, name: user.username }],
    affiliated: { resource: 'roles', objects: changed.map(({ uuid, name }) => ({ uuid, name })) },
  });
}

/** Returns the roles with these identifiers; throws if one does not exist. */
async function allRoles(tx: Executor, uuids: readonly string[]): Promise<RoleRow[]> {
  const rows = await roles.findMany(tx, uuids);
  const missing = uuids.find((uuid) => !rows.some((row) => row.uuid === uuid.toLowerCase()));
  if (missing !== undefined) throw notFound('Role', missing);
  return rows;
}

const without = (rows: readonly RoleRow[], others: readonly RoleRow[]): RoleRow[] =>
  rows.filter(({ uuid }) => !others.some((other) => other.uuid === uuid));
