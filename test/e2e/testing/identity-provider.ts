// An identity provider on loopback: a real authorization server whose users sign in by stating their name.
import { randomBytes, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const CLIENT_ID = 'signetry';

export interface ProviderUser {
  readonly sub: string;
  readonly username: string;
  readonly roles?: readonly string[];
  readonly email?: string;
}

export interface IdentityProvider {
  readonly issuer: string;
  readonly clientSecret: string;
  /** The next user who signs in. */
  user: ProviderUser;
  /** Requested paths with queries, in order. */
  readonly asked: string[];
  /** If true, responds with 503. */
  isDown: boolean;
  close(): Promise<void>;
}

/** `redirectUris`: URIs to which browsers are redirected. `accessTokenS`: lifetime of access tokens in seconds. */
export async function startIdentityProvider(options: {
  readonly redirectUris: () => readonly string[];
  readonly accessTokenS?: number;
}): Promise<IdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // Listens on TCP.
  const clientSecret = `canary-${randomBytes(24).toString('base64url')}`;
  const users = new Map<string, ProviderUser>();
  const provider = newProvider(issuer, { ...options, clientSecret, users });
  const state = { user: { sub: 'erin', username: 'erin' } as ProviderUser, isDown: false };
  const asked: string[] = [];
  const handle = provider.callback();
  server.on('request', (request, response) => {
    asked.push(request.url ?? '');
    if (state.isDown) return void response.writeHead(503).end();
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    users.set(state.user.sub, state.user);
    void provider.interactionFinished(request, response, { login: { accountId: state.user.sub } });
  });
  return {
    issuer,
    clientSecret,
    asked,
    get user() {
      return state.user;
    },
    set user(user) {
      state.user = user;
    },
    get isDown() {
      return state.isDown;
    },
    set isDown(isDown) {
      state.isDown = isDown;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface ProviderFacts {
  readonly redirectUris: () => readonly string[];
  readonly accessTokenS?: number;
  readonly clientSecret: string;
  readonly users: ReadonlyMap<string, ProviderUser>;
}

function newProvider(issuer: string, { redirectUris, accessTokenS = 600, clientSecret, users }: ProviderFacts) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'signing', alg: 'RS256', use: 'sig' };
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        redirect_uris: redirectUris(),
        post_logout_redirect_uris: ['http://127.0.0.1/'],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub', 'username', 'roles', 'email'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_context: unknown, interaction: { readonly uid: string }) => `/interaction/${interaction.uid}` },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    ttl: { AccessToken: accessTokenS, AuthorizationCode: 60, IdToken: 600, RefreshToken: 3600, Interaction: 600, Session: 3600, Grant: 3600 },
    findAccount: async (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ ...(users.get(sub) ?? { sub }) }),
    }),
    // Every user consents to everything.
    loadExistingGrant: async (context: { oidc: { provider: { Grant: new (facts: object) => Grant }; client: { clientId: string }; session: { accountId: string } } }) => {
      const { provider, client, session } = context.oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid offline_access');
      await grant.save();
      return grant;
    },
  }); // prettier-ignore
}

interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}
