// Sign-in with an identity provider: with a browser, a real provider, and attacks.
import { createHash, generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBrowser, type Browser } from './testing/browser.ts';
import { CLIENT_ID, startIdentityProvider, type IdentityProvider } from './testing/identity-provider.ts';
import { send } from './testing/raw-request.ts';

const ACCESS_TOKEN_S = 2;
const LATER = { timeout: 15_000, interval: 200 };
const server = sharedTestServer({ args: ['--egress-allowed-hosts=127.0.0.1', '--log-level=info'] });
const lines: string[] = [];
let provider: IdentityProvider;
let here = '';
let people = 0;

const isCodeUrl = (address: string): boolean => address.includes('/login/oauth2/code/');
const params = { providerName: 'corporate' };

beforeAll(async () => {
  // The log is written to standard error, line by line.
  vi.spyOn(fs, 'writeSync').mockImplementation((_descriptor, text) => lines.push(String(text)));
  here = server.ready.http;
  provider = await startIdentityProvider({
    redirectUris: () => [`${here}/login/oauth2/code/corporate`],
    accessTokenS: ACCESS_TOKEN_S,
  });
  await saveProvider();
  const body = {
    createUnknownUsers: true,
    createUnknownRoles: false,
    syncPolicy: 'create-only',
    grantedRoleUuids: [] as string[],
  } as const;
  await server.client.identityProviders.updateProviderProvisioning({ params, body });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await provider.close();
});
beforeEach(() => {
  people += 1;
  provider.user = { sub: `subject-${people}`, username: `person-${people}`, email: `person-${people}@example.org` };
  provider.isDown = false;
});

function saveProvider(more: { readonly sessionMaxInactiveInterval?: number } = {}) {
  const { issuer, clientSecret } = provider;
  return server.client.authenticationSettings.updateOAuth2ProviderSettings({
    params,
    body: {
      issuerUrl: issuer,
      clientId: CLIENT_ID,
      clientSecret,
      authorizationUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      jwkSetUrl: `${issuer}/jwks`,
      userInfoUrl: `${issuer}/me`,
      logoutUrl: `${issuer}/session/end`,
      postLogoutUrl: 'http://127.0.0.1/',
      skew: 1,
      ...more,
    },
  });
}

const profileOf = (cookie: string) => send(here, '/api/v1/auth/profile', { headers: { cookie } });
const sessionOf = (browser: Browser): string => `signetry=${browser.cookies(here).get('signetry')}`;
const usernameOf = async (browser: Browser) => {
  const { status, text } = await profileOf(sessionOf(browser));
  return status === 200 ? (JSON.parse(text) as { username: string }).username : status; // Profile response.
};
async function signIn(path = '/oauth2/authorization/corporate'): Promise<Browser> {
  const browser = openBrowser();
  await browser.follow(here + path, (address) => address.startsWith(`${here}/certificates`) || address === `${here}/`);
  return browser;
}

