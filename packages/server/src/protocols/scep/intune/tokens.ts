// Access tokens for the platform's application in a tenant: OAuth 2.0 client credentials (RFC 6749 §4.4).
import { createHash } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.ts';
import type { IntuneAccount } from '../../../areas/scep-profiles/index.ts';
import { IntuneFault } from './faults.ts';
import type { IntuneResponse, IntuneHttp } from './http.ts';
import { createFetchCache, type FetchedValue } from './fetch-cache.ts';

/** Time before its expiry during which a token is no longer used, because clocks differ and calls take time. */
const MARGIN_S = 300;
const DEFAULT_LIFETIME_S = 3_600;
const WHOM = 'The Microsoft sign-in service';

export interface TokenSpec {
  readonly account: IntuneAccount;
  /** Scope of the service that accepts the token. */
  readonly scope: string;
  readonly signal: AbortSignal;
}

export interface Tokens {
  get(wish: TokenSpec): Promise<string>;
  /** Removes a token from the cache. Call this after the token was rejected. */
  drop(wish: Omit<TokenSpec, 'signal'>, token: string): void;
}

export function createTokens(
  call: IntuneHttp,
  { clock, loginUrl }: { readonly clock: Clock; readonly loginUrl: string },
): Tokens {
  const remembered = createFetchCache<string>(clock);

  async function fetchToken({ account, scope, signal }: TokenSpec): Promise<FetchedValue<string>> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: account.applicationId,
      client_secret: account.applicationKey.reveal(),
      scope,
    }).toString();
    const answer = await call({
      whom: WHOM,
      url: `${loginUrl}/${encodeURIComponent(account.tenant)}/oauth2/v2.0/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
      signal,
    });
    return tokenOf(answer);
  }

  return {
    get: (wish) => remembered.get(keyOf(wish), () => fetchToken(wish)),
    drop: (wish, token) => remembered.drop(keyOf(wish), token),
  };
}

function tokenOf({ status, body }: IntuneResponse): FetchedValue<string> {
  if (status !== 200)
    throw new IntuneFault(`${WHOM} rejected the application${codesOf(body)}`, { passes: status >= 500 });
  const { access_token: token, expires_in: lifetime } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof token !== 'string' || token === '') throw new IntuneFault(`${WHOM} returned a response without a token`);
  const lifetimeS = Number(lifetime) > 0 ? Number(lifetime) : DEFAULT_LIFETIME_S;
  return { value: token, lastsMs: Math.max(0, lifetimeS - MARGIN_S) * 1_000 };
}

/** Returns the RFC 6749 §5.2 error code, and Microsoft's own code, under which its documentation explains the error. */
function codesOf(body: unknown): string {
  const { error, error_description: description } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const codes = [/^[a-z_]{1,40}$/.exec(String(error))?.[0], /\bAADSTS\d{1,10}\b/.exec(String(description))?.[0]];
  const known = codes.filter((code) => code !== undefined && code !== 'undefined');
  return known.length > 0 ? ` (${known.join(', ')})` : '';
}

/**
 * Returns the cache key, which changes with the application key, so that a changed application key results in a new
 * token.
 */
const keyOf = ({ account, scope }: Omit<TokenSpec, 'signal'>): string =>
  JSON.stringify([
    account.tenant,
    account.applicationId,
    createHash('sha256').update(account.applicationKey.reveal()).digest('hex'),
    scope,
  ]);
