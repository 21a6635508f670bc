// Guards all changes to users and roles. Changes are serialized, an enabled administrator always remains, and callers
// cannot change an account or assign a role that has permissions they lack.
import type { RequestContext } from '../../../kernel/actor.ts';
import { notFound, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findMemberships } from '../../groups/index.ts';
import { mergePermissions } from '../permissions/permission-rows.ts';
import { assertHeld, permissionsDeniedBy } from '../permissions/held.ts';
import * as permissions from '../permissions/store.ts';
import { assertUnscoped } from '../permissions/assert-unscoped.ts';
import type { Privileges, PrivilegeHolder } from '../ports.ts';
import type { RoleRow, UserRow } from '../tables.ts';
import * as users from './store.ts';

export type Administration = ReturnType<typeof createAdministration>;

/** `forget` clears the user data that this node has cached. */
export function createAdministration(platform: Platform, forget: () => void) {
  const powers: Privileges[] = [];

  /** Runs a change in its own transaction and clears the user data that this node has cached. */
  async function change<Result>(work: (tx: Executor) => Promise<Result>): Promise<Result> {
    const result = await platform.database.transaction(async (tx) => {
      await users.lockAdministration(tx);
      const before = await users.countAdministrators(tx);
      const outcome = await work(tx);
      // If there was no administrator before (for example, before the first one is created), there is none to lose.
      if (before > 0 && (await users.countAdministrators(tx)) === 0) {
        throw rejected(
          'This change would leave the platform without an enabled administrator. Make another user an administrator first.',
        );
      }
      return outcome;
    });
    forget();
    return result;
  }

  /**
   * Rejects the request unless the caller has the powers that these roles and groups or the account confer in addition
   * to permissions.
   */
  async function assertPrivilegesHeld(tx: Executor, of: PrivilegeHolder, context: RequestContext): Promise<void> {
    for (const power of powers) await power.assertHeld(tx, of, context);
  }

  return {
    change,
    /** Areas in higher tiers call this while they are being created. */
    registerPowers: (power: Privileges): void => void powers.push(power),
    assertPrivilegesHeld,
    /**
     * Returns the user if the caller can create a way to sign in as that user, such as an invitation, a certificate or
     * an identity.
     */
    async accessibleUser(tx: Executor, uuid: string, context: RequestContext): Promise<UserRow> {
      const user = await requireChangeableUser(tx, uuid, context);
      if (user.uuid === context.actor.userUuid) return user;
      const roles = await users.rolesOf(tx, user.uuid);
      const groups = await findMemberships(tx, 'users', [user.uuid]);
      const of = { roleUuids: roles.map((role) => role.uuid), groupUuids: groups.map((group) => group.uuid) };
      await assertPrivilegesHeld(tx, { userUuid: user.uuid, ...of }, context);
      return user;
    },
  };
}

/**
 * Returns the user if the caller can change it, meaning that it is not a system user and has no permissions that the
 * caller lacks.
 */
export async function requireChangeableUser(tx: Executor, uuid: string, context: RequestContext): Promise<UserRow> {
  const user = await users.findOne(tx, uuid);
  if (!user) throw notFound('User', uuid);
  if (user.is_system) throw rejected(`User ${user.username} belongs to the platform and cannot be changed.`);
  if (user.uuid === context.actor.userUuid) {
    assertUnscoped(context);
    return user;
  }
  const { rows, objectRows } = await permissions.findByUser(tx, uuid);
  assertHeld(context, mergePermissions(rows, objectRows), `user ${user.username}`);
  return user;
}

/** Rejects assigning, editing or deleting roles with permissions that the caller does not have. */
export async function assertMayAssignRoles(
  tx: Executor,
  roles: readonly RoleRow[],
  context: RequestContext,
): Promise<void> {
  for (const { name, permissions: granted } of await permissionsOf(tx, roles))
    assertHeld(context, granted, `role ${name}`);
}

/** Rejects removing roles that deny something that the caller is not permitted to do. */
export async function assertMayRemoveRoles(
  tx: Executor,
  roles: readonly RoleRow[],
  context: RequestContext,
): Promise<void> {
  for (const { name, permissions: granted } of await permissionsOf(tx, roles))
    assertHeld(context, permissionsDeniedBy(granted), `role ${name}`);
}

const permissionsOf = async (tx: Executor, roles: readonly RoleRow[]) =>
  (await permissions.withRows(tx, roles)).map(({ role, rows, objectRows }) => ({
    name: role.name,
    permissions: mergePermissions(rows, objectRows),
  }));
