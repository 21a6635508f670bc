// Validation of OAuth 2.0 provider settings, and their defaults. Pure.
import type { OAuth2ProviderSettingsDto } from '@signetry/contract';
import type { ProviderRow } from '../tables.ts';
import { KeySetError, readStoredKeySet } from './key-set.ts';

/** Default allowed clock skew, in seconds. */
export const DEFAULT_SKEW_S = 30;
/** Default session idle timeout, in seconds. */
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

/** Returns error messages; empty if there are no problems. */
export function problemsOf(provider: OAuth2ProviderSettingsDto): string[] {
  const of = `of the provider ${provider.name}`;
  const problems = Object.entries(ADDRESSES).flatMap(([member, label]) => {
    const address = provider[member as keyof typeof ADDRESSES];
    return address === undefined || isSecureUrl(address)
      ? []
      : [`The ${label} ${of} must be an https URL; http is accepted only on this machine (localhost).`];
  });
  if (!provider.issuerUrl) problems.push(`The issuer URL ${of} is missing: it identifies the provider's tokens.`);
  if (!provider.jwkSetUrl && !provider.jwkSet)
    problems.push(`The keys ${of} are missing: specify the JWK set URL or the JWK set.`);
  if (provider.jwkSet) problems.push(...problemsOfKeySet(provider.jwkSet, of));
  return problems;
}

/** Settings that the authorization code flow requires. */
export interface LoginSettings {
  readonly clientId: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

/** Returns the sign-in settings; undefined if users cannot sign in at the provider. */
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

function isSecureUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username !== '' || url.password !== '') return false;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal);
}

/**
 * Returns the path to which a provider redirects browsers; part of the redirect URI that is registered at the provider.
 */
export const returnPath = (name: string): string => `/login/oauth2/code/${name}`;
