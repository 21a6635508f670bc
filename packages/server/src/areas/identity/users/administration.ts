// Guards every change of users and roles: one change at a time, an enabled administrator always remains, and nobody
// changes an account or hands out a role with rights over everything without having those rights.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { mergePermissions } from '../permissions/domain.ts';
import * as permissions from '../permissions/store.ts';
import { allowingEverything } from '../permissions/store-roles.ts';
import { assertWholeRights } from '../permissions/whole-rights.ts';
import type { UserRow } from '../tables.ts';
import * as users from './store.ts';

export type Administration = ReturnType<typeof createAdministration>;

export function createAdministration(platform: Platform, parts: { readonly forget: () => void }) {
  /** Runs a change in a transaction of its own and makes this node forget what it knew about users. */
  async function change<Result>(work: (tx: Executor) => Promise<Result>): Promise<Result> {
    const result = await platform.database.transaction(async (tx) => {
      await users.lockAdministration(tx);
      const before = await users.countAdministrators(tx);
      const outcome = await work(tx);
      // Where there never was one, e.g. before the first administrator, there is none to lose.
      if (before > 0 && (await users.countAdministrators(tx)) === 0) {
        throw rejected(
          'This would leave the platform without an enabled administrator; make another user an administrator first.',
        );
      }
      return outcome;
    });
    parts.forget();
    return result;
  }

  return { change };
}

/** The user, if the caller may change it: not one of the platform's own, and not above the caller. */
export async function changeableUser(tx: Executor, uuid: string, context: RequestContext): Promise<UserRow> {
  const user = await users.findOne(tx, uuid);
  if (!user) throw notFound('User', uuid);
  if (user.is_system) throw rejected(`User ${user.username} belongs to the platform and cannot be changed.`);
  if (user.uuid === context.actor.userUuid) {
    assertWholeRights(context);
    return user;
  }
  if (context.actor.permissions.allowAllResources) return user;
  const { rows } = await permissions.ofUser(tx, uuid);
  if (mergePermissions(rows).allowAllResources) throw lacksRightsOver(user.username);
  return user;
}

/** Refuses to hand out or take away roles that allow everything, unless the caller may do everything. */
export async function assertMayHandOut(
  tx: Executor,
  roleUuids: readonly string[],
  context: RequestContext,
): Promise<void> {
  if (context.actor.permissions.allowAllResources) return;
  const [role] = await allowingEverything(tx, roleUuids);
  if (role) throw lacksRightsOver(role.name);
}

export const lacksRightsOver = (name: string) =>
  new AppError('access_denied', { resource: 'ANY', action: 'ANY', name });
