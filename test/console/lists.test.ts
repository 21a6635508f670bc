// The URL of a list contains its state: a reload, "back" and a shared link show the same rows.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

const MANY = 60;

describe.skipIf(CHROMIUM === undefined)(`a list${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  const names = (page: Page) => page.getByRole('table', { name: 'ACME profiles' }).getByRole('link').allTextContents();
  const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

  beforeAll(async () => {
    for (let at = 1; at <= MANY; at += 1)
      await desk.server.client.acmeProfiles.createAcmeProfile({
        body: { name: `many-${at}`, issueCertificateAttributes: [], revokeCertificateAttributes: [] },
      });
  });

  it('is searched and sorted through its URL, which works with reloads and links', async () => {
    const page = await desk.open({ path: '/acme' });
    await page.getByRole('searchbox', { name: 'Search ACME profiles' }).fill('many-1');
    await expect.poll(() => names(page)).toHaveLength(11);
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    const expected = ['many-19', 'many-18', 'many-17'];
    await expect.poll(async () => (await names(page)).slice(0, 3)).toEqual(expected);
    await expect.poll(() => searchOf(page)).toEqual({ text: 'many-1', sort: 'name', direction: 'desc' });
    await page.reload();
    await expect.poll(async () => (await names(page)).slice(0, 3)).toEqual(expected);
    const other = await desk.open({ path: new URL(page.url()).pathname + new URL(page.url()).search });
    await expect.poll(async () => (await names(other)).slice(0, 3)).toEqual(expected);
    await expectAccessible(page);
  });

  it('is paginated through its URL, and "back" from an object returns to the same page', async () => {
    const page = await desk.open({ path: '/acme?sort=name&direction=asc' });
    await page.getByRole('button', { name: 'next page' }).click();
    await expect.poll(() => searchOf(page)).toEqual({ sort: 'name', direction: 'asc', page: '2' });
    await expect.poll(async () => (await names(page)).at(-1)).toBe(`many-${MANY}`);
    await page.getByRole('link', { name: `many-${MANY}` }).click();
    await page.getByRole('heading', { name: `many-${MANY}`, level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(async () => (await names(page)).at(-1)).toBe(`many-${MANY}`);
    await page.goBack();
    await expect.poll(async () => (await names(page))[0]).toBe('default');
  });

  it('keeps its header visible while scrolling', async () => {
    const page = await desk.open({ path: '/acme' });
    const head = page.getByRole('columnheader', { name: 'Name' });
    await head.waitFor();
    await page.getByRole('table', { name: 'ACME profiles' }).getByRole('link').last().scrollIntoViewIfNeeded();
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(500);
    const header = await page.getByRole('banner').boundingBox();
    await expect.poll(async () => Math.round((await head.boundingBox())?.y ?? 0)).toBe(header?.height);
  });

  it('uses the full width of a wide window', async () => {
    const page = await desk.open({ path: '/acme', viewport: { width: 2560, height: 1200 } });
    const table = page.getByRole('table', { name: 'ACME profiles' });
    await table.waitFor();
    expect((await table.boundingBox())?.width).toBeGreaterThan(2_200);
  });

  it('without results says so, and offers a button to clear the search', async () => {
    const page = await desk.open({ path: '/acme?text=nowhere' });
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await expect.poll(() => names(page)).toContain('default');
    expect(searchOf(page)).toEqual({});
  });
});
