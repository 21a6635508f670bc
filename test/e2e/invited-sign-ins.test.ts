// An invitation accepted with an account at an identity provider: its subject then signs in as the invited user. Also,
// attempts by others.
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, type Browser } from './testing/browser.ts';
import { CLIENT_ID, startIdentityProvider, type IdentityProvider } from './testing/identity-provider.ts';
import { send } from './testing/raw-request.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts=127.0.0.1'] });
let provider: IdentityProvider;
let here = '';
let people = 0;

beforeAll(async () => {
  here = server.ready.http;
  provider = await startIdentityProvider({ redirectUris: () => [`${here}/login/oauth2/code/corporate`] });
  const { issuer, clientSecret } = provider;
  // No users are created for accounts of this provider.
  await server.client.authenticationSettings.updateOAuth2ProviderSettings({
    params: { providerName: 'corporate' },
    body: {
      issuerUrl: issuer,
      clientId: CLIENT_ID,
      clientSecret,
      authorizationUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      jwkSetUrl: `${issuer}/jwks`,
      userInfoUrl: `${issuer}/me`,
    },
  });
});
afterAll(() => provider.close());
beforeEach(() => {
  people += 1;
  provider.user = { sub: `subject-${people}`, username: `somebody-${people}` };
});

async function invite() {
  const username = `invited-${people}-${Math.random().toString(36).slice(2)}`;
  const { uuid } = await server.client.users.createUser({ body: { username } });
  return { username, uuid, url: await inviteAgain(uuid) };
}
/** Creates an invitation; its URL has the host that the provider redirects to, not the one for passkeys. */
const inviteAgain = async (userUuid: string) =>
  here + new URL((await server.client.invitations.createInvitation({ params: { userUuid } })).url).pathname;

const usernameOf = async (browser: Browser) => {
  const headers = { cookie: `signetry=${browser.cookies(here).get('signetry') ?? ''}` };
  const { status, text } = await send(here, '/api/v1/auth/profile', { headers });
  return status === 200 ? (JSON.parse(text) as { username: string }).username : status; // Profile response.
};
const isReturnUrl = (address: string): boolean => address.includes('/login/oauth2/code/');

/** Follows the button on the invitation page; returns the URL that the provider redirects the browser to. */
async function followToReturn(browser: Browser, url: string): Promise<string> {
  const page = await browser.visit(url);
  const [, href = ''] = /href="([^"]+)">Sign in with corporate/.exec(page.text) ?? [];
  const led = await browser.visit(here + href, { referer: url });
  expect(led.status).toBe(303);
  return (await browser.follow(led.headers.location ?? '', isReturnUrl)).address;
}
async function accept(url: string, browser = openBrowser()) {
  const answer = await browser.visit(await followToReturn(browser, url));
  return { browser, status: answer.status };
}
const statusOf = async (url: string) => (await openBrowser().visit(url)).status;

describe('an invitation', () => {
  it('links the account that accepts it, only once, and from then on always signs that account in as the invited user', async () => {
    const { username, uuid, url } = await invite();
    const { browser, status } = await accept(url);
    expect([status, await usernameOf(browser), await statusOf(url)]).toEqual([303, username, 410]);
    const later = openBrowser();
    await later.follow(`${here}/oauth2/authorization/corporate`, (address) => address === `${here}/`);
    expect(await usernameOf(later)).toBe(username);
    const linked = await server.client.externalIdentities.listExternalIdentities({ params: { userUuid: uuid } });
    expect(linked).toMatchObject([{ providerName: 'corporate', subject: provider.user.sub }]);
    const { items } = await server.client.auditLogs.listAuditLogs({ body: { itemsPerPage: 20 } });
    expect(items.find(({ operation }) => operation === 'register')).toMatchObject({
      actor: { name: username },
      operationResult: 'success',
      operationData: { linked: { provider: 'corporate', subject: provider.user.sub } },
    });
  });

  it('for a different user cannot be accepted with an account that is already linked, and stays open', async () => {
    const own = await invite();
    await accept(own.url);
    const other = await invite();
    const { browser, status } = await accept(other.url);
    expect([status, await usernameOf(browser), await statusOf(other.url)]).toEqual([401, 401, 200]);
  });

  it('is accepted again by the same account after it was replaced', async () => {
    const { username, uuid, url } = await invite();
    await accept(url);
    const again = await accept(await inviteAgain(uuid));
    expect([again.status, await usernameOf(again.browser)]).toEqual([303, username]);
  });

  it.each([
    ['was replaced', ({ uuid }: { readonly uuid: string }) => inviteAgain(uuid)],
    ['is for somebody disabled', ({ uuid }) => server.client.users.disableUser({ params: { userUuid: uuid } })],
    ['was used', ({ url }: { readonly url: string }) => accept(url)],
  ] as readonly [string, (invited: { readonly uuid: string; readonly url: string }) => Promise<unknown>][])(
    'that %s while its user was at the provider does not link an account',
    async (_what, change) => {
      const invited = await invite();
      const browser = openBrowser();
      const back = await followToReturn(browser, invited.url);
      const { user } = provider;
      provider.user = { sub: `another-${people}`, username: `another-${people}` };
      await change(invited);
      provider.user = user;
      expect([(await browser.visit(back)).status, await usernameOf(browser)]).toEqual([401, 401]);
      const linked = await server.client.externalIdentities.listExternalIdentities({
        params: { userUuid: invited.uuid },
      });
      expect(linked.map(({ subject }) => subject)).not.toContain(user.sub);
    },
  );

  it.each([
    ['a message', {}],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['another site', { 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' }],
    ['a page that says it is ours', { referer: 'https://evil.example/' }],
  ])('must be opened before the provider is contacted, even when coming from %s', async (_from, headers) => {
    const { url } = await invite();
    const browser = openBrowser();
    const answer = await browser.visit(`${url}/provider/corporate`, headers);
    expect([answer.status, answer.headers.location]).toEqual([303, new URL(url).pathname]);
    expect(browser.cookies(here).has('signetry-sign-in')).toBe(false);
  });
});
