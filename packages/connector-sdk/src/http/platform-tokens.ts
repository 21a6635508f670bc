// Verifies the tokens with which a platform authenticates (JWT, RFC 7519): signed with one of the platform's published
// keys, intended for this connector, and not expired. For use as the `authorize` option of `serveConnector`.
import { createPublicKey, verify, type KeyObject, type webcrypto } from 'node:crypto';
import { isObject } from '../is-object.ts';
import type { CallerFacts } from './serve-connector.ts';

export interface PlatformTokenOptions {
  /** Issuer in the platform's tokens: its public URL. */
  readonly issuer: string;
  /** Origin of this connector as configured on the platform, e.g. `https://connector.example:9000`. */
  readonly audience: string;
  /** URL of the platform's published keys; default: below `issuer`. */
  readonly keysUrl?: string;
  /** Function that fetches the keys, e.g. with a client that trusts the platform's own root. */
  readonly fetch?: (url: string, init: { readonly signal: AbortSignal }) => Promise<KeysResponse>;
  readonly now?: () => Date;
}

export type KeysResponse = Pick<Response, 'ok' | 'text'>;

/** Authorizes a caller by its token. */
export type PlatformTokenCheck = (caller: Pick<CallerFacts, 'headers'>) => Promise<boolean>;

const KEYS_PATH = '/api/x/v1/connectorTokenKeys';
/** Allowed clock skew. */
const LEEWAY_S = 60;
/** Maximum lifetime of a platform token. A token with a longer lifetime was not issued by a platform. */
const MAX_LIFETIME_S = 3_600;
const MAX_TOKEN_CHARACTERS = 8_192;
const MAX_KEYS_CHARACTERS = 65_536;
const FETCH_TIMEOUT_MS = 10_000;
/** Minimum interval between key requests, regardless of how many callers name unknown keys. */
const MIN_FETCH_INTERVAL_MS = 10_000;
/** Maximum time that a withdrawn key remains trusted. */
const MAX_AGE_MS = 300_000;

export function platformTokens(options: PlatformTokenOptions): PlatformTokenCheck {
  const { now = () => new Date() } = options;
  const keyOf = createKeySource(options, now);
  return async ({ headers }) => {
    const [, token] = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers.authorization ?? '') ?? [];
    if (token === undefined || token.length > MAX_TOKEN_CHARACTERS) return false;
    const [header = '', claims = '', signature = ''] = token.split('.');
    const { alg, kid, crit } = parsePart(header) ?? {};
    // The published keys determine the algorithm; a token cannot choose a different one (RFC 8725 §3.1).
    if (alg !== 'ES256' || typeof kid !== 'string' || crit !== undefined) return false;
    const key = await keyOf(kid);
    if (!key) return false;
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    return isSigned && areAcceptable(parsePart(claims), { ...options, nowS: now().getTime() / 1000 });
  };
}

function areAcceptable(
  claims: Readonly<Record<string, unknown>> | undefined,
  { issuer, audience, nowS }: { readonly issuer: string; readonly audience: string; readonly nowS: number },
): boolean {
  const { iss, aud, iat, exp } = claims ?? {};
  if (iss !== issuer || aud !== audience) return false;
  if (typeof iat !== 'number' || typeof exp !== 'number') return false;
  return exp > nowS - LEEWAY_S && iat < nowS + LEEWAY_S && exp - iat <= MAX_LIFETIME_S;
}

/** Published keys by identifier. They are fetched again periodically, and when a token names an unknown key. */
function createKeySource({ issuer, keysUrl, fetch: get = fetch }: PlatformTokenOptions, now: () => Date) {
  const url = keysUrl ?? issuer + KEYS_PATH;
  let keys: ReadonlyMap<string, KeyObject> = new Map();
  let keptAtMs = -Infinity;
  let askedAtMs = -Infinity;
  let underWay: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    askedAtMs = now().getTime();
    const response = await get(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) return;
    const text = await response.text();
    if (text.length > MAX_KEYS_CHARACTERS) return;
    keys = parseKeys(text);
    keptAtMs = askedAtMs;
  }

  return async (kid: string): Promise<KeyObject | undefined> => {
    const nowMs = now().getTime();
    const isKnown = keys.has(kid) && nowMs - keptAtMs < MAX_AGE_MS;
    if (!isKnown && nowMs - askedAtMs >= MIN_FETCH_INTERVAL_MS)
      underWay = refresh()
        .catch(() => undefined)
        .finally(() => (underWay = undefined));
    // All callers with an unknown key, including the one that started the request, wait until it completes.
    if (!isKnown) await underWay;
    return now().getTime() - keptAtMs < MAX_AGE_MS ? keys.get(kid) : undefined;
  };
}

function parseKeys(text: string): Map<string, KeyObject> {
  const set: unknown = JSON.parse(text);
  const listed: unknown = isObject(set) && 'keys' in set ? set.keys : undefined;
  const keys = new Map<string, KeyObject>();
  for (const jwk of Array.isArray(listed) ? (listed as unknown[]) : []) {
    if (!isObject(jwk)) continue;
    const { kid, kty, crv } = jwk as Readonly<Record<string, unknown>>; // The members can be of any type.
    if (typeof kid !== 'string' || kty !== 'EC' || crv !== 'P-256') continue;
    // `createPublicKey` throws an error if `jwk` is not a key.
    keys.set(kid, createPublicKey({ key: jwk as webcrypto.JsonWebKey, format: 'jwk' }));
  }
  return keys;
}

function parsePart(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
