// How users sign in to the console and out of it.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`signing in${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('a user who is not signed in is shown on every page how to sign in', async () => {
    for (const path of ['/', '/certificates']) {
      const page = await desk.openAsStranger(path);
      await page.getByRole('heading', { name: 'Sign in to Signetry' }).waitFor();
      await page.getByText('signetry -- sign-in').waitFor();
      await expectAccessible(page);
    }
  });

  it('a link signs its user in with a button, and only once', async () => {
    const link = await desk.linkOf('admin');
    const page = await desk.openAsStranger(new URL(link).pathname);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await expectAccessible(page);

    const second = await desk.openAsStranger(new URL(link).pathname);
    await second.getByRole('heading', { name: 'This link can no longer be used' }).waitFor();
    await expectAccessible(second);
  });

  it('an expired link explains how to get a new one', async () => {
    const link = await desk.linkOf('admin');
    await desk.server.running.platform.database.query(
      "UPDATE sign_in_link SET created_at = now() - interval '1 day', expires_at = now() - interval '1 minute'",
    );
    const page = await desk.openAsStranger(new URL(link).pathname);
    await page.getByRole('heading', { name: 'This link can no longer be used' }).waitFor();
    await page.getByText('signetry sign-in').waitFor();
  });

  it('signing out ends the session for all pages in the browser', async () => {
    const page = await desk.openAsStranger(new URL(await desk.linkOf('admin')).pathname);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Inventory', exact: true }).click();
    await page.getByRole('heading', { name: 'Inventory' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${desk.server.ready.http}/`);
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'admin: account and appearance' }).click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Signetry' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in to Signetry' }).waitFor();
    await other.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inventory' }).click();
    await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in to Signetry' }).waitFor();
  });

  /** Signs out as from a different tab; a session expired in the database would be accepted for some more seconds. */
  const endSession = (page: Page) => page.context().request.post(`${desk.server.ready.http}/logout`);
  const signIn = async (page: Page) => {
    await page.goto(await desk.linkOf('admin'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  };

  it('a form keeps its input when the session ends, and can be submitted after signing in again', async () => {
    const page = await desk.openAsStranger('/');
    await signIn(page);
    await page.goto(`${desk.server.ready.http}/acme/new`);
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('kept');
    await endSession(page);
    await page.getByRole('button', { name: 'Create' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByText('signetry -- sign-in').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('alert').getByText('not signed in yet').waitFor();

    await signIn(await page.context().newPage());
    await dialog.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('kept');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'kept', level: 1 }).waitFor();
  });

  it('a page that failed to load after the session ended is reloaded after signing in', async () => {
    const page = await desk.openAsStranger('/');
    await signIn(page);
    await endSession(page);
    // A different request of the page may be the first to be rejected, and the dialog then covers the menu.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'ACME' }).dispatchEvent('click');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await signIn(await page.context().newPage());
    await page.getByRole('table', { name: 'ACME profiles' }).waitFor();
  });
});
