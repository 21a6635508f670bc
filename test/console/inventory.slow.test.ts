// Finding a certificate and returning to the previous page.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { defaultProfile } from '../e2e/testing/profiles.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { addCopies, certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

const names = (page: Page) => page.getByRole('table', { name: 'Certificates' }).getByRole('link').allTextContents();

describe.skipIf(CHROMIUM === undefined)(`the inventory${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();
  let shop: string;

  beforeAll(async () => {
    const { client } = desk.server;
    for (const name of ['mail.example', 'old-shop.example', 'wiki.example']) await certificateFor(client, name);
    const old = await certificateFor(client, 'gone.example');
    shop = (await certificateFor(client, 'shop.example')).uuid;
    await client.clientOperations.revokeCertificate({
      params: { ...(await defaultProfile(client)), certificateUuid: old.uuid },
      body: { reason: 'superseded', attributes: [] },
    });
  });

  it('lists all certificates, and can be searched by part of a name', async () => {
    const page = await desk.open({ path: '/certificates' });
    await expect.poll(() => names(page)).toContain('mail.example');
    await expectAccessible(page);
    await page.getByRole('searchbox', { name: 'Search the inventory' }).fill('shop');
    await expect.poll(() => names(page)).toEqual(['shop.example', 'old-shop.example']);
    expect(new URL(page.url()).searchParams.get('text')).toBe('shop');
  });

  it('reports when nothing matches, and explains how to clear the filters', async () => {
    const page = await desk.open({ path: '/certificates?text=nothing-like-it' });
    await page.getByText('No certificates found').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await expect.poll(() => names(page)).toContain('wiki.example');
    await expect.poll(() => page.getByRole('searchbox', { name: 'Search the inventory' }).inputValue()).toBe('');
  });

  it('can be filtered, and "back" from a certificate returns to the same list', async () => {
    const page = await desk.open({ path: '/certificates' });
    await page.getByRole('searchbox', { name: 'Search the inventory' }).fill('example');
    await page.getByText('Revoked', { exact: true }).first().click();
    await expect.poll(() => names(page)).toEqual(['gone.example']);
    // The URL follows the input after a short delay.
    await expect.poll(() => page.url()).toContain('text=example');
    const address = page.url();
    await page.getByRole('link', { name: 'gone.example' }).click();
    await page.getByRole('heading', { name: 'gone.example', level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => names(page)).toEqual(['gone.example']);
    expect(page.url()).toBe(address);
    expect(await page.getByRole('checkbox', { name: 'Revoked' }).isChecked()).toBe(true);
    expect(await page.getByRole('searchbox', { name: 'Search the inventory' }).inputValue()).toBe('example');
    // The URL contains the complete state: another user sees the same.
    const other = await desk.open({ path: new URL(address).pathname + new URL(address).search });
    await expect.poll(() => names(other)).toEqual(['gone.example']);
  });

  it('treats multiple values of one field as alternatives', async () => {
    const page = await desk.open({ path: '/certificates?text=example' });
    await page.getByText('Revoked', { exact: true }).first().click();
    await expect.poll(() => names(page)).toEqual(['gone.example']);
    await page.getByText('Issued', { exact: true }).first().click();
    await expect.poll(() => names(page)).toEqual(expect.arrayContaining(['gone.example', 'wiki.example']));
    await page.getByText('Revoked', { exact: true }).first().click();
    await expect.poll(() => names(page)).not.toContain('gone.example');
    expect(await names(page)).toContain('wiki.example');
  });

  it('shows every filter from a link, and each filter can be removed', async () => {
    const filters = [
      { fieldSource: 'property', fieldIdentifier: 'CERTIFICATE_STATE', condition: 'EQUALS', value: ['revoked'] },
      { fieldSource: 'property', fieldIdentifier: 'NOT_AFTER', condition: 'LESSER', value: '2020-01-01T00:00:00Z' },
      { fieldSource: 'property', fieldIdentifier: 'OWNER', condition: 'EQUALS', value: ['nobody'] },
    ];
    const page = await desk.open({
      path: `/certificates?${new URLSearchParams({ filters: JSON.stringify(filters) })}`,
    });
    await page.getByText('No certificates found').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Revoked' }).isChecked()).toBe(true);
    const inForce = page.getByRole('group', { name: 'Active filters' });
    await inForce.getByText('Owner: nobody').waitFor();
    await expectAccessible(page);
    await inForce.getByRole('button', { name: 'Remove filter Owner: nobody' }).click();
    await inForce.getByRole('button', { name: 'Remove filter Expires before 1 Jan 2020' }).click();
    await expect.poll(() => names(page)).toEqual(['gone.example']);
    expect(await inForce.count()).toBe(0);
  });

  it('shows a shared search even if its URL contains unknown values', async () => {
    const page = await desk.open({ path: '/certificates?page=zero&size=7&filters=none&text=wiki' });
    await expect.poll(() => names(page)).toEqual(['wiki.example']);
  });

  it('can be reached from every page through the global search', async () => {
    const page = await desk.open({ path: '/issue' });
    await page.getByRole('heading', { name: 'Issue a certificate' }).waitFor();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search certificates or go to a page' });
    await search.fill('shop.ex');
    await page.getByRole('option', { name: /^shop\.example/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('option', { name: /^shop\.example/ }).click();
    await page.getByRole('heading', { name: 'shop.example', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/certificates/${shop}`);
    await page.getByRole('button', { name: 'Search certificates or go to…' }).click();
    await search.fill('no such thing');
    await page.getByText('No results for “no such thing”.').waitFor();
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'hidden' });
  });

  it('is searched along with authorities, profiles, accounts and actions', async () => {
    const page = await desk.open({ path: '/' });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('/');
    const search = page.getByRole('combobox', { name: 'Search certificates or go to a page' });
    await search.fill('signetry root');
    await page.getByRole('option', { name: 'Signetry Root Authority' }).waitFor();
    await search.fill('default');
    await page.getByRole('option', { name: 'default RA profile' }).waitFor();
    await page.getByRole('option', { name: 'default ACME profile' }).waitFor();
    await expectAccessible(page);
    await search.fill('new conn');
    await page.getByRole('option', { name: 'New connector Action' }).click();
    await page.getByRole('heading', { name: 'New connector', level: 1 }).waitFor();
  });

  it('finds a certificate by its serial number, with or without colons', async () => {
    const { serialNumber = '' } = await desk.server.client.certificates.getCertificate({ params: { uuid: shop } });
    for (const text of [serialNumber, serialNumber.toUpperCase().match(/../g)?.join(':') ?? '']) {
      const page = await desk.open({ path: `/certificates?${new URLSearchParams({ text: JSON.stringify(text) })}` });
      await expect.poll(() => names(page)).toEqual(['shop.example']);
    }
  });

  it('revokes multiple certificates with the same reason', async () => {
    const { client } = desk.server;
    const wanted = [await certificateFor(client, 'one.bulk.example'), await certificateFor(client, 'two.bulk.example')];
    const page = await desk.open({ path: '/certificates?text=bulk.example' });
    for (const name of ['one.bulk.example', 'two.bulk.example'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('group', { name: 'Selected certificates' }).getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke 2 certificates?' });
    await dialog.getByRole('combobox', { name: 'Reason' }).click();
    await page.getByRole('option', { name: 'Cessation of operation' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('status').getByText('2 certificates revoked.').waitFor();
    for (const { uuid } of wanted)
      expect((await client.certificates.getCertificate({ params: { uuid } })).revocationReason).toBe(
        'cessationOfOperation',
      );
  });

  it('deletes multiple certificates, and lists those that could not be deleted, with the reasons', async () => {
    const { client } = desk.server;
    await certificateFor(client, 'one.dropped.example');
    const { uuid: kept } = await certificateFor(client, 'two.dropped.example');
    const { uuid: userUuid } = await client.users.createUser({ body: { username: 'holder', certificateUuid: kept } });
    const page = await desk.open({ path: '/certificates?text=dropped.example' });
    for (const name of ['one.dropped.example', 'two.dropped.example'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('group', { name: 'Selected certificates' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete 2 certificates?' }).getByText('It does not revoke:').waitFor();
    await expectAccessible(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').getByText('1 of 2 certificates deleted, 1 rejected.').waitFor();
    await dialog.getByText(/^Cannot delete certificate two\.dropped\.example: user holder signs in with it/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect.poll(() => names(page)).toEqual(['two.dropped.example']);
    await client.users.deleteUser({ params: { userUuid } });
  });

  it('deletes by filter when more certificates match than can be loaded', async () => {
    const { client } = desk.server;
    const { uuid } = await certificateFor(client, 'many.matching.example');
    await addCopies(desk.server, { uuid, count: 10_050, set: { state: "'failed'" } });
    const filters = [
      {
        fieldSource: 'property',
        fieldIdentifier: 'COMMON_NAME',
        condition: 'EQUALS',
        value: ['many.matching.example'],
      },
    ];
    const page = await desk.open({
      path: `/certificates?${new URLSearchParams({ filters: JSON.stringify(filters) })}`,
    });
    await page.getByRole('checkbox', { name: /^Select all 10,051 that match/ }).check();
    const actions = page.getByRole('group', { name: 'Selected certificates' });
    await actions.getByText('All matching certificates selected (10,051)').waitFor();
    expect(await actions.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await actions.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete all matching certificates (10,051)?' }).waitFor();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    // The bar has no width, so it is not visible, until the first certificate is done.
    await dialog.getByRole('progressbar').waitFor({ state: 'attached' });
    await expectAccessible(page);
    await dialog.getByRole('alert').getByText('10,051 of 10,051 certificates deleted.').waitFor({ timeout: 60_000 });
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('No certificates found').waitFor();
  });

  it('reports a page or certificate that does not exist', async () => {
    const page = await desk.open({ path: '/no/such/page' });
    await page.getByText('Page not found').waitFor();
    await expectAccessible(page);
    await page.goto(`${desk.server.ready.http}/certificates/00000000-0000-4000-8000-000000000000`);
    await page.getByRole('alert').getByText('Not found').waitFor();
    await expectAccessible(page);
  });
});
