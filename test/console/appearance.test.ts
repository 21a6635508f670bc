// The console before its script runs, in print, and with a selection longer than a page.
import { beforeAll, describe, expect, it } from 'vitest';
import { issue } from '../e2e/testing/certificates.ts';
import { defaultProfile } from '../e2e/testing/profiles.ts';
import { makeRequest } from '../e2e/testing/requests.ts';
import { certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

const MANY = 27;

describe.skipIf(CHROMIUM === undefined)(`the console${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  beforeAll(async () => {
    for (let at = 1; at <= MANY; at += 1) await certificateFor(desk.server.client, `many-${at}.example`);
  });

  it('shows its frame in the final position before its script runs', async () => {
    const page = await desk.open({ path: '/' });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const drawn = await page.getByRole('banner').boundingBox();
    const menu = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
    expect(await page.locator('#first-paint').count()).toBe(0);
    await page.route('**/*.js', (route) => route.abort());
    await page.reload();
    await page.getByText('Loading Signetry').waitFor();
    expect(await page.locator('.first-head').boundingBox()).toEqual(drawn);
    expect(await page.locator('.first-menu').boundingBox()).toEqual(menu);
  });

  it("prints a certificate without the page's controls", async () => {
    const page = await desk.open({ path: '/certificates?text=many-7' });
    await page.getByRole('link', { name: 'many-7.example' }).click();
    await page.getByRole('heading', { name: 'many-7.example', level: 1 }).waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.getByText('Serial number').first().waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);
    const colours = 'getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color';
    expect(await page.evaluate(colours)).toBe('rgb(255, 255, 255)rgb(0, 0, 0)');
  });

  it('prints all names of a certificate, including those collapsed on the page', async () => {
    const dnsNames = Array.from({ length: 60 }, (_, place) => `name-${place}.printed.example`);
    const { client } = desk.server;
    const request = await makeRequest({ subject: 'CN=printed.example', dnsNames });
    const { uuid } = await issue(client, await defaultProfile(client), request);
    const page = await desk.open({ path: `/certificates/${uuid}` });
    await page
      .getByRole('button', { name: /^and \d+ more$/ })
      .first()
      .waitFor();
    const generated = () =>
      page.evaluate<string>(
        `[...document.querySelectorAll('[data-names]')].map((each) => getComputedStyle(each, '::after').content).join()`,
      );
    expect(await generated()).not.toContain('name-59.printed.example');
    await page.emulateMedia({ media: 'print' });
    expect(await generated()).toContain('name-59.printed.example');
  });

  it('selects all matching certificates, not only those on the page', async () => {
    const page = await desk.open({ path: '/certificates?size=25&text=many-' });
    await page.getByRole('checkbox', { name: `Select all ${MANY} that match` }).click();
    const selection = page.getByRole('group', { name: 'Selected certificates' });
    await selection.getByText(`${MANY} selected`).waitFor();
    await page.getByRole('checkbox', { name: 'Select many-27.example' }).uncheck();
    await page.getByRole('button', { name: 'next page' }).click();
    await page.getByRole('checkbox', { name: 'Select many-1.example' }).waitFor();
    await selection.getByText(`${MANY - 1} selected`).waitFor();
    await selection.getByRole('button', { name: 'Signal early renewal (ACME ARI)' }).click();
    await page.getByRole('dialog', { name: `Signal early renewal for ${MANY - 1} certificates?` }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Search the inventory' }).fill('many-2');
    await selection.waitFor({ state: 'detached' });
  });
});
