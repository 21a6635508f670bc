// ACME orders on the pages of a profile and an account: identifiers, outcome and reason.
import type { AcmeTestClient } from '@signetry/testkit/acme';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { addAcmeProfile, managedAccount, type AcmeProfileOfTest } from '../e2e/testing/acme-profiles.ts';
import { sharedAcmeServer } from '../e2e/testing/acme-server.ts';
import { defaultProfile } from '../e2e/testing/profiles.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`ACME client orders${CHROMIUM_NOTE}`, () => {
  const acme = sharedAcmeServer([], { console: true });
  const desk = sharedConsole(acme.server);

  const rows = (page: Page) => page.getByRole('table', { name: 'Orders' }).getByRole('row');
  const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: name });
  const namesOf = async (page: Page) => (await rows(page).locator('td:first-child').allTextContents()).map(firstName);
  const firstName = (text: string): string => text.match(/^[\w-]+\.acme\.test/)?.[0] ?? text;

  /** Creates an order whose name does not resolve. */
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

    it('are listed in the profile, newest first, with the reason for each failure', async () => {
      const page = await desk.open({ path: `/acme/${profile.uuid}` });
      await page.getByRole('tab', { name: 'Orders' }).click();
      await expect.poll(() => namesOf(page)).toEqual([pending, failed, issued]);
      await rowOf(page, failed).getByText('Failed', { exact: true }).waitFor();
      await rowOf(page, failed).getByText(`${failed}: `).waitFor();
      await rowOf(page, pending).getByText('Waiting for validation', { exact: true }).waitFor();
      expect(await rowOf(page, pending).getByText('failed').count()).toBe(0);
      await expectAccessible(page);
    });

    it('show the profile selected by the client, if any', async () => {
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

    it('link to the certificate and to the account', async () => {
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

    it('and accounts are found by the global search, which fetches only a few of them', async () => {
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

    it('are filtered by state, which the URL preserves and "back" undoes', async () => {
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

    it('show a message if none match the selected state, with a way to show all of them again', async () => {
      const page = await desk.open({ path: `/acme/${profile.uuid}?tab=orders&status=processing` });
      await page.getByText('No orders in this state').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show all orders' }).click();
      await expect.poll(() => namesOf(page)).toEqual([pending, failed, issued]);
    });

    it('show an error if they fail to load, and load on retry', async () => {
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

    it('keep the selected tab visible on a phone', async () => {
      const viewport = { width: 390, height: 844 };
      const page = await desk.open({ path: `/acme/${profile.uuid}?tab=settings`, viewport });
      const edges = () => page.getByRole('tab', { name: 'Settings' }).boundingBox();
      await expect.poll(async () => (await edges())?.x).toBeLessThan(viewport.width);
      const { x = 0, width = 0 } = (await edges()) ?? {};
      expect(x + width).toBeLessThanOrEqual(viewport.width);
    });

    it('are listed on the page of the account that placed them', async () => {
      const second = await acme.account({ directoryUrl: profile.directoryUrl });
      const own = await failedOrder(second);
      const { acmeAccountUuid } = await managedAccount(acme, second);
      const page = await desk.open({ path: `/acme/${profile.uuid}/accounts/${acmeAccountUuid}` });
      await expect.poll(() => namesOf(page)).toEqual([own]);
      await rowOf(page, own).getByText(`${own}: `).waitFor();
      await expectAccessible(page);
    });
  });

  it('are explained in a profile that has none, with a link to client setup', async () => {
    const profile = await addAcmeProfile(acme);
    const page = await desk.open({ path: `/acme/${profile.uuid}?tab=orders` });
    await page.getByRole('heading', { name: 'No orders yet' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Set up a client' }).click();
    await page.getByRole('textbox', { name: 'Host names' }).waitFor();
  });

  it('are paginated', async () => {
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
});
