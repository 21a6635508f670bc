// Invitation acceptance: the user registers a passkey and is signed in. Each invitation can be accepted only once.
// Opening the link does not consume the invitation, because mail scanners fetch URLs automatically.
import type { PasskeyCreationOptions, PasskeyRequest } from '@signetry/contract';
import type { Platform } from '../../../platform/platform.ts';
import type { InvitationRow, UserRow } from '../tables.ts';
import * as users from '../users/store.ts';
import { failedSignIns } from './failed-sign-ins.ts';
import { asUser, openSession, type OpenSessionParts, type SignInRequest } from './open-session.ts';
import type { PasskeyRegistration } from './passkey-registration.ts';
import { isTokenText, sha256, type OpenedSession } from './sessions.ts';
import * as store from './store-invitations.ts';

/** Usable invitation and the invited user. */
export interface OpenInvitation {
  readonly row: InvitationRow;
  readonly user: UserRow;
}

export interface InvitationAcceptanceParts extends OpenSessionParts {
  readonly registration: PasskeyRegistration;
}

export type InvitationAcceptance = ReturnType<typeof createInvitationAcceptance>;

export function createInvitationAcceptance(platform: Platform, parts: InvitationAcceptanceParts) {
  const { database, clock, limits } = platform;
  const { audit, sessions, registration } = parts;

  /** Returns the invitation for a link, if it can currently be used. */
  async function find(token: string): Promise<OpenInvitation | undefined> {
    if (!isTokenText(token)) return undefined;
    const row = await store.find(database.executor, { tokenSha256: sha256(token), now: clock.now() });
    const user = row && (await users.findOne(database.executor, row.user_uuid));
    return row && user?.enabled ? { row, user } : undefined;
  }

  const start = ({ row, user }: OpenInvitation, origin: string): Promise<PasskeyCreationOptions> =>
    registration.start({ user, origin, invitationUuid: row.uuid });

  /**
   * Registers the passkey, consumes the invitation and opens a session; returns undefined if the invitation has been
   * used in the meantime or its user can no longer sign in.
   */
  async function accept(
    { row, user: invited }: OpenInvitation,
    request: PasskeyRequest,
    { origin, ...signingIn }: SignInRequest & { readonly origin: string },
  ): Promise<OpenedSession | undefined> {
    const registrant = { user: invited, origin, invitationUuid: row.uuid };
    const failed = failedSignIns(limits, invited.uuid, signingIn);
    await failed.assertFew();
    const made = await registration.verify(request, registrant).catch(async (error: unknown) => {
      // Challenges are removed with their invitation: a concurrent response may have been first.
      if (!(await store.find(database.executor, { tokenSha256: row.token_sha256, now: clock.now() }))) return undefined;
      await failed.count();
      throw error;
    });
    if (!made) return undefined;
    const opened = await database.transaction(async (tx) => {
      const taken = await store.claim(tx, { tokenSha256: row.token_sha256, now: clock.now() });
      const user = taken && (await users.findOne(tx, taken.user_uuid));
      if (!user?.enabled) return undefined;
      const passkey = await registration.insert(tx, made, { name: request.name, registrant });
      await audit.append(tx, asUser(signingIn.context, user), {
        facts: { module: 'auth', resource: 'users', operation: 'register' },
        objects: [{ uuid: user.uuid, name: user.username }],
        data: { passkey: { uuid: passkey.uuid, name: passkey.name }, invitation: { uuid: row.uuid } },
      });
      return openSession(parts, tx, user, { ...signingIn, openedWith: 'invitation', passkey });
    });
    sessions.forget();
    return opened;
  }

  return { find, start, accept };
}
