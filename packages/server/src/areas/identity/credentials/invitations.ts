// Administrators create and revoke invitations here. A user has at most one invitation; a new one replaces it.
import type { Invitation } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, requireFound, rejected } from '../../../kernel/errors.ts';
import { newUuid, randomToken } from '../../../kernel/ids.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { InvitationRow } from '../tables.ts';
import { requireChangeableUser, type Administration } from '../users/administration.ts';
import * as users from '../users/store.ts';
import { callerOf, type AccessTokens } from './access-tokens.ts';
import { sha256 } from './sessions.ts';
import * as store from './store-invitations.ts';

export interface IssuedInvitation {
  readonly row: InvitationRow;
  /** The link's path, relative to the platform's URL; contains the secret. */
  readonly path: Secret;
}

export interface InvitationsParts {
  readonly audit: AuditTrail;
  readonly administration: Pick<Administration, 'accessibleUser'>;
  readonly accessTokens: Pick<AccessTokens, 'opensSessions'>;
  readonly lifetimeMs: number;
}

export type Invitations = ReturnType<typeof createInvitations>;

export function createInvitations(platform: Platform, parts: InvitationsParts) {
  const { database, clock, limits } = platform;
  const { audit, administration, accessTokens, lifetimeMs } = parts;

  async function list(userUuid: string): Promise<Invitation[]> {
    requireFound(await users.findOne(database.executor, userUuid), 'User', userUuid);
    return (await store.findByUser(database.executor, userUuid, clock.now())).map(presentInvitation);
  }

  async function issue(userUuid: string, context: RequestContext): Promise<IssuedInvitation> {
    const caller = callerOf(context);
    // The new passkey would outlive this request's credential.
    if (caller.uuid === userUuid.toLowerCase() && !(await accessTokens.opensSessions(context)))
      throw new AppError('credential_not_accepted', {
        what: 'An invitation for yourself',
        accepted: 'a browser session or the token in the run file',
      });
    await limits.newCredentials.take(caller.uuid);
    const token = randomToken();
    const now = clock.now();
    const row = await database.transaction(async (tx) => {
      const user = await administration.accessibleUser(tx, userUuid, context);
      if (!user.enabled) throw rejected(`User ${user.username} is disabled; enable the user before inviting them.`);
      const invitation: InvitationRow = {
        uuid: newUuid(),
        user_uuid: user.uuid,
        token_sha256: sha256(token),
        created_by: caller.username,
        created_at: now,
        expires_at: new Date(now.getTime() + lifetimeMs),
      };
      await store.replace(tx, invitation);
      await audit.append(tx, context, {
        objects: [{ uuid: user.uuid, name: user.username }],
        data: { invitation: { uuid: invitation.uuid, expiresAt: invitation.expires_at.toISOString() } },
      });
      return invitation;
    });
    return { row, path: new Secret(`/invitation/${token}`) };
  }

  async function revoke(userUuid: string, uuid: string, context: RequestContext): Promise<void> {
    await database.transaction(async (tx) => {
      const user = await requireChangeableUser(tx, userUuid, context);
      const row = requireFound(await store.remove(tx, { userUuid: user.uuid, uuid }), 'Invitation', uuid);
      await audit.append(tx, context, {
        objects: [{ uuid: user.uuid, name: user.username }],
        data: { invitation: { uuid: row.uuid } },
      });
    });
  }

  return { list, issue, revoke };
}

export const presentInvitation = (row: InvitationRow): Invitation => ({
  uuid: row.uuid,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by ?? undefined,
  expiresAt: row.expires_at.toISOString(),
});