describe('a browser', () => {
  it('is offered the provider, signs in there, and returns to the requested page', async () => {
    const browser = openBrowser();
    const page = await browser.visit(`${here}/login?redirect=/certificates`);
    const [, href = ''] = /href="([^"]+)">Sign in with corporate/.exec(page.text) ?? [];
    const { address } = await browser.follow(here + href, (next) => next.startsWith(`${here}/certificates`));
    expect(address).toBe(`${here}/certificates`);
    expect(await usernameOf(browser)).toBe(provider.user.username);
    expect(browser.cookies(here).has('signetry-sign-in')).toBe(false);
  });

  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'is not redirected to %s after signing in',
    async (target) => {
      const browser = openBrowser();
      const start = `${here}/oauth2/authorization/corporate/prepare?redirect=${encodeURIComponent(target)}`;
      const { address } = await browser.follow(start, (next) => new URL(next).pathname === '/');
      expect(address).toBe(`${here}/`);
    },
  );

  it('gets a new session ID, which prevents session fixation', async () => {
    const browser = openBrowser();
    browser.plant(here, 'signetry', 'A'.repeat(43));
    await browser.follow(`${here}/oauth2/authorization/corporate`, (address) => address === `${here}/`);
    expect(sessionOf(browser)).not.toContain('AAAA');
    expect((await profileOf(`signetry=${'A'.repeat(43)}`)).status).toBe(401);
    const first = sessionOf(browser);
    await browser.follow(`${here}/oauth2/authorization/corporate`, (address) => address === `${here}/`);
    expect((await profileOf(first)).status).toBe(401);
    expect(await usernameOf(browser)).toBe(provider.user.username);
  });

  it("cannot use the provider's redirect twice", async () => {
    const browser = openBrowser();
    const { address } = await browser.follow(`${here}/oauth2/authorization/corporate`, isCodeUrl);
    const [name = '', secret = ''] = [...browser.cookies(here)].find(([each]) => each.endsWith('-sign-in')) ?? [];
    expect((await browser.visit(address)).status).toBe(303);
    browser.plant(here, name, secret);
    const again = await browser.visit(address);
    expect([again.status, again.headers['set-cookie']?.some((line) => line.startsWith('signetry='))]).toEqual([
      401,
      false,
    ]);
  });

  it('cannot reuse an authorization code in a new sign-in', async () => {
    const browser = openBrowser();
    const { address } = await browser.follow(`${here}/oauth2/authorization/corporate`, isCodeUrl);
    expect((await browser.visit(address)).status).toBe(303);
    const second = await browser.follow(`${here}/oauth2/authorization/corporate`, isCodeUrl);
    const mixed = new URL(second.address);
    mixed.searchParams.set('code', new URL(address).searchParams.get('code') ?? '');
    expect((await browser.visit(mixed.href)).status).toBe(401);
  });

  it('cannot continue a sign-in that was started in a different browser', async () => {
    const { address } = await openBrowser().follow(`${here}/oauth2/authorization/corporate`, isCodeUrl);
    expect((await openBrowser().visit(address)).status).toBe(401);
    const victim = openBrowser();
    await victim.follow(`${here}/oauth2/authorization/corporate`, isCodeUrl);
    const answer = await victim.visit(address);
    expect([answer.status, victim.cookies(here).has('signetry')]).toEqual([401, false]);
  });

  it('gets an explanation when the provider denies access, and the reason is logged', async () => {
    const browser = openBrowser();
    const { address } = await browser.follow(`${here}/oauth2/authorization/corporate`, isCodeUrl);
    const state = new URL(address).searchParams.get('state');
    const refused = await browser.visit(
      `${here}/login/oauth2/code/corporate?error=access_denied&error_description=%3Cscript%3E&state=${state}&iss=${encodeURIComponent(provider.issuer)}`,
    );
    expect(refused.status).toBe(401);
    expect(refused.text).not.toContain('script>');
    const [, requestId = '-'] = /<code>([\w-]+)<\/code>/.exec(refused.text) ?? [];
    expect(lines.some((line) => line.includes(requestId) && line.includes('access_denied'))).toBe(true);
  });

  it("is rejected if the provider's user has the same name as a local user", async () => {
    provider.user = { sub: 'thief', username: 'admin' };
    const browser = openBrowser();
    const { answer } = await browser.follow(`${here}/oauth2/authorization/corporate`);
    expect([answer.status, browser.cookies(here).has('signetry')]).toEqual([401, false]);
  });

  it('is rejected while the provider is down', async () => {
    const browser = openBrowser();
    const { address } = await browser.follow(`${here}/oauth2/authorization/corporate`, isCodeUrl);
    provider.isDown = true;
    expect((await browser.visit(address)).status).toBe(401);
  });
});

