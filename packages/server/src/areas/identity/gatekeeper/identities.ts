// Users and their permissions, cached for a few seconds, because every authenticated request needs them. Changes on
// this node take effect immediately, changes on other nodes when the cache expires.
import type { Actor, AuthMethod, PermissionSet } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { Platform } from '../../../platform/platform.ts';
import { mergePermissions } from '../permissions/permission-rows.ts';
import type { SystemUsername } from '../users/system-accounts.ts';
import * as users from '../users/store.ts';

interface Identity {
  readonly uuid: string;
  readonly username: string;
  readonly enabled: boolean;
  readonly isSystem: boolean;
  readonly permissions: PermissionSet;
}

export type Identities = ReturnType<typeof createIdentities>;

export function createIdentities({ database, clock }: Platform) {
  const known = createExpiringCache({ clock, load: findIdentity });
  const uuids = createExpiringCache({
    clock,
    load: async (username: string) => (await users.findByUsername(database.executor, username))?.uuid,
  });

  async function findIdentity(uuid: string): Promise<Identity | undefined> {
    const row = await users.findIdentity(database.executor, uuid);
    return (
      row && {
        uuid: row.uuid,
        username: row.username,
        enabled: row.enabled,
        isSystem: row.is_system,
        permissions: mergePermissions(row.permissions, row.object_permissions),
      }
    );
  }

  /**
   * Returns the actor for an authenticated user. Rejects disabled users, and system users, which have no credentials.
   */
  async function actorOf(userUuid: string, authMethod: AuthMethod): Promise<Actor> {
    const identity = await known.get(userUuid);
    if (!identity || identity.isSystem)
      throw new AppError('unauthenticated', { reason: 'the credential belongs to no user' });
    if (!identity.enabled)
      throw new AppError('unauthenticated', { reason: `the user ${identity.username} is disabled` });
    return {
      type: 'user',
      authMethod,
      userUuid: identity.uuid,
      username: identity.username,
      permissions: identity.permissions,
    };
  }

  /** Returns the actor for a system user. Used by protocol servers, and for setup by a local caller. */
  async function systemActor(username: SystemUsername): Promise<Actor> {
    const uuid = await uuids.get(username);
    const identity = uuid === undefined ? undefined : await known.get(uuid);
    if (!identity?.isSystem)
      throw new Error(`System user ${username} is missing: the system accounts have not been set up.`);
    const type = username === 'localhost' ? 'core' : 'protocol';
    return { type, authMethod: 'userProxy', userUuid: identity.uuid, username, permissions: identity.permissions };
  }

  const forget = () => {
    known.invalidate();
    uuids.invalidate();
  };

  return { actorOf, systemActor, forget };
}
