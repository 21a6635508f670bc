// Sessions opened by an identity provider. The provider's tokens are stored sealed, renewed before they expire, and
// also used to end the session at the provider. The session ends when its tokens can no longer be renewed.
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { isAppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { SealedColumn } from '../../../platform/crypto/sealed-column.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { sha256, type Sessions } from '../credentials/sessions.ts';
import { deleteSession, endSignIns } from '../credentials/store.ts';
import type { ProviderRow, ProviderSessionRow } from '../tables.ts';
import * as users from '../users/store.ts';
import {
  isRejection,
  isSignInFailure,
  reasonOf,
  signOutUrl,
  type ReceivedTokens,
  type ProviderClient,
  type SessionTokens,
} from '../providers/client.ts';
import { DEFAULT_SKEW_S, loginSettingsOf } from '../providers/provider-settings.ts';
import { ProviderFault, type ProviderHttp } from '../providers/provider-http.ts';
import type { Providers } from '../providers/service.ts';
import * as store from './store-sessions.ts';
import type { SignInClaims } from './sign-in-claims.ts';
import { SignInRejected } from '../providers/verify-token.ts';

/** Longer than the timeout for provider calls. */
const RENEWAL_MS = 15_000;
/** Delay after a failed attempt. */
const RENEWAL_PAUSE_MS = 2_000;
const SIGN_OUT_QUEUE = 'provider-sign-outs';

const purpose = (uuid: string): string => `tokens of the session ${uuid}`;

export const sessionTokensColumn: SealedColumn = {
  table: 'provider_session',
  key: 'uuid',
  keyType: 'uuid',
  column: 'sealed_tokens',
  form: 'bytes',
  purpose: ({ uuid = '' }) => purpose(uuid),
};

export interface ProviderSessionsParts {
  readonly audit: AuditTrail;
  readonly providers: Pick<Providers, 'all'>;
  readonly sessions: Sessions;
  readonly client: ProviderClient;
  readonly http: ProviderHttp;
  readonly claims: SignInClaims;
}

interface Service extends ProviderSessionsParts {
  readonly platform: Platform;
}

export type ProviderSessions = ReturnType<typeof createProviderSessions>;

export function createProviderSessions(platform: Platform, parts: ProviderSessionsParts) {
  const { database, clock, jobs, sealer } = platform;
  const service: Service = { platform, ...parts };
  const known = createExpiringCache({
    clock,
    load: (hash: string) => store.findSession(database.executor, Buffer.from(hash, 'base64url')),
  });
  const renewals = new Map<string, Promise<boolean>>();

  /** Returns whether the provider still vouches for this session; true for sessions that no provider opened. */
  async function isAlive(token: string, context: () => RequestContext): Promise<boolean> {
    const row = await known.get(sha256(token).toString('base64url'));
    if (!row) return true;
    const provider = (await parts.providers.all()).find(({ name }) => name === row.provider_name);
    if (provider && !isDue(row, provider, clock.now())) return true;
    const pending =
      renewals.get(row.uuid) ??
      keepAlive(service, { row, provider, context: context() }).finally(() => {
        renewals.delete(row.uuid);
        known.invalidate();
      });
    renewals.set(row.uuid, pending);
    return pending;
  }

  /** Stores the tokens for a newly opened session. */
  async function storeTokens(
    tx: Executor,
    facts: { readonly token: string; readonly userUuid: string; readonly provider: string },
    tokens: ReceivedTokens,
  ): Promise<void> {
    const uuid = newUuid();
    await store.insertSession(tx, {
      uuid,
      session_sha256: sha256(facts.token),
      user_uuid: facts.userUuid,
      provider_name: facts.provider,
      ...sealedTokens(service, uuid, tokens),
      renewing_until: null,
      created_at: clock.now(),
    });
  }

  /**
   * Returns the URL at which the browser can end its session at the provider, in which case the platform does not end
   * the provider session itself.
   */
  async function claimSignOutUrl(tx: Executor, token: string): Promise<string | undefined> {
    const row = await store.claimSession(tx, sha256(token));
    const provider = row && (await parts.providers.all()).find(({ name }) => name === row.provider_name);
    if (!row || !provider) return undefined;
    return signOutUrl(provider, openTokens(sealer, row).idToken);
  }

  /**
   * Returns the origin that the browser is redirected to on sign-out, for the confirmation page's content security
   * policy.
   */
  async function signOutOrigin(token: string): Promise<string | undefined> {
    const row = await known.get(sha256(token).toString('base64url'));
    const provider = row && (await parts.providers.all()).find(({ name }) => name === row.provider_name);
    const address = provider && signOutUrl(provider, undefined);
    return address === undefined ? undefined : new URL(address).origin;
  }

  jobs.declare({ name: SIGN_OUT_QUEUE, schedule: '*/10 * * * *', handle: () => endAtProviders(service) });

  return {
    isAlive,
    keep: storeTokens,
    leave: claimSignOutUrl,
    signOutOrigin,
    forget: () => known.invalidate(),
  };
}

/**
 * Ends a user's sessions here and deletes the links that could open one; sessions at providers are ended after the
 * commit.
 */
export const endSignInsEverywhere =
  ({ jobs }: Pick<Platform, 'jobs'>) =>
  async (tx: Executor, userUuid: string): Promise<void> => {
    await endSignIns(tx, userUuid);
    if (await store.hasSessions(tx, userUuid)) await jobs.enqueue(tx, SIGN_OUT_QUEUE, {});
  };

function isDue({ access_expires_at: expiresAt }: ProviderSessionRow, { settings }: ProviderRow, now: Date): boolean {
  const skewMs = (settings.skew ?? DEFAULT_SKEW_S) * 1000;
  return expiresAt !== null && expiresAt.getTime() - skewMs <= now.getTime();
}

interface Renewal {
  readonly row: ProviderSessionRow;
  readonly provider: ProviderRow | undefined;
  readonly context: RequestContext;
}

/** Renews the tokens or ends the session; returns whether it continues. */
async function keepAlive(service: Service, { row, provider, context }: Renewal): Promise<boolean> {
  const { database, clock } = service.platform;
  const login = provider && loginSettingsOf(provider);
  if (!provider || !login) return end(service, row, 'the provider no longer supports sign-in');
  const now = clock.now();
  const dueAt = new Date(now.getTime() + (provider.settings.skew ?? DEFAULT_SKEW_S) * 1000);
  const until = new Date(now.getTime() + RENEWAL_MS);
  const claimed = await store.claimRenewal(database.executor, row.uuid, { now, until, dueAt });
  // A different request or node is renewing the tokens, or has already done so.
  if (!claimed) return true;
  const before = openTokens(service.platform.sealer, claimed);
  if (before.refreshToken === undefined) return postponeOrEnd(service, claimed, 'there is no refresh token');
  try {
    const tokens = await service.client.renew(provider, { login, refreshToken: before.refreshToken });
    await store.saveTokens(database.executor, row.uuid, sealedTokens(service, row.uuid, { ...before, ...tokens }));
    const earlier = before.idToken === undefined ? {} : { earlierIdToken: before.idToken };
    const user = await service.claims.userOf({ provider, login, tokens, context, ...earlier });
    return user.uuid === row.user_uuid || (await end(service, row, 'the renewed tokens belong to a different user'));
  } catch (error) {
    if (error instanceof SignInRejected || isRejection(error)) return end(service, row, reasonOf(error));
    if (!isSignInFailure(error) && !isAppError(error, 'unavailable')) throw error;
    return postponeOrEnd(service, claimed, reasonOf(error));
  }
}

/** Postpones the renewal while the access token is still valid; otherwise ends the session. */
async function postponeOrEnd(service: Service, row: ProviderSessionRow, reason: string): Promise<boolean> {
  const { clock, log, database } = service.platform;
  const hasTime = row.access_expires_at !== null && row.access_expires_at > clock.now();
  if (!hasTime) return end(service, row, reason);
  const until = new Date(clock.now().getTime() + RENEWAL_PAUSE_MS);
  await store.postponeRenewal(database.executor, row.uuid, until);
  log.info({ provider: row.provider_name, reason }, 'cannot renew the tokens of a session yet');
  return true;
}

async function end({ platform, sessions, audit }: Service, row: ProviderSessionRow, reason: string): Promise<false> {
  const { database, log } = platform;
  log.info(
    { provider: row.provider_name, user: row.user_uuid, reason },
    'a session ended because its provider no longer confirms it',
  );
  await database.transaction(async (tx) => {
    if (row.session_sha256 === null || !(await store.claimSession(tx, row.session_sha256))) return;
    await deleteSession(tx, row.session_sha256);
    await recordSignOut({ audit }, tx, row);
  });
  sessions.forget();
  return false;
}

/** Ends the sessions at identity providers of users who can no longer sign in, with one attempt per session. */
async function endAtProviders({ platform, providers, http, audit }: Service): Promise<void> {
  const { database, sealer, log } = platform;
  const known = await providers.all();
  const ended = await database.transaction(async (tx) => {
    const rows = (await store.claimEndedSessions(tx)).filter(({ userIsOut }) => userIsOut);
    for (const row of rows) await recordSignOut({ audit }, tx, row);
    return rows;
  });
  for (const row of ended) {
    const provider = known.find(({ name }) => name === row.provider_name);
    const address = provider && signOutUrl(provider, openTokens(sealer, row).idToken);
    if (address === undefined) continue;
    try {
      await (await http.call(address)).body?.cancel();
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      log.warn({ provider: row.provider_name, reason: error.message }, 'cannot end a session at its provider');
    }
  }
}

async function recordSignOut(
  { audit }: Pick<Service, 'audit'>,
  tx: Executor,
  { user_uuid: uuid, provider_name: provider }: ProviderSessionRow,
): Promise<void> {
  const user = await users.findOne(tx, uuid);
  await audit.append(tx, coreContext(newUuid()), {
    facts: { module: 'auth', resource: 'users', operation: 'logout' },
    objects: [{ uuid, ...(user ? { name: user.username } : {}) }],
    data: { provider },
  });
}

const sealedTokens = (
  { platform }: Pick<Service, 'platform'>,
  uuid: string,
  { expiresAt, ...tokens }: ReceivedTokens,
): Pick<ProviderSessionRow, 'sealed_tokens' | 'access_expires_at'> => ({
  sealed_tokens: platform.sealer.seal(Buffer.from(JSON.stringify(tokens)), purpose(uuid)),
  access_expires_at: expiresAt,
});

const openTokens = (sealer: Platform['sealer'], { uuid, sealed_tokens }: ProviderSessionRow): SessionTokens =>
  // Written by this platform.
  JSON.parse(Buffer.from(sealer.open(sealed_tokens, purpose(uuid))).toString()) as SessionTokens;
