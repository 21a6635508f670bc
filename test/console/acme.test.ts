// The pages of ACME: what clients ordered, who they are, how they are let in, and how they are shut out.
import type { AcmeTestClient } from '@signetry/testkit';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { addAcmeProfile, managedAccount, type AcmeProfileOfTest } from '../e2e/testing/acme-profiles.ts';
import { sharedAcmeServer } from '../e2e/testing/acme-server.ts';
import { createAuthority, defaultProfile, type IssuingPath } from '../e2e/testing/profiles.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { userWith } from './testing/users.ts';

describe.skipIf(CHROMIUM === undefined)(`the pages of ACME${CHROMIUM_NOTE}`, () => {
  const acme = sharedAcmeServer([], { console: true });
  const desk = sharedConsole(acme.server);

  const rows = (page: Page) => page.getByRole('table', { name: 'Orders' }).getByRole('row');
  const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: name });
  const namesOf = async (page: Page) => (await rows(page).locator('td:first-child').allTextContents()).map(firstName);
  const firstName = (text: string): string => text.match(/^[\w-]+\.acme\.test/)?.[0] ?? text;

  /** An order whose name leads nowhere. */
  async function failedOrder(client: AcmeTestClient): Promise<string> {
    const name = acme.host('nobody-there');
    delete acme.dns.zone[name];
    const { body: order } = await client.newOrder([name]);
    expect((await acme.prove(client, order.authorizations[0] ?? '')).status).toBe('invalid');
    return name;
  }

  describe('orders', () => {
    let profile: AcmeProfileOfTest;
    let client: AcmeTestClient;
    let issued: string;
    let failed: string;
    let pending: string;

    beforeAll(async () => {
      profile = await addAcmeProfile(acme);
      client = await acme.account({ directoryUrl: profile.directoryUrl });
      issued = acme.host('issued');
      await acme.issue(client, [issued]);
      failed = await failedOrder(client);
      pending = acme.host('pending');
      await client.newOrder([pending]);
    });

    it('stand in the profile, the newest first, a failed one with its reason in sight', async () => {
      const page = await desk.open({ path: `/acme/${profile.uuid}` });
      await page.getByRole('tab', { name: 'Orders' }).click();
      await expect.poll(() => namesOf(page)).toEqual([pending, failed, issued]);
      await rowOf(page, failed).getByText('Failed', { exact: true }).waitFor();
      await rowOf(page, failed).getByText(`The proof of control of an identifier failed. ${failed}: `).waitFor();
      await rowOf(page, pending).getByText('Waiting for validation', { exact: true }).waitFor();
      expect(await rowOf(page, pending).getByText('failed').count()).toBe(0);
      await expectAccessible(page);
    });

    it('show the profile that they chose, where they chose one', async () => {
      const { raProfileUuid } = await defaultProfile(acme.server.client);
      const offeredProfiles = [{ name: 'short-lived', description: 'Six days', raProfileUuid }];
      const offering = await addAcmeProfile(acme, { offeredProfiles });
      const account = await acme.account({ directoryUrl: offering.directoryUrl });
      const name = acme.host('chosen');
      await account.newOrder({ identifiers: [{ type: 'dns', value: name }], profile: 'short-lived' });
      const chosen = await desk.open({ path: `/acme/${offering.uuid}?tab=orders` });
      await rowOf(chosen, name).getByText('Profile: short-lived', { exact: true }).waitFor();
      await expectAccessible(chosen);
      const plain = await desk.open({ path: `/acme/${profile.uuid}?tab=orders` });
      await rowOf(plain, pending).waitFor();
      expect(await rows(plain).getByText('Profile:').count()).toBe(0);
    });

    it('lead to the certificate and to the account', async () => {
      const page = await desk.open({ path: `/acme/${profile.uuid}?tab=orders` });
      await page.getByRole('link', { name: issued }).click();
      await page.waitForURL('**/certificates/*');
      await page.getByRole('main').getByText(issued).first().waitFor();
      await page.goBack();
      const { acmeAccountUuid } = await managedAccount(acme, client);
      const accountId = client.accountUrl?.split('/').at(-1) ?? '';
      await rowOf(page, failed).getByRole('link', { name: accountId }).click();
      await page.getByRole('heading', { name: accountId, level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/acme/${profile.uuid}/accounts/${acmeAccountUuid}`);
    });

    it('and accounts are found by the search of the whole console, which fetches few of them', async () => {
      const page = await desk.open({ path: '/' });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.getByRole('button', { name: 'Search certificates or go to…' }).click();
      const accountId = client.accountUrl?.split('/').at(-1) ?? '';
      const search = page.getByRole('combobox', { name: 'Search certificates or go to a page' });
      await search.fill('new');
      await page.getByRole('option', { name: 'New connector Action' }).waitFor();
      expect(asked.filter((path) => path.includes('acmeAccounts'))).toEqual([]);
      await search.fill(accountId.slice(1, 9));
      await page.getByRole('option', { name: `${accountId} ACME account of ${profile.name}` }).click();
      await page.getByRole('heading', { name: accountId, level: 1 }).waitFor();
      expect(asked).toContain('/api/x/v1/acmeAccounts');
      expect(asked).not.toContain('/api/v1/acmeAccounts');
    });

    it('are filtered by state, which the address keeps and "back" undoes', async () => {
      const page = await desk.open({ path: `/acme/${profile.uuid}?tab=orders` });
      await page.getByText('Failed', { exact: true }).first().click();
      await expect.poll(() => namesOf(page)).toEqual([failed]);
      const other = await desk.open({ path: new URL(page.url()).pathname + new URL(page.url()).search });
      await expect.poll(() => namesOf(other)).toEqual([failed]);
      expect(await other.getByRole('radio', { name: 'Failed' }).isChecked()).toBe(true);
      await page.goBack();
      await expect.poll(() => namesOf(page)).toEqual([pending, failed, issued]);
      expect(await page.getByRole('radio', { name: 'All' }).isChecked()).toBe(true);
      await other.getByRole('tab', { name: 'Settings' }).click();
      await expect.poll(() => new URL(other.url()).search).toBe('?tab=settings');
    });

    it('tell when none is in a state, and how to see all again', async () => {
      const page = await desk.open({ path: `/acme/${profile.uuid}?tab=orders&status=processing` });
      await page.getByText('No order is in this state').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show all orders' }).click();
      await expect.poll(() => namesOf(page)).toEqual([pending, failed, issued]);
    });

    it('that could not be read say so, and come when asked for again', async () => {
      const page = await desk.open({ path: `/acme/${profile.uuid}?tab=accounts` });
      await page.getByRole('tab', { name: 'Orders' }).waitFor();
      const isOrders = (url: URL): boolean => url.pathname.endsWith('/orders');
      await page.route(isOrders, (route) => route.abort());
      await page.getByRole('tab', { name: 'Orders' }).click();
      await page.getByRole('alert').getByText('The platform cannot be reached').waitFor();
      await page.unroute(isOrders);
      await page.getByRole('button', { name: 'Try again' }).click();
      await rowOf(page, issued).waitFor();
    });

    it('on a telephone, the open tab is in sight', async () => {
      const viewport = { width: 390, height: 844 };
      const page = await desk.open({ path: `/acme/${profile.uuid}?tab=settings`, viewport });
      const edges = () => page.getByRole('tab', { name: 'Settings' }).boundingBox();
      await expect.poll(async () => (await edges())?.x).toBeLessThan(viewport.width);
      const { x = 0, width = 0 } = (await edges()) ?? {};
      expect(x + width).toBeLessThanOrEqual(viewport.width);
    });

    it('of one account stand with the account', async () => {
      const second = await acme.account({ directoryUrl: profile.directoryUrl });
      const own = await failedOrder(second);
      const { acmeAccountUuid } = await managedAccount(acme, second);
      const page = await desk.open({ path: `/acme/${profile.uuid}/accounts/${acmeAccountUuid}` });
      await expect.poll(() => namesOf(page)).toEqual([own]);
      await rowOf(page, own).getByText('The proof of control of an identifier failed.').waitFor();
      await expectAccessible(page);
    });
  });

  it('a profile without orders tells what will stand there, and how to begin', async () => {
    const profile = await addAcmeProfile(acme);
    const page = await desk.open({ path: `/acme/${profile.uuid}?tab=orders` });
    await page.getByRole('heading', { name: 'No orders yet' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Set up a client' }).click();
    await page.getByRole('textbox', { name: 'Host names' }).waitFor();
  });

  it('many orders are turned page by page', async () => {
    const profile = await addAcmeProfile(acme);
    const client = await acme.account({ directoryUrl: profile.directoryUrl });
    const names = Array.from({ length: 26 }, () => acme.host('many'));
    for (const name of names) await client.newOrder([name]);
    const page = await desk.open({ path: `/acme/${profile.uuid}?tab=orders` });
    await expect.poll(() => namesOf(page)).toEqual(names.slice(1).toReversed());
    await page.getByText('1–25 of 26').waitFor();
    await page.getByRole('button', { name: 'next page' }).click();
    await expect.poll(() => namesOf(page)).toEqual(names.slice(0, 1));
    expect(new URL(page.url()).searchParams.get('page')).toBe('2');
    await page.goBack();
    await expect.poll(() => namesOf(page)).toHaveLength(25);
    await page.goto(`${desk.server.ready.http}/acme/${profile.uuid}?tab=orders&page=9`);
    await page.getByRole('button', { name: 'Go to the first page' }).click();
    await expect.poll(() => namesOf(page)).toHaveLength(25);
  });

  it('commands are copied with the names that were typed', async () => {
    const profile = await addAcmeProfile(acme);
    const page = await desk.open({ path: `/acme/${profile.uuid}` });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('textbox', { name: 'Host names' }).fill('shop.example www.shop.example');
    await page.getByRole('button', { name: 'lego', exact: true }).click();
    await page.getByRole('button', { name: /^Copy lego, get the certificate/ }).click();
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await expect.poll(copied).toContain(profile.directoryUrl);
    expect(await copied()).toMatch(/shop\.example.*www\.shop\.example/s);
    await page.getByRole('button', { name: 'Copy URL' }).click();
    await expect.poll(copied).toBe(profile.directoryUrl);
  });

  it('an external account key is made, shown this once, and lets a client in', async () => {
    const profile = await addAcmeProfile(acme, { externalAccountRequired: true });
    const page = await desk.open({ path: `/acme/${profile.uuid}?tab=keys` });
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Team of the shop');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await dialog.getByText('Copy the MAC key now').waitFor();
    await expectAccessible(page);
    const keyId = await dialog.getByLabel('Key ID', { exact: true }).innerText();
    const macKey = await dialog.getByLabel('MAC key', { exact: true }).innerText();
    // What is never shown again is not lost by a slip.
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const table = page.getByRole('table', { name: 'External account keys' });
    await table.getByText('Usable', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(macKey);

    const client = await acme.client({ directoryUrl: profile.directoryUrl });
    const binding = await client.eab({ keyId, macKey });
    expect(await client.newAccount({ externalAccountBinding: binding })).toMatchObject({ status: 201 });
    await page.reload();
    await table.getByText('Used', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(macKey);
  });

  it('a profile is offered to clients, and withdrawn', async () => {
    const profile = await addAcmeProfile(acme);
    const page = await desk.open({ path: `/acme/${profile.uuid}/edit` });
    await page.getByRole('button', { name: 'Add a profile' }).click();
    const offer = page.getByRole('group', { name: 'Profile 1' });
    await offer.getByRole('textbox', { name: 'Name' }).fill('usual');
    await offer.getByRole('combobox', { name: 'RA profile' }).click();
    await page.getByRole('option', { name: 'default', exact: true }).click();
    await offer.getByRole('textbox', { name: 'Description' }).fill('For servers');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('usual', { exact: true }).waitFor();
    const client = await acme.client({ directoryUrl: profile.directoryUrl });
    expect((await client.directory()).meta?.profiles).toEqual({ usual: 'For servers' });

    await page.goto(`${desk.server.ready.http}/acme/${profile.uuid}/edit`);
    await page.getByRole('button', { name: 'Remove profile 1' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('none to choose from').waitFor();
  });

  it('the check of CAA records is switched off, and returns to the default', async () => {
    const profile = await addAcmeProfile(acme, { caaIdentities: ['ca.acme-users.org'] });
    const shown = () => acme.server.client.acmeProfiles.getAcmeProfile({ params: { uuid: profile.uuid } });
    const page = await desk.open({ path: `/acme/${profile.uuid}/edit` });
    const choose = async (choice: string) => {
      await page.getByRole('combobox', { name: 'CAA records' }).click();
      await page.getByRole('option', { name: choice }).click();
    };
    await page.getByRole('combobox', { name: 'CAA identities' }).waitFor();
    await choose('Do not check');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('not checked', { exact: true }).waitFor();
    expect((await shown()).caaIdentities).toEqual([]);
    await page.goto(`${desk.server.ready.http}/acme/${profile.uuid}/edit`);
    await choose('Check public names');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('checked for public names, if the public URL has a public host').waitFor();
    expect((await shown()).caaIdentities).toBeUndefined();
  });

  it('further challenges are offered, dns-persist-01 with the name of an issuer only', async () => {
    const profile = await addAcmeProfile(acme);
    const page = await desk.open({ path: `/acme/${profile.uuid}/edit` });
    await page.getByRole('switch', { name: 'Offer dns-persist-01' }).check({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('dns-persist-01 needs the name of the issuer').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'CAA records' }).click();
    await page.getByRole('option', { name: 'Check for these identities' }).click();
    await page.getByRole('combobox', { name: 'CAA identities' }).fill('ca.acme-users.org');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('http-01, dns-01, tls-alpn-01, dns-persist-01').waitFor();
    const client = await acme.client({ directoryUrl: profile.directoryUrl });
    expect((await client.directory()).meta?.issuerDomainNames).toEqual(['ca.acme-users.org']);
  });

  it('names are restricted by the profile, and further by a key', async () => {
    const profile = await addAcmeProfile(acme);
    const page = await desk.open({ path: `/acme/${profile.uuid}/edit` });
    await page.getByRole('combobox', { name: 'Allowed DNS suffixes' }).fill('acme.test');
    await page.keyboard.press('Enter');
    await page.getByRole('switch', { name: 'Allow wildcards' }).uncheck({ force: true });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('only acme.test; no wildcards').waitFor();

    await page.getByRole('tab', { name: 'External account keys' }).click();
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch', { name: 'Restrict names' }).check({ force: true });
    await dialog.getByRole('combobox', { name: 'Denied DNS suffixes' }).fill('secret.acme.test');
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('table', { name: 'External account keys' }).getByText('Names: not secret.acme.test').waitFor();
  });

  it('an account that is disabled is refused until it is enabled, and for good when it is revoked', async () => {
    const profile = await addAcmeProfile(acme);
    const client = await acme.account({ directoryUrl: profile.directoryUrl });
    const { acmeAccountUuid } = await managedAccount(acme, client);
    const order = async () => (await client.newOrder([acme.host('by-account')])).status;
    const page = await desk.open({ path: `/acme/${profile.uuid}/accounts/${acmeAccountUuid}` });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Disable' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await order()).toBeGreaterThanOrEqual(400);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    expect(await order()).toBe(201);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect(await order()).toBeGreaterThanOrEqual(400);
    expect(await page.getByRole('button', { name: /able$|^Revoke$/ }).count()).toBe(0);
  });

  describe('under the name of an RA profile', () => {
    let place: IssuingPath;
    let made = 0;
    const raProfilePath = () => `/ra-profiles/${place.raProfileUuid}`;
    const served = () => desk.server.client.raProfileAcme.getAcmeForRaProfile({ params: place });

    /** An RA profile for each test, since it is served by one ACME profile only. */
    async function raProfile(): Promise<void> {
      place = await createAuthority(desk.server.client, { name: `Served ${++made}` });
    }

    it('ACME is served by a profile that is chosen, until somebody stops it', async () => {
      await raProfile();
      const profile = await addAcmeProfile(acme);
      const page = await desk.open({ path: raProfilePath() });
      await page.getByRole('button', { name: 'Serve ACME' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'ACME profile' }).click();
      await page.getByRole('option', { name: profile.name, exact: true }).click();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Serve ACME' }).click();
      await page.getByText('Served', { exact: true }).waitFor();
      await page.getByRole('link', { name: profile.name }).first().waitFor();
      const { directoryUrl = '', name } = await served();
      expect(name).toBe(profile.name);
      const host = acme.host('under-its-name');
      const { chain } = await acme.issue(await acme.account({ directoryUrl }), [host]);
      expect(chain).toContain('BEGIN CERTIFICATE');

      await page.getByRole('button', { name: 'Stop serving ACME' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Stop serving' }).click();
      await page.getByText('Not served').waitFor();
      expect((await served()).acmeAvailable).toBe(false);
    });

    it('a profile that serves is removed by force only, after it is said what needs it', async () => {
      await raProfile();
      const profile = await addAcmeProfile(acme);
      await desk.server.client.raProfileAcme.activateAcmeForRaProfile({
        params: { ...place, acmeProfileUuid: profile.uuid },
        body: { issueCertificateAttributes: [], revokeCertificateAttributes: [] },
      });
      const { name } = await desk.server.client.raProfiles.getRaProfileWithoutAuthority({ params: place });
      const page = await desk.open({ path: `/acme/${profile.uuid}` });
      await page.getByRole('button', { name: 'Remove' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByRole('button', { name: /force/ }).count()).toBe(0);
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await dialog.getByText('RA profiles serve ACME with it').waitFor();
      await dialog.getByText(name).waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Remove by force' }).click();
      await page.getByRole('heading', { name: 'ACME', level: 1 }).waitFor();
      await page.getByText(`${profile.name} was removed.`).waitFor();
      expect((await served()).acmeAvailable).toBe(false);
    });
  });

  describe('to a user with few rights', () => {
    let profile: AcmeProfileOfTest;

    beforeAll(async () => {
      profile = await addAcmeProfile(acme);
      const rights = [['acmeProfiles', 'list'], ['acmeProfiles', 'detail']] as const; // prettier-ignore
      await userWith(desk.server, 'looks-on', rights);
    });

    it('shows no orders and accounts, and says why when an address leads there', async () => {
      const page = await desk.open({ as: 'looks-on', path: `/acme/${profile.uuid}` });
      await page.getByRole('textbox', { name: 'Host names' }).waitFor();
      const tabs = await page.getByRole('tab').allTextContents();
      expect(tabs).toEqual(['Get a certificate', 'External account keys', 'Settings']);
      await expectAccessible(page);
      await page.goto(`${desk.server.ready.http}/acme/${profile.uuid}?tab=orders`);
      await page.getByRole('alert').getByText('Permission denied').waitFor();
    });

    it('offers nothing that they may not do', async () => {
      const page = await desk.open({ as: 'looks-on', path: `/acme/${profile.uuid}?tab=keys` });
      await page.getByText('No external account keys').waitFor();
      for (const name of ['Create a key', 'Remove', 'Disable', 'Edit'])
        await expect.poll(() => page.getByRole('button', { name, exact: true }).count(), { message: name }).toBe(0);
      await expectAccessible(page);
    });
  });
});
