// Checks whether a provider responds as configured, for administrators who have just saved its settings. Each check
// reports its result and, if it failed, how to fix the problem.
import type { ProviderCheck } from '@signetry/contract';
import { isObject } from '../../../kernel/is-object.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ProviderRow } from '../tables.ts';
import { loginSettingsOf, returnPath } from './provider-settings.ts';
import { readStoredKeySet } from './key-set.ts';
import { fetchKeySet } from './key-sets.ts';
import { ProviderFault, type ProviderHttp } from './provider-http.ts';

/** Settings, with the corresponding members of the provider's metadata (OpenID Connect Discovery §3). */
const ENDPOINTS = [
  ['authorizationUrl', 'authorization_endpoint'],
  ['tokenUrl', 'token_endpoint'],
  ['userInfoUrl', 'userinfo_endpoint'],
  ['logoutUrl', 'end_session_endpoint'],
] as const;

type Metadata = Readonly<Record<string, unknown>>;

interface Inspection {
  readonly provider: ProviderRow;
  readonly http: ProviderHttp;
  readonly metadata: Metadata | undefined;
}

export function createProviderChecks({ publicUrl }: Pick<Platform, 'publicUrl'>, { http }: { http: ProviderHttp }) {
  return async function check(provider: ProviderRow): Promise<ProviderCheck[]> {
    const { issuer_url: issuer } = provider;
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { metadata, discovery } = await discover(http, address);
    const look = { provider, http, metadata };
    const endpoints = ENDPOINTS.map(([member, name]) => checkEndpoint(look, member, name));
    return [
      discovery,
      ...(metadata ? [checkIssuer(issuer, metadata)] : []),
      await checkKeys(look),
      ...(await Promise.all(endpoints)).filter((each) => each !== undefined),
      checkSignIn(provider, `${publicUrl()}${returnPath(provider.name)}`),
    ];
  };
}

export type ProviderChecks = ReturnType<typeof createProviderChecks>;

async function discover(
  http: ProviderHttp,
  address: string,
): Promise<{ readonly metadata: Metadata | undefined; readonly discovery: ProviderCheck }> {
  const passing = await runCheck('discovery', async () => {
    const answered = await http.getJson(address);
    if (!isObject(answered)) throw new ProviderFault('did not return a discovery document');
    return { message: `${address} returns the provider's metadata.`, answered };
  }, address); // prettier-ignore
  const { answered, ...discovery } = passing;
  return { metadata: answered, discovery };
}

function checkIssuer(issuer: string, metadata: Metadata): ProviderCheck {
  const matches = metadata['issuer'] === issuer;
  const message = matches
    ? "The provider's issuer matches the issuer URL in the settings."
    : `The provider's issuer is ${String(metadata['issuer']).slice(0, 200)}. Tokens contain it, so the issuer URL must be identical.`;
  return { check: 'issuer', passed: matches, message };
}

async function checkKeys({ provider, http, metadata }: Inspection): Promise<ProviderCheck> {
  const { jwkSetUrl, jwkSet = '' } = provider.settings;
  const { check, passed: isGood, message } = await runCheck('keys', async () => {
    if (jwkSetUrl === undefined) return { message: `${describeKeys(readStoredKeySet(jwkSet).length)} stored in the settings.` };
    const keys = await fetchKeySet(http, jwkSetUrl);
    return { message: `${jwkSetUrl} publishes ${describeKeys(keys.length)}.${describeDifference(jwkSetUrl, metadata?.['jwks_uri'])}` };
  }, jwkSetUrl); // prettier-ignore
  return { check, passed: isGood, message };
}

async function checkEndpoint(
  { provider, http, metadata }: Inspection,
  member: (typeof ENDPOINTS)[number][0],
  name: (typeof ENDPOINTS)[number][1],
): Promise<ProviderCheck | undefined> {
  const address = provider.settings[member];
  if (address === undefined) return undefined;
  return runCheck(member, async () => {
    const { status, body } = await http.call(address, { method: member === 'tokenUrl' ? 'POST' : 'GET' });
    await body?.cancel();
    // The request has no parameters, so the endpoint may return an error, but the error shows that it exists.
    if (status === 404 || status >= 500) throw new ProviderFault(`returned status ${status}`);
    return { message: `${address} answers.${describeDifference(address, metadata?.[name])}` };
  }, address); // prettier-ignore
}

function checkSignIn(provider: ProviderRow, redirectUri: string): ProviderCheck {
  const passing = loginSettingsOf(provider) !== undefined;
  const message = passing
    ? `Users can sign in. Register ${redirectUri} as a redirect URI at the provider.`
    : 'Only programs with tokens can sign in. Browser sign-in requires the client ID, the client secret, the authorization URL and the token URL.';
  return { check: 'signIn', passed: passing, message };
}

const describeKeys = (keys: number): string => (keys === 1 ? '1 key' : `${keys} keys`);

const describeDifference = (address: string, described: unknown): string =>
  typeof described === 'string' && described !== address
    ? ` The provider's metadata specifies ${described.slice(0, 200)}.`
    : '';

async function runCheck<Found extends { readonly message: string }>(
  check: string,
  look: () => Promise<Found>,
  address = '',
): Promise<ProviderCheck & Partial<Found>> {
  try {
    return { check, passed: true, ...(await look()) };
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    return { check, passed: false, message: `${address} ${error.message}.` } as ProviderCheck & Partial<Found>;
  }
}
