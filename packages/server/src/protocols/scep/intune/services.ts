// Calls to Intune services: Microsoft Graph returns their URLs, and every call includes a token. URLs and tokens are
// cached, and requested again when they are rejected.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { IntuneAccount } from '../../../areas/scep-profiles/index.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { IntuneFault } from './faults.ts';
import type { IntuneResponse, IntuneCall, IntuneHttp } from './http.ts';
import { createFetchCache, type FetchedValue } from './fetch-cache.ts';
import type { Tokens } from './tokens.ts';

/** Application ID of Intune in every tenant. */
const INTUNE_APPLICATION = '0000000a-0000-0000-c000-000000000000';
const PLACES_LAST_MS = 3_600_000;
const PAUSE_MS = 500;
const GRAPH = 'Microsoft Graph';
const INTUNE = 'Microsoft Intune';

export interface ServiceUrls {
  /** Without a trailing slash. */
  readonly graphUrl: string;
  /** Resource for which Intune tokens are requested, without its trailing slash. */
  readonly resourceUrl: string;
}

export interface ServiceCall {
  readonly service: string;
  readonly path: string;
  readonly version: string;
  readonly body: object;
  /** Whether the call is repeated once after a failure, because it has no side effects. */
  readonly isRepeated: boolean;
  readonly signal: AbortSignal;
}

/** By service name, in lowercase. */
type Endpoints = ReadonlyMap<string, string>;

/** Returns the unmodified response of a service with a 2xx status; throws `IntuneFault`. */
export type PostToService = (account: IntuneAccount, call: ServiceCall) => Promise<unknown>;

interface ServiceParts {
  readonly call: IntuneHttp;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly addresses: ServiceUrls;
  /** Name by which the platform identifies itself. */
  readonly callerInfo: string;
}

export function createServices(parts: ServiceParts): PostToService {
  const { clock, addresses, callerInfo } = parts;
  const remembered = createFetchCache<Endpoints>(clock);
  // The resource name ends with a slash, and the scope adds a second one.
  const scope = `${addresses.resourceUrl}//.default`;

  const endpointsOf = (account: IntuneAccount, signal: AbortSignal): Promise<Endpoints> =>
    remembered.get(keyOf(account), () => findEndpoints(parts, account, signal));

  async function post(account: IntuneAccount, { service, path, version, body, signal }: ServiceCall): Promise<unknown> {
    const place = (await endpointsOf(account, signal)).get(service.toLowerCase());
    if (place === undefined) throw new IntuneFault(`${INTUNE} has no service ${service} in the tenant`);
    const answer = await callWithToken(
      parts,
      { account, scope },
      {
        whom: INTUNE,
        url: `${place}/${path}`,
        headers: {
          'content-type': 'application/json',
          'client-request-id': randomUUID(),
          'api-version': version,
          'user-agent': callerInfo,
        },
        body: JSON.stringify(body),
        signal,
      },
    );
    return bodyOf(INTUNE, answer);
  }

  return async (account, call) => {
    const attempt = () =>
      post(account, call).catch((error: unknown) => {
        // The service may have moved.
        remembered.drop(keyOf(account));
        throw error;
      });
    try {
      return await attempt();
    } catch (error) {
      if (!call.isRepeated || !(error instanceof IntuneFault) || !error.passes) throw error;
      await delay(PAUSE_MS);
      return attempt();
    }
  };
}

async function findEndpoints(
  parts: ServiceParts,
  account: IntuneAccount,
  signal: AbortSignal,
): Promise<FetchedValue<Endpoints>> {
  const { graphUrl } = parts.addresses;
  const answer = await callWithToken(
    parts,
    { account, scope: `${graphUrl}/.default` },
    {
      whom: GRAPH,
      url: `${graphUrl}/v1.0/servicePrincipals/appId=${INTUNE_APPLICATION}/endpoints`,
      headers: { 'client-request-id': randomUUID(), 'user-agent': parts.callerInfo },
      signal,
    },
  );
  const { value } = bodyOf(GRAPH, answer) as { readonly value?: unknown };
  if (!Array.isArray(value)) throw new IntuneFault(`${GRAPH} returned a response without the Intune services`);
  const places = (value as readonly Readonly<Record<string, unknown>>[]).flatMap((each) => {
    const { providerName: name, uri } = each ?? {};
    const isPlace = typeof name === 'string' && typeof uri === 'string' && isAsSecure(uri, graphUrl);
    return isPlace ? [[name.toLowerCase(), uri.replace(/\/+$/, '')] as const] : [];
  });
  return { value: new Map(places), lastsMs: PLACES_LAST_MS };
}

/**
 * Returns whether the URL is as secure as Graph's. Tokens are not sent over plain HTTP if Graph is called over HTTPS.
 */
const isAsSecure = (uri: string, graphUrl: string): boolean =>
  uri.startsWith('https:') || (graphUrl.startsWith('http:') && uri.startsWith('http:'));

/** Repeats a call once with a new token if its token was rejected, since that token may have been revoked. */
async function callWithToken(
  { call, tokens }: ServiceParts,
  wish: { readonly account: IntuneAccount; readonly scope: string },
  { headers, ...wanted }: IntuneCall,
): Promise<IntuneResponse> {
  const ask = async () => {
    const token = await tokens.get({ ...wish, signal: wanted.signal });
    const answer = await call({ ...wanted, headers: { ...headers, authorization: `Bearer ${token}` } });
    if (answer.status === 401) tokens.drop(wish, token);
    return answer;
  };
  const first = await ask();
  return first.status === 401 ? ask() : first;
}

function bodyOf(whom: string, { status, body }: IntuneResponse): object {
  if (status === 401 || status === 403)
    throw new IntuneFault(`${whom} denied access to the application (status ${status}); check its permissions`);
  if (status < 200 || status > 299)
    throw new IntuneFault(`${whom} returned status ${status}`, { passes: status >= 500 || status === 429 });
  if (typeof body !== 'object' || body === null) throw new IntuneFault(`${whom} returned a response that is not JSON`);
  return body;
}

const keyOf = ({ tenant, applicationId }: IntuneAccount): string => JSON.stringify([tenant, applicationId]);
