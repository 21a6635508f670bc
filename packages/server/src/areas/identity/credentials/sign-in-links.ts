// One-time links that open a browser session. They are valid for 15 minutes and are consumed by the first sign-in. The
// session does not end with the credential that created the link, so creating a link requires a session or the token in
// the run file. A client certificate is not sufficient: the session would outlive the certificate's revocation, and a
// browser that has the certificate needs no link.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, rejected } from '../../../kernel/errors.ts';
import { randomToken } from '../../../kernel/ids.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Platform } from '../../../platform/platform.ts';
import * as users from '../users/store.ts';
import { callerOf, type AccessTokens } from './access-tokens.ts';
import { openSession, type OpenSessionParts, type SignInRequest } from './open-session.ts';
import { isTokenText, sha256, type OpenedSession } from './sessions.ts';
import * as store from './store.ts';

const SIGN_IN_LINK_LIFETIME_MS = 15 * 60 * 1000;

export interface IssuedLink {
  /** Path of the link, relative to the platform URL; contains the secret. */
  readonly path: Secret;
  readonly expiresAt: Date;
}

export interface SignInLinksParts extends OpenSessionParts {
  readonly accessTokens: Pick<AccessTokens, 'opensSessions'>;
}

export type SignInLinks = ReturnType<typeof createSignInLinks>;

export function createSignInLinks(platform: Platform, parts: SignInLinksParts) {
  const { database, clock, limits } = platform;
  const { audit, sessions, accessTokens } = parts;

  async function issue(user: { readonly username: string }, context: RequestContext): Promise<IssuedLink> {
    const { userUuid } = context.actor;
    if (userUuid !== null) await limits.newCredentials.take(userUuid);
    const token = randomToken();
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + SIGN_IN_LINK_LIFETIME_MS);
    await database.transaction(async (tx) => {
      const row = await users.findByUsername(tx, user.username);
      if (!row?.enabled || row.is_system) {
        throw rejected(`${user.username} cannot sign in: no enabled user has this name.`);
      }
      const facts = { user_uuid: row.uuid, created_at: now, expires_at: expiresAt };
      await store.insertSignInLink(tx, { token_sha256: sha256(token), ...facts });
      await audit.append(tx, context, {
        facts: { module: 'auth', resource: 'users', operation: 'create' },
        objects: [{ uuid: row.uuid, name: row.username }],
        data: { signInLink: { expiresAt: expiresAt.toISOString() } },
      });
    });
    return { path: new Secret(`/sign-in/${token}`), expiresAt };
  }

  async function issueOwn(context: RequestContext): Promise<IssuedLink> {
    const caller = callerOf(context);
    if (await accessTokens.opensSessions(context)) return issue(caller, context);
    throw new AppError('credential_not_accepted', {
      what: 'A sign-in link',
      accepted: 'a browser session or the token in the run file (`signetry sign-in` on the platform host)',
    });
  }

  /** Returns whether the link can currently be used. Reading it does not consume it. */
  const isOpen = async (token: string): Promise<boolean> =>
    isTokenText(token) && store.hasSignInLink(database.executor, { tokenSha256: sha256(token), now: clock.now() });

  /**
   * Consumes the link and opens a session; returns undefined if the link was used or has expired, or if its user cannot
   * sign in.
   */
  async function redeem(token: string, signingIn: SignInRequest): Promise<OpenedSession | undefined> {
    if (!isTokenText(token)) return undefined;
    const link = { tokenSha256: sha256(token), now: clock.now() };
    const opened = await database.transaction(async (tx) => {
      const userUuid = await store.claimSignInLink(tx, link);
      const user = userUuid === undefined ? undefined : await users.findOne(tx, userUuid);
      return user?.enabled ? openSession(parts, tx, user, { ...signingIn, openedWith: 'signInLink' }) : undefined;
    });
    sessions.forget();
    return opened;
  }

  return { issue, issueOwn, isOpen, redeem };
}