describe('a provider session', () => {
  it('is extended with refreshed tokens until the provider stops refreshing them', async () => {
    const browser = await signIn();
    const countRenewals = () => provider.asked.filter((path) => path === '/token').length;
    const before = countRenewals();
    await vi.waitFor(async () => {
      expect(await usernameOf(browser)).toBe(provider.user.username);
      expect(countRenewals()).toBeGreaterThan(before);
    }, LATER);
    provider.isDown = true;
    await vi.waitFor(async () => expect(await usernameOf(browser)).toBe(401), LATER);
    provider.isDown = false;
    expect(await usernameOf(browser)).toBe(401);
  });

  it('is ended on both sides by signing out, and a stolen cookie is then useless', async () => {
    const browser = await signIn();
    const stolen = sessionOf(browser);
    const answer = await browser.visit(`${here}/logout`);
    expect(answer.status).toBe(303);
    const target = new URL(answer.headers.location ?? '');
    expect(target.origin + target.pathname).toBe(`${provider.issuer}/session/end`);
    expect(target.searchParams.get('id_token_hint')).toMatch(/^ey/);
    expect(target.searchParams.get('post_logout_redirect_uri')).toBe('http://127.0.0.1/');
    expect((await profileOf(stolen)).status).toBe(401);
  });

  it('returns the logout URL of the provider to the console', async () => {
    const browser = await signIn();
    const headers = { cookie: sessionOf(browser), accept: 'application/json' };
    const { status, text } = await send(here, '/logout', { method: 'POST', headers });
    expect([status, text]).toEqual([200, expect.stringContaining(`${provider.issuer}/session/end?id_token_hint=`)]);
  });

  it("expires after the provider's inactivity limit, and is listed until then", async () => {
    const hour = 3600;
    await saveProvider({ sessionMaxInactiveInterval: 2 * hour });
    try {
      // Every request counts as activity, so a second session of the same user does the checks.
      const [left, own] = [sessionOf(await signIn()), sessionOf(await signIn())];
      const simulateIdle = (seconds: number) =>
        server.running.platform.database.query(
          'UPDATE session SET last_seen_at = now() - make_interval(secs => $1) WHERE token_sha256 = $2',
          [seconds, createHash('sha256').update(left.replace('signetry=', '')).digest()],
        );
      const listed = async () =>
        (JSON.parse((await send(here, '/api/x/v1/sessions', { headers: { cookie: own } })).text) as unknown[]).length;
      // Longer than the default session lifetime.
      await simulateIdle(2 * hour - 30);
      expect(await listed()).toBe(2);
      await simulateIdle(2 * hour + 1);
      expect(await listed()).toBe(1);
      await vi.waitFor(async () => expect((await profileOf(left)).status).toBe(401), LATER);
    } finally {
      await saveProvider();
    }
  });

  it('ends within seconds when its user is disabled, including at the provider', async () => {
    const browser = await signIn();
    const { username } = provider.user;
    const uuid = (await server.client.users.listUsers()).find((user) => user.username === username)?.uuid ?? '';
    const before = provider.asked.length;
    await server.client.users.disableUser({ params: { userUuid: uuid } });
    await vi.waitFor(async () => expect(await usernameOf(browser)).toBe(401), { timeout: 5_000, interval: 100 });
    await vi.waitFor(() => {
      const ended = provider.asked.slice(before).filter((path) => path.startsWith('/session/end?id_token_hint='));
      expect(ended).toHaveLength(1);
    }, LATER);
  });
});

