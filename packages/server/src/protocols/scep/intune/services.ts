// Calls of the services of Intune: where they are is asked of Microsoft Graph, and a token goes with every call. Both
// are remembered, and asked for anew when they are refused.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { IntuneAccount } from '../../../areas/scep-profiles/index.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { IntuneFault } from './faults.ts';
import type { IntuneAnswer, IntuneCall, IntuneHttp } from './http.ts';
import { createRemembered, type Fetched } from './remembered.ts';
import type { Tokens } from './tokens.ts';

/** Of Intune, in every tenant. */
const INTUNE_APPLICATION = '0000000a-0000-0000-c000-000000000000';
const PLACES_LAST_MS = 3_600_000;
const PAUSE_MS = 500;
const GRAPH = 'Microsoft Graph';
const INTUNE = 'Microsoft Intune';

export interface ServiceAddresses {
  /** Without a trailing slash. */
  readonly graphUrl: string;
  /** What tokens for Intune are for, without its trailing slash. */
  readonly resourceUrl: string;
}

export interface ServiceCall {
  readonly service: string;
  readonly path: string;
  readonly version: string;
  readonly body: object;
  /** It changes nothing, so it is made once more where the first one failed. */
  readonly isRepeated: boolean;
  readonly signal: AbortSignal;
}

/** By the name of the service in lower case. */
type Places = ReadonlyMap<string, string>;

/** The answer of a service as it came, with 2xx; throws `IntuneFault`. */
export type PostToService = (account: IntuneAccount, call: ServiceCall) => Promise<unknown>;

interface ServiceParts {
  readonly call: IntuneHttp;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly addresses: ServiceAddresses;
  /** How the platform names itself. */
  readonly callerInfo: string;
}

export function createServices(parts: ServiceParts): PostToService {
  const { clock, addresses, callerInfo } = parts;
  const remembered = createRemembered<Places>(clock);
  // The resource is named with a slash at its end, to which the scope adds another one.
  const scope = `${addresses.resourceUrl}//.default`;

  const placesOf = (account: IntuneAccount, signal: AbortSignal): Promise<Places> =>
    remembered.get(keyOf(account), () => findPlaces(parts, account, signal));

  async function post(account: IntuneAccount, { service, path, version, body, signal }: ServiceCall): Promise<unknown> {
    const place = (await placesOf(account, signal)).get(service.toLowerCase());
    if (place === undefined) throw new IntuneFault(`${INTUNE} has no service ${service} in the tenant`);
    const answer = await withToken(
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

async function findPlaces(parts: ServiceParts, account: IntuneAccount, signal: AbortSignal): Promise<Fetched<Places>> {
  const { graphUrl } = parts.addresses;
  const answer = await withToken(
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
  if (!Array.isArray(value)) throw new IntuneFault(`${GRAPH} answered without the services of Intune`);
  const places = (value as readonly Readonly<Record<string, unknown>>[]).flatMap((each) => {
    const { providerName: name, uri } = each ?? {};
    const isPlace = typeof name === 'string' && typeof uri === 'string' && isAsSafe(uri, graphUrl);
    return isPlace ? [[name.toLowerCase(), uri.replace(/\/+$/, '')] as const] : [];
  });
  return { value: new Map(places), lastsMs: PLACES_LAST_MS };
}

/** A token does not go over plain HTTP where Graph is asked over HTTPS. */
const isAsSafe = (uri: string, graphUrl: string): boolean =>
  uri.startsWith('https:') || (graphUrl.startsWith('http:') && uri.startsWith('http:'));

/** A token that is refused may have been withdrawn: with a new one, the call is made once more. */
async function withToken(
  { call, tokens }: ServiceParts,
  wish: { readonly account: IntuneAccount; readonly scope: string },
  { headers, ...wanted }: IntuneCall,
): Promise<IntuneAnswer> {
  const ask = async () => {
    const token = await tokens.get({ ...wish, signal: wanted.signal });
    const answer = await call({ ...wanted, headers: { ...headers, authorization: `Bearer ${token}` } });
    if (answer.status === 401) tokens.drop(wish, token);
    return answer;
  };
  const first = await ask();
  return first.status === 401 ? ask() : first;
}

function bodyOf(whom: string, { status, body }: IntuneAnswer): object {
  if (status === 401 || status === 403)
    throw new IntuneFault(`${whom} does not permit it to the application (status ${status}); see its permissions`);
  if (status < 200 || status > 299)
    throw new IntuneFault(`${whom} answered with status ${status}`, { passes: status >= 500 || status === 429 });
  if (typeof body !== 'object' || body === null)
    throw new IntuneFault(`${whom} answered with something other than JSON`);
  return body;
}

const keyOf = ({ tenant, applicationId }: IntuneAccount): string => JSON.stringify([tenant, applicationId]);
