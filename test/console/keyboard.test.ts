// The main path without a mouse: sign in, find, open, revoke, and issue.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

const MANY_STOPS = 60;

/** Presses Tab until the target has the focus, like a user who follows the focus ring. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < MANY_STOPS; stop += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  expect.unreachable(`${target.toString()} is not reached by Tab`);
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

describe.skipIf(CHROMIUM === undefined)(`using only the keyboard${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('users sign in, find a certificate, and revoke it', async () => {
    const { uuid } = await certificateFor(desk.server.client, 'keys.example');
    const page = await desk.openAsStranger(new URL(await desk.linkOf('admin')).pathname);
    // The button has the focus once the page is rendered.
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Sign in' }))).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    await page.keyboard.press('/');
    const search = page.getByRole('combobox', { name: 'Search certificates or go to a page' });
    await expect.poll(() => hasFocus(search)).toBe(true);
    await page.keyboard.type('keys.example');
    await page.getByRole('option', { name: /^keys\.example/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'keys.example', level: 1 }).waitFor();

    const revoke = page.getByRole('button', { name: 'Revoke' });
    await tabTo(page, revoke);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Revoke keys.example?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => hasFocus(revoke)).toBe(true);

    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByRole('combobox', { name: 'Reason' }));
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Superseded by another certificate' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByRole('button', { name: 'Revoke' }));
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('keys.example is revoked.').waitFor();
    expect((await desk.server.client.certificates.getCertificate({ params: { uuid } })).state).toBe('revoked');
  });

  it('users can skip the menu and issue a certificate', async () => {
    const page = await desk.open({ path: '/issue' });
    await page.getByRole('combobox', { name: 'RA profile' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await hasFocus(page.getByRole('link', { name: 'Skip to content' }))).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => hasFocus(page.getByRole('main'))).toBe(true);
    await page.keyboard.press('Tab');
    expect(await hasFocus(page.getByRole('combobox', { name: 'RA profile' }))).toBe(true);
    await tabTo(page, page.getByRole('combobox', { name: 'Names' }));
    await page.keyboard.type('typed.example,');
    await tabTo(page, page.getByRole('button', { name: 'Issue certificate' }));
    await page.keyboard.press('Enter');
    await page.getByText('Save the private key now').waitFor();
  });

  it('users can list the shortcuts, and can type a question mark in a field', async () => {
    const page = await desk.open({ path: '/issue' });
    const names = page.getByRole('combobox', { name: 'Names' });
    await names.fill('?');
    await names.press('Shift+?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(await help.count()).toBe(0);
    await names.fill('');
    await page.getByRole('heading', { name: 'Issue a certificate', level: 1 }).click();
    await page.keyboard.press('Shift+?');
    await help.getByText('Ctrl K').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
  });

  it('the focused element is visibly marked', async () => {
    const page = await desk.open();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    for (let stop = 0; stop < 12; stop += 1) {
      await page.keyboard.press('Tab');
      const ring = await page.locator(':focus').evaluate((element) => {
        const { outlineStyle, outlineWidth } = element.ownerDocument.defaultView!.getComputedStyle(element);
        return `${element.textContent} ${outlineStyle} ${outlineWidth}`;
      });
      expect(ring).toMatch(/solid 2px$/);
    }
  });
});
