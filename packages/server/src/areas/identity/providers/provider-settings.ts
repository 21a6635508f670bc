// Complaints about the settings of an OAuth 2.0 provider, and what counts where it says nothing. Pure.
import type { OAuth2ProviderSettingsDto } from '@signetry/contract';
import type { ProviderRow } from '../tables.ts';
import { KeySetError, readStoredKeySet } from './key-set.ts';

/** Seconds that clocks may differ by, where a provider says nothing. */
export const DEFAULT_SKEW_S = 30;
/** Seconds after which a session without requests ends, where a provider says nothing. */
export const DEFAULT_IDLE_S = 900;

const ADDRESSES = {
  issuerUrl: 'issuer URL',
  authorizationUrl: 'authorization URL',
  tokenUrl: 'token URL',
  jwkSetUrl: 'JWK set URL',
  logoutUrl: 'logout URL',
  postLogoutUrl: 'URL after logout',
  userInfoUrl: 'user info URL',
} as const;

/** In words; empty when there is nothing to say. */
export function problemsOf(provider: OAuth2ProviderSettingsDto): string[] {
  const of = `of the provider ${provider.name}`;
  const problems = Object.entries(ADDRESSES).flatMap(([member, label]) => {
    const address = provider[member as keyof typeof ADDRESSES];
    return address === undefined || isSecureAddress(address)
      ? []
      : [`The ${label} ${of} must be an https address; http is accepted on this machine only (localhost).`];
  });
  if (!provider.issuerUrl) problems.push(`The issuer URL ${of} is missing: tokens are recognised by it.`);
  if (!provider.jwkSetUrl && !provider.jwkSet)
    problems.push(`The keys ${of} are missing: give the JWK set URL or the JWK set.`);
  if (provider.jwkSet) problems.push(...problemsOfKeySet(provider.jwkSet, of));
  return problems;
}

/** What the authorization code flow needs. */
export interface LoginSettings {
  readonly clientId: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

/** Nothing where people cannot sign in at the provider. */
export function loginSettingsOf(provider: Pick<ProviderRow, 'settings' | 'sealed_client_secret'>) {
  const { clientId, authorizationUrl, tokenUrl } = provider.settings;
  if (!clientId || !authorizationUrl || !tokenUrl || !provider.sealed_client_secret) return undefined;
  return { clientId, authorizationUrl, tokenUrl } satisfies LoginSettings;
}

function problemsOfKeySet(jwkSet: string, of: string): string[] {
  try {
    readStoredKeySet(jwkSet);
    return [];
  } catch (error) {
    if (error instanceof KeySetError) return [`The JWK set ${of} ${error.message}.`];
    throw error;
  }
}

function isSecureAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username !== '' || url.password !== '') return false;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal);
}

/** Path to which a provider sends browsers back; part of the redirect URI that is registered there. */
export const returnPath = (name: string): string => `/login/oauth2/code/${name}`;