describe('multiple identity providers', () => {
  const [first, stored, programs] = ['corporate', 'partners', 'programs'];
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' }] };
  const issuerUrl = 'https://id.partners.example';
  const save = (providerName: string, body: object) =>
    server.client.authenticationSettings.updateOAuth2ProviderSettings({
      params: { providerName },
      body: { jwkSet: Buffer.from(JSON.stringify(keys)).toString('base64'), ...body },
    });

  beforeAll(async () => {
    const login = {
      clientId: CLIENT_ID,
      clientSecret: 'secret',
      authorizationUrl: `${issuerUrl}/auth`,
      tokenUrl: `${issuerUrl}/token`,
    };
    await save(stored, { issuerUrl, ...login });
    await save(programs, { issuerUrl: 'https://programs.example' });
  });
  afterAll(async () => {
    for (const providerName of [stored, programs])
      await server.client.authenticationSettings.removeOAuth2Provider({ params: { providerName } });
  });

  it('are all offered, except those only for programs, and redirect to the requested page', async () => {
    const { text } = await send(here, '/login?redirect=/certificates');
    const offered = [...text.matchAll(/href="([^"]+)">Sign in with ([^<]+)</g)].map(([, href, name]) => [name, href]);
    expect(offered).toEqual(
      [first, stored].map((name) => [name, `/oauth2/authorization/${name}/prepare?redirect=%2Fcertificates`]),
    );
    const led = await send(here, offered[1]?.[1] ?? '');
    expect([led.status, led.headers.location]).toEqual([303, expect.stringContaining(`${issuerUrl}/auth?`)]);
    expect((await send(here, `/oauth2/authorization/${programs}`)).status).toBe(404);
  });

  it('publish only the keys that were stored for them', async () => {
    const published = await send(here, `/oauth2/${stored}/jwkSet`);
    expect([published.status, published.headers['content-type']]).toEqual([200, 'application/jwk-set+json']);
    expect(JSON.parse(published.text)).toEqual(keys);
    // Providers whose keys are published elsewhere, or that do not exist.
    for (const name of [first, 'nobody']) expect((await send(here, `/oauth2/${name}/jwkSet`)).status).toBe(404);
  });
});

describe('an administrator', () => {
  it("can check whether the provider's responses match its settings", async () => {
    const checks = await server.client.identityProviders.testProvider({ params });
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(checks.map(({ check }) => check)).toEqual([
      'discovery', 'issuer', 'keys', 'authorizationUrl', 'tokenUrl', 'userInfoUrl', 'logoutUrl', 'signIn',
    ]); // prettier-ignore
    expect(checks.at(-1)?.message).toContain('/login/oauth2/code/corporate');
    provider.isDown = true;
    const failed = await server.client.identityProviders.testProvider({ params });
    expect(failed.filter(({ passed }) => passed).map(({ check }) => check)).toEqual(['signIn']);
  });

  it('can find every sign-in and sign-out in the audit log', async () => {
    const browser = await signIn();
    await browser.visit(`${here}/logout`);
    const { items } = await server.client.auditLogs.listAuditLogs({ body: { itemsPerPage: 100 } });
    const own = items.filter(({ actor }) => actor.name === provider.user.username);
    expect(own.map(({ operation }) => operation)).toEqual(['logout', 'login']);
    expect(items.some(({ operation, operationResult }) => operation === 'login' && operationResult === 'failure')).toBe(
      true,
    );
  });
});

describe('client secrets and tokens', () => {
  it('are never logged, audited, returned or stored in plaintext', async () => {
    const browser = await signIn();
    expect(await usernameOf(browser)).toBe(provider.user.username);
    const { client } = server;
    const shown = [
      await client.authenticationSettings.getOAuth2ProviderSettings({ params }),
      await client.authenticationSettings.getAuthenticationSettings(),
      await client.identityProviders.testProvider({ params }),
      await client.auditLogs.listAuditLogs({ body: { itemsPerPage: 1000 } }),
    ];
    const everything = JSON.stringify(shown) + lines.join('');
    expect(lines.join('')).toContain('sign-in at a provider failed');
    for (const secret of [
      provider.clientSecret,
      Buffer.from(`${CLIENT_ID}:${provider.clientSecret}`).toString('base64'),
    ])
      expect(everything).not.toContain(secret);
    expect(everything).not.toMatch(/eyJ[\w-]{20,}\.eyJ/);
    expect(everything).not.toMatch(/[?&]code=/);
  });
});
