// Sign-in at an identity provider. All of a sign-in's values are derived from a secret in a cookie in the browser that
// started the sign-in, so no other browser can continue it. The platform stores the secret's hash, which is consumed
// when the browser returns.
import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../kernel/actor.ts';
import { requireFound } from '../../../kernel/errors.ts';
import { randomToken } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { openSession } from '../credentials/open-session.ts';
import { isTokenText, sha256, type OpenedSession, type Sessions } from '../credentials/sessions.ts';
import type { ProviderRow } from '../tables.ts';
import { isSignInFailure, reasonOf, type ProviderClient, type SignInSecrets } from '../providers/client.ts';
import { DEFAULT_IDLE_S, loginSettingsOf, type LoginSettings } from '../providers/provider-settings.ts';
import type { ProviderSessions } from './provider-sessions.ts';
import type { Providers } from '../providers/service.ts';
import * as store from './store-sessions.ts';
import type { SignInClaims } from './sign-in-claims.ts';
import { SignInRejected } from '../providers/verify-token.ts';

/** Leaves time for a second factor. */
const SIGN_IN_LIFETIME_S = 10 * 60;

export interface ProviderSignInParts {
  readonly audit: AuditTrail;
  readonly providers: Pick<Providers, 'all'>;
  readonly sessions: Sessions;
  readonly client: ProviderClient;
  readonly claims: SignInClaims;
  readonly providerSessions: Pick<ProviderSessions, 'keep'>;
}

export interface BeginRequest {
  readonly redirectUri: string;
  readonly returnPath: string;
  /** Secret in the invitation that this sign-in accepts. */
  readonly invitation?: string;
}

export interface ReturnRequest {
  readonly name: string;
  /** Secret from this browser's cookie. */
  readonly token: string | undefined;
  /** URL to which the provider redirected the browser, with the code or the error. */
  readonly address: URL;
  readonly context: RequestContext;
  readonly previousSession: string | undefined;
}

export type ProviderSignIn = ReturnType<typeof createProviderSignIn>;

export function createProviderSignIn(platform: Platform, parts: ProviderSignInParts) {
  const { database, clock, log } = platform;
  const { providers, sessions, client, claims, providerSessions } = parts;

  /** Returns the names of the providers that users can sign in with. */
  const usable = async (): Promise<string[]> =>
    (await providers.all()).filter((provider) => loginSettingsOf(provider)).map(({ name }) => name);

  async function providerOf(name: string): Promise<{ provider: ProviderRow; login: LoginSettings }> {
    const provider = (await providers.all()).find((each) => each.name === name);
    const login = provider && loginSettingsOf(provider);
    return {
      provider: requireFound(login && provider, 'OAuth2 provider', name),
      login: requireFound(login, 'OAuth2 provider', name),
    };
  }

  /** Returns the secret for the browser's cookie, and the URL to redirect the browser to. */
  async function begin(name: string, facts: BeginRequest) {
    const { provider, login } = await providerOf(name);
    const token = randomToken();
    await store.insertSignIn(database.executor, {
      token_sha256: sha256(token),
      provider_name: name,
      return_path: facts.returnPath,
      expires_at: new Date(clock.now().getTime() + SIGN_IN_LIFETIME_S * 1000),
      invitation_sha256: facts.invitation === undefined ? null : sha256(facts.invitation),
    });
    const secrets = secretsOf(token);
    const url = await client.authorizationUrl(provider, { login, redirectUri: facts.redirectUri, secrets });
    return { token, url: url.href, lifetimeS: SIGN_IN_LIFETIME_S };
  }

  async function finish(
    back: ReturnRequest,
  ): Promise<{ readonly session: OpenedSession; readonly returnPath: string }> {
    const { name, token, address, context } = back;
    const begun = token && isTokenText(token) ? await store.claimSignIn(database.executor, sha256(token)) : undefined;
    if (!token || !begun || begun.provider_name !== name || begun.expires_at <= clock.now())
      throw new SignInRejected(
        'this browser has not started a sign-in at the provider, or the sign-in has expired or was already used',
      );
    const { provider, login } = await providerOf(name);
    const secrets = secretsOf(token);
    const tokens = await client.exchange(provider, { login, address, secrets });
    const invitationSha256 = begun.invitation_sha256 ?? undefined;
    const user = await claims.userOf({ provider, login, tokens, context, invitationSha256 });
    const session = await database.transaction(async (tx) => {
      const idleS = provider.settings.sessionMaxInactiveInterval ?? DEFAULT_IDLE_S;
      const { previousSession } = back;
      const how = { context, previousSession, openedWith: 'provider', idleS, provider: name } as const;
      const opened = await openSession(parts, tx, user, how);
      const facts = { token: opened.token.reveal(), userUuid: user.uuid, provider: name };
      await providerSessions.keep(tx, facts, tokens);
      return opened;
    });
    sessions.forget();
    return { session, returnPath: begun.return_path };
  }

  return {
    usable,
    begin,
    /**
     * Opens a session that replaces the browser's previous one. Throws `SignInRejected` on failure; the reason is
     * logged.
     */
    async finish(back: ReturnRequest) {
      try {
        return await finish(back);
      } catch (error) {
        if (!isSignInFailure(error)) throw error;
        const reason = reasonOf(error);
        log.warn({ provider: back.name, requestId: back.context.requestId, reason }, 'sign-in at a provider failed');
        throw new SignInRejected(reason, { cause: error });
      }
    },
  };
}

/** Derives each secret with a separate hash, so that the state in a URL reveals nothing about the others. */
function secretsOf(token: string): SignInSecrets {
  const derived = (use: string) => createHash('sha256').update(`${use} ${token}`).digest('base64url');
  return { state: derived('state'), nonce: derived('nonce'), codeVerifier: derived('code verifier') };
}
