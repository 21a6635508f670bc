// The platform as a client of an identity provider: the OpenID Connect authorization code flow with PKCE (RFC 6749
// §4.1, RFC 7636), and token renewal.
import * as client from 'openid-client';
import type { Platform } from '../../../platform/platform.ts';
import type { ProviderRow } from '../tables.ts';
import { DEFAULT_SKEW_S, type LoginSettings } from './provider-settings.ts';
import { ProviderFault, type ProviderHttp } from './provider-http.ts';
import { SIGNATURE_ALGORITHMS, SignInRejected } from './verify-token.ts';

/** A session's tokens, in the form in which they are sealed. */
export interface SessionTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly idToken?: string;
}

export interface ReceivedTokens extends SessionTokens {
  /** Expiry of the access token, if the provider specifies it. */
  readonly expiresAt: Date | null;
}

/** Values for a single sign-in, all derived from a secret that only the browser has. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface ProviderClientParts {
  readonly http: ProviderHttp;
  readonly clientSecretOf: (provider: ProviderRow) => string;
}

export type ProviderClient = ReturnType<typeof createProviderClient>;

export function createProviderClient({ clock }: Platform, { http, clientSecretOf }: ProviderClientParts) {
  function configurationOf(provider: ProviderRow, login: LoginSettings): client.Configuration {
    const { issuer_url: issuer, settings } = provider;
    const secret = clientSecretOf(provider);
    const configuration = new client.Configuration(
      {
        issuer,
        authorization_endpoint: login.authorizationUrl,
        token_endpoint: login.tokenUrl,
        id_token_signing_alg_values_supported: [...SIGNATURE_ALGORITHMS],
      },
      login.clientId,
      {
        [client.clockTolerance]: settings.skew ?? DEFAULT_SKEW_S,
        // The library uses the process clock, so it needs the offset to the platform clock.
        [client.clockSkew]: Math.round((clock.now().getTime() - Date.now()) / 1000),
      },
      client.ClientSecretBasic(secret),
    );
    // undici's fetch function has its own types.
    configuration[client.customFetch] = (url, options) => http.call(url, options as never) as never;
    // The settings accept plain http URLs only for this machine.
    client.allowInsecureRequests(configuration);
    return configuration;
  }

  const toReceivedTokens = (tokens: client.TokenEndpointResponse): ReceivedTokens => ({
    accessToken: tokens.access_token,
    ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
    ...(tokens.id_token === undefined ? {} : { idToken: tokens.id_token }),
    expiresAt:
      tokens.expires_in === undefined ? null : new Date(clock.now().getTime() + Math.max(0, tokens.expires_in) * 1000),
  });

  return {
    async authorizationUrl(
      provider: ProviderRow,
      { login, redirectUri, secrets }: { login: LoginSettings; redirectUri: string; secrets: SignInSecrets },
    ): Promise<URL> {
      const scope = [...new Set(['openid', ...(provider.settings.scope ?? [])])].join(' ');
      return client.buildAuthorizationUrl(configurationOf(provider, login), {
        redirect_uri: redirectUri,
        scope,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
      });
    },
    /** Exchanges the code in the URL for tokens. */
    async exchange(
      provider: ProviderRow,
      { login, address, secrets }: { login: LoginSettings; address: URL; secrets: SignInSecrets },
    ): Promise<ReceivedTokens> {
      const tokens = await client.authorizationCodeGrant(configurationOf(provider, login), address, {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.codeVerifier,
        idTokenExpected: true,
      });
      return toReceivedTokens(tokens);
    },
    async renew(
      provider: ProviderRow,
      { login, refreshToken }: { login: LoginSettings; refreshToken: string },
    ): Promise<ReceivedTokens> {
      return toReceivedTokens(await client.refreshTokenGrant(configurationOf(provider, login), refreshToken));
    },
  };
}

/** Returns the URL at which a browser signs out at the provider (RP-Initiated Logout §2). */
export function signOutUrl(
  { settings }: Pick<ProviderRow, 'settings'>,
  idToken: string | undefined,
): string | undefined {
  const { logoutUrl, postLogoutUrl, clientId } = settings;
  if (logoutUrl === undefined) return undefined;
  const url = new URL(logoutUrl);
  if (idToken !== undefined) url.searchParams.set('id_token_hint', idToken);
  if (clientId !== undefined) url.searchParams.set('client_id', clientId);
  if (postLogoutUrl !== undefined) url.searchParams.set('post_logout_redirect_uri', postLogoutUrl);
  return url.href;
}

/** Returns why the client rejected a response; never the response itself, which may contain tokens. */
export function reasonOf(error: unknown): string {
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return `the provider answered ${printable(error.error)}${error.error_description ? ` (${printable(error.error_description)})` : ''}`;
  if (error instanceof client.ClientError && error.cause instanceof ProviderFault)
    return `the provider ${error.cause.message}`;
  return error instanceof Error ? error.message : 'unknown';
}

/** Returns whether the provider or the browser caused the error, rather than an internal fault. */
export const isSignInFailure = (error: unknown): boolean =>
  [SignInRejected, ProviderFault, client.ClientError, client.ResponseBodyError, client.AuthorizationResponseError].some(
    (kind) => error instanceof kind,
  );

/** Returns whether the provider rejected the renewal. For any other error, the provider may just be unreachable. */
export const isRejection = (error: unknown): boolean => error instanceof client.ResponseBodyError;

/** Shortens provider text and replaces control characters, for logs and administrator pages. */
const printable = (text: string): string => text.slice(0, 200).replaceAll(/[^\u0020-\u007e]/g, '?');
