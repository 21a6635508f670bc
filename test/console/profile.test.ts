// The user's profile: personal data, access tokens that are shown once, sessions, and a passkey of a virtual device.
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { userWith } from './testing/users.ts';

describe.skipIf(CHROMIUM === undefined)(`the user profile${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it("opens from the account menu, describes the user's permissions, and can be edited", async () => {
    await userWith(desk.server, 'clerk', [
      ['certificates', 'list'],
      ['certificates', 'issue'],
    ]);
    const page = await desk.open({ as: 'clerk' });
    await page.getByRole('button', { name: 'clerk: account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Your profile' }).click();
    await page.getByText('List, Issue').waitFor();
    await page.getByRole('button', { name: 'Edit your details' }).click();
    await page.getByRole('textbox', { name: 'First name' }).fill('Clara');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your details were saved').waitFor();
    await page.getByRole('main').getByText('Clara').waitFor();
  });

  it('creates an access token that is shown once and works until it is revoked', async () => {
    const page = await desk.open({ path: '/profile' });
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('nightly report');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Token created' });
    const token = (await dialog.locator('pre').first().textContent()) ?? '';
    const use = () =>
      fetch(`${desk.server.ready.http}/api/v1/auth/profile`, { headers: { authorization: `Bearer ${token}` } });
    expect((await use()).status).toBe(200);
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('cell', { name: /^nightly report/ }).waitFor();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Revoke nightly report' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('nightly report is revoked').waitFor();
    expect((await use()).status).toBe(401);
  });

  it("ends a user's second session, but not the current one", async () => {
    await userWith(desk.server, 'traveler', []);
    const other = await desk.openAsStranger(new URL(await desk.linkOf('traveler')).pathname);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('navigation', { name: 'Main' }).waitFor();
    const page = await desk.open({ path: '/profile', as: 'traveler' });
    await page.getByText('This browser').waitFor();
    await page.getByRole('button', { name: /^End session of / }).click();
    await page.getByText('Session ended').waitFor();
    expect(await page.getByRole('button', { name: /^End session of / }).count()).toBe(0);
    await other.reload();
    await other.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'detached' });
  });

  it('allows adding, renaming and removing passkeys', async () => {
    await userWith(desk.server, 'holder', []);
    // Passkeys are bound to a host name, so an IP address does not work.
    const link = new URL(await desk.linkOf('holder'));
    const page = await desk.openAsStranger('/console/icon.svg');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    }); // prettier-ignore
    await page.goto(link.href.replace('127.0.0.1', 'localhost'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.goto(new URL('/profile', page.url()).href);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('work laptop');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('work laptop was added').waitFor();
    await page.getByRole('button', { name: 'Rename work laptop' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('old laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Remove old laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('old laptop was removed').waitFor();
    await page.getByText('No passkeys yet').waitFor();
  });
});
