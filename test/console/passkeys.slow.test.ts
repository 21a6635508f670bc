// Giving a second user access: an invitation, a passkey, and a new invitation if the passkey is lost. Chromium has a
// virtual authenticator for this that verifies users without interaction.
import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

interface Authenticator {
  readonly session: CDPSession;
  readonly authenticatorId: string;
}

async function addAuthenticator(page: Page): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, authenticatorId };
}

describe.skipIf(CHROMIUM === undefined)(`passkeys${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  async function invite(username: string): Promise<string> {
    const { client } = desk.server;
    const users = await client.users.listUsers();
    const known = users.find((user) => user.username === username);
    const { uuid } = known ?? (await client.users.createUser({ body: { username } }));
    const { url } = await client.invitations.createInvitation({ params: { userUuid: uuid } });
    return url;
  }

  const localhostUrl = (path: string): string => `${desk.server.ready.http.replace('127.0.0.1', 'localhost')}${path}`;

  const accept = async (page: Page, name: string): Promise<void> => {
    await page.getByLabel('Passkey name').fill(name);
    await page.getByRole('button', { name: 'Create a passkey and sign in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  };

  it('can be created from an invitation, sign users in, and can be replaced through a new invitation when lost', async () => {
    const page = await desk.openAsStranger('/login');
    const { session, authenticatorId } = await addAuthenticator(page);
    const first = await invite('dora');
    expect(first.startsWith(localhostUrl('/invitation/'))).toBe(true);
    await page.goto(first);
    await page.getByText('This invitation is for the user dora').waitFor();
    await expectAccessible(page);
    await accept(page, 'Laptop');
    expect(new URL(page.url()).pathname).toBe('/');

    await page.goto(localhostUrl('/logout'));
    await page.goto(localhostUrl('/login?redirect=/acme'));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/acme');
    await page.getByRole('button', { name: 'dora: account and appearance' }).waitFor();

    await page.goto(localhostUrl('/logout'));
    await session.send('WebAuthn.clearCredentials', { authenticatorId });
    await page.goto(first);
    await page.getByRole('heading', { name: 'This invitation can no longer be used' }).waitFor();
    await expectAccessible(page);
    await page.goto(await invite('dora'));
    await accept(page, 'New laptop');
    const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials.map(({ rpId, isResidentCredential }) => [rpId, isResidentCredential])).toEqual([
      ['localhost', true],
    ]);
  });

  it('that are unknown are rejected, and the page says so', async () => {
    const page = await desk.openAsStranger('/login');
    await addAuthenticator(page);
    await page.goto(await invite('erik'));
    await accept(page, 'Phone');
    const { client } = desk.server;
    const userUuid = (await client.users.listUsers()).find(({ username }) => username === 'erik')?.uuid ?? '';
    const [passkey] = await client.passkeys.listPasskeysOfUser({ params: { userUuid } });
    expect(passkey).toMatchObject({ name: 'Phone', host: 'localhost' });
    await client.passkeys.removePasskeyOfUser({ params: { userUuid, uuid: passkey?.uuid ?? '' } });
    await page.goto(localhostUrl('/login'));
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('This passkey cannot be used to sign in here').waitFor();
    await expectAccessible(page);
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('signetry-return');
  });

  it('are offered at localhost to users who open the console by IP address', async () => {
    const page = await desk.openAsStranger('/certificates');
    await page.getByRole('link', { name: 'Sign in with a passkey' }).click();
    await page.getByText('never to an IP address').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: /^Open this page at http:\/\/localhost:/ }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    expect(page.url()).toBe(localhostUrl('/login?redirect=%2Fcertificates'));
  });

  it('are not offered if the browser does not support them, and the page explains why', async () => {
    const page = await desk.openAsStranger('/login');
    await page.addInitScript('delete window.PublicKeyCredential');
    await page.goto(await invite('frida'));
    await page.getByText('This browser does not support passkeys').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
  });
});
