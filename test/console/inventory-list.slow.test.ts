// The inventory list, customized by each user: filters on every field, columns in any order, saved views, and going
// back.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { addCopies, certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { saveByClick } from './testing/downloads.ts';

const table = (page: Page) => page.getByRole('table', { name: 'Certificates' });
const names = (page: Page) => table(page).getByRole('link').allTextContents();
const headings = async (page: Page) =>
  (await table(page).getByRole('columnheader').allTextContents()).filter((text) => text !== '');
const searchOf = (page: Page) => new URL(page.url()).searchParams;
const listUrl = (search: Readonly<Record<string, unknown>>): string =>
  `/certificates?${new URLSearchParams(Object.entries(search).map(([key, value]) => [key, JSON.stringify(value)]))}`;

const property = (fieldIdentifier: string, condition: string, value?: unknown) => ({
  fieldSource: 'property',
  fieldIdentifier,
  condition,
  value,
});

/** Chooses an option in a field of the filter dialog. */
async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

describe.skipIf(CHROMIUM === undefined)(`the inventory list${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  beforeAll(async () => {
    const { client, running } = desk.server;
    for (const name of ['mail.list.example', 'shop.list.example', 'wiki.list.example'])
      await certificateFor(client, name);
    const { uuid } = await certificateFor(client, 'kept.list.example');
    await running.platform.database.query('UPDATE certificate SET archived = true WHERE uuid = $1', [uuid]);
    await client.customAttributes.createCustomAttribute({
      body: { name: 'rack', label: 'Rack', contentType: 'integer', resources: ['certificates'] },
    });
  });

  const openFilters = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('dialog', { name: 'Filters' }).waitFor();
  };
  const apply = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();

  it('can be filtered by text, choices and periods, which are kept in the URL', async () => {
    const page = await desk.open({ path: '/certificates' });
    await openFilters(page);
    await choose(page, 'Field of filter 1', 'Common name');
    await page.getByRole('combobox', { name: 'Value of filter 1' }).fill('shop');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Value of filter 1' }).fill('wiki');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await choose(page, 'Field of filter 2', 'State');
    await choose(page, 'Value of filter 2', 'Issued');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await choose(page, 'Field of filter 3', 'Valid from');
    await choose(page, 'Condition of filter 3', 'is in the last');
    await choose(page, 'Value of filter 3: unit', 'weeks');
    await expectAccessible(page);
    await apply(page);
    await expect.poll(() => names(page)).toEqual(['wiki.list.example', 'shop.list.example']);
    expect(JSON.parse(searchOf(page).get('filters') ?? '')).toEqual([
      property('COMMON_NAME', 'CONTAINS', ['shop', 'wiki']),
      property('CERTIFICATE_STATE', 'EQUALS', ['issued']),
      property('NOT_BEFORE', 'IN_PAST', 'P30W'),
    ]);
    const inForce = page.getByRole('group', { name: 'Active filters' });
    await inForce.getByText('Valid from is in the last 30 weeks').waitFor();
    await inForce.getByRole('button', { name: 'Remove filter Common name contains shop or wiki' }).click();
    await expect.poll(() => names(page)).toContain('mail.list.example');
  });

  it('can be filtered by a custom attribute, and a filter can be edited from its label', async () => {
    const filters = [{ fieldSource: 'custom', fieldIdentifier: 'rack|INTEGER', condition: 'EMPTY' }];
    const page = await desk.open({ path: listUrl({ text: 'list.example', filters }) });
    await expect.poll(() => names(page)).toHaveLength(3);
    await page.getByRole('button', { name: 'Edit filter rack is empty' }).click();
    await choose(page, 'Condition of filter 1', 'is at least');
    await apply(page);
    await page.getByRole('alert').getByText('Enter a number.').waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Value of filter 1' }).fill('7');
    await apply(page);
    await page.getByText('No certificates found').waitFor();
    expect(JSON.parse(searchOf(page).get('filters') ?? '')).toMatchObject([{ value: 7 }]);
  });

  it('shows platform errors at the filter, in the dialog and in the list', async () => {
    const page = await desk.open({ path: listUrl({ text: 'list.example' }) });
    await openFilters(page);
    await choose(page, 'Field of filter 1', 'Subject DN');
    await choose(page, 'Condition of filter 1', 'matches the pattern');
    await page.getByRole('textbox', { name: 'Value of filter 1' }).fill('(');
    await apply(page);
    const line = page.getByRole('group', { name: 'Filter 1' });
    await line.getByRole('alert').waitFor();
    expect(await line.getByRole('alert').textContent()).toMatch(/^The value .*\.$/);
    await page.getByRole('textbox', { name: 'Value of filter 1' }).fill('CN=shop');
    await apply(page);
    await expect.poll(() => names(page)).toEqual(['shop.list.example']);
    const rejected = await desk.open({ path: listUrl({ filters: [property('NOT_AFTER', 'IN_NEXT', 'soon')] }) });
    await rejected.getByText('Certificates could not be loaded').waitFor();
    await rejected
      .getByRole('group', { name: 'Active filters' })
      .getByText(/The value must be a duration/)
      .waitFor();
    await expectAccessible(rejected);
  });

  it('shows the chosen columns in the chosen order', async () => {
    const page = await desk.open({ path: listUrl({ text: 'list.example' }) });
    await expect.poll(() => headings(page)).toEqual(expect.arrayContaining(['Name', 'State', 'Expires', 'Key']));
    await page.getByRole('button', { name: 'Choose columns' }).click();
    await page.getByRole('checkbox', { name: 'Fingerprint' }).check();
    for (const title of ['Issuer', 'RA profile', 'Key'])
      await page.getByRole('checkbox', { name: title, exact: true }).uncheck();
    await page.getByRole('button', { name: 'Move Fingerprint up' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await expect.poll(() => headings(page)).toEqual(['Name', 'Fingerprint', 'State', 'Expires']);
    expect(JSON.parse(searchOf(page).get('columns') ?? '')).toEqual(['fingerprint', 'state', 'expires']);
    await page.getByRole('button', { name: 'Reset columns' }).click();
    await expect.poll(() => headings(page)).toContain('Key');
  });

  it('shows custom attributes as columns, which are included in saved views and exports', async () => {
    const { client } = desk.server;
    const [{ uuid: attributeUuid } = { uuid: '' }] = await client.customAttributes.listCustomAttributes({});
    const { certificates } = await client.certificateSearch.searchCertificates({ body: { text: 'shop.list' } });
    const params = { resourceName: 'certificates', objectUuid: certificates[0]?.uuid ?? '', attributeUuid } as const;
    await client.customAttributes.updateAttributeContentForResource({ params, body: [{ data: 42 }] });
    const page = await desk.open({ path: listUrl({ text: 'list.example' }) });
    await page.getByRole('button', { name: 'Choose columns' }).click();
    await page.getByRole('checkbox', { name: 'Rack' }).check();
    await expect.poll(() => headings(page)).toContain('Rack');
    await table(page)
      .getByRole('row')
      .filter({ hasText: 'shop.list.example' })
      .getByText('42', { exact: true })
      .waitFor();
    expect(JSON.parse(searchOf(page).get('columns') ?? '')).toContain('custom:rack|INTEGER');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    const { text } = await saveByClick(page, page.getByRole('button', { name: 'Export as CSV' }));
    const [header, ...lines] = text.trim().split('\r\n');
    expect(header?.endsWith(',rack')).toBe(true);
    expect(lines.filter((line) => line.endsWith(',42'))).toHaveLength(1);
  });

  it('shows archived certificates only on request', async () => {
    const page = await desk.open({ path: listUrl({ text: 'list.example' }) });
    await expect.poll(() => names(page)).toHaveLength(3);
    await page.getByRole('switch', { name: 'Include archived' }).click();
    await expect.poll(() => names(page)).toContain('kept.list.example');
    await table(page).getByText('archived', { exact: true }).waitFor();
    expect(searchOf(page).get('archived')).toBe('true');
  });

  it('can be saved as a view, opened from it, renamed and deleted', async () => {
    const page = await desk.open({ path: listUrl({ text: 'shop.list', columns: ['owner', 'state'] }) });
    await expect.poll(() => names(page)).toEqual(['shop.list.example']);
    await page.getByRole('button', { name: 'Views' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Save as new view…' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill('Shops');
    await page.getByRole('checkbox', { name: 'Use this view by default' }).check();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'View: Shops' }).waitFor();
    // The view is restored when the inventory is opened without filters.
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Inventory', exact: true }).click();
    await page.getByRole('button', { name: 'View: Shops' }).waitFor();
    await expect.poll(() => headings(page)).toEqual(['Name', 'Owner', 'State']);
    await page.getByRole('searchbox', { name: 'Search the inventory' }).fill('wiki.list');
    await page.getByRole('button', { name: 'View: Shops (changed)' }).click();
    await page.getByRole('menuitem', { name: 'Save changes to “Shops”' }).click();
    await page.getByRole('button', { name: 'View: Shops', exact: true }).click();
    await page.getByRole('menuitemradio', { name: 'Shops default', checked: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Rename “Shops”…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Wikis');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'View: Wikis' }).click();
    await page.getByRole('menuitemradio', { name: 'All certificates' }).click();
    await expect.poll(() => names(page)).toContain('mail.list.example');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitemradio', { name: 'Wikis default' }).click();
    await expect.poll(() => names(page)).toEqual(['wiki.list.example']);
    await page.getByRole('button', { name: 'View: Wikis' }).click();
    await page.getByRole('menuitem', { name: 'Delete “Wikis”…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Views' }).waitFor();
    expect(await desk.server.client.savedViews.listSavedViews({ query: {} })).toEqual([]);
  });

  it('rejects a second view with the same name, and shows the error in the dialog', async () => {
    const { savedViews } = desk.server.client;
    // Views belong to the user, not to the browser.
    const page = await desk.open({ path: '/certificates' });
    for (const outcome of ['saved', 'rejected']) {
      await page.getByRole('button', { name: /^Views?/ }).click();
      await page.getByRole('menuitem', { name: 'Save as new view…' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Twice');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      if (outcome === 'rejected')
        await page
          .getByRole('dialog')
          .getByText(/View Twice already exists/)
          .waitFor();
      else await page.getByRole('button', { name: 'View: Twice' }).waitFor();
    }
    for (const { uuid } of await savedViews.listSavedViews({ query: {} }))
      await savedViews.deleteSavedView({ params: { uuid } });
  });

  it('is restored by "back", with the same row at the same scroll position', async () => {
    const { client } = desk.server;
    const { uuid } = await certificateFor(client, 'row.back.example');
    await addCopies(desk.server, { uuid, count: 400, set: { common_name: "n || '.back.example'" } });
    const page = await desk.open({
      path: listUrl({ filters: [property('COMMON_NAME', 'ENDS_WITH', 'back.example')], page: 2 }),
    });
    const link = table(page).getByRole('link').nth(35);
    const name = (await link.textContent()) ?? '';
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate<number>('scrollY');
    expect(before).toBeGreaterThan(0);
    await link.click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe(name);
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeCloseTo(before, -2);
    // The next page is prefetched.
    const asked = page.waitForRequest((request) => request.postData()?.includes('"pageNumber":3') === true);
    await page.getByRole('button', { name: 'next page' }).hover();
    await asked;
    await page.getByRole('button', { name: 'next page' }).click();
    await expect.poll(() => searchOf(page).get('page')).toBe('3');
    await page.goto(new URL(listUrl({ page: 12_000 }), page.url()).href);
    await page.getByText('This page is beyond the end of the list').waitFor();
  });
});
