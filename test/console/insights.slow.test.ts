// Composition of the inventory; each number links to exactly the certificates that it counts.
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectLargeTargets } from './testing/accessibility.ts';
import { certificateFor, renewalOf } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`the insights${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  /** Moves the validity period of a certificate, which no operation does. */
  const setExpiry = (uuid: string, days: number) =>
    desk.server.running.platform.database.query(
      `UPDATE certificate SET not_before = now() - interval '100 days', not_after = now() + $2::int * interval '1 day'
       WHERE uuid = $1`,
      [uuid, days],
    );

  beforeAll(async () => {
    const { client } = desk.server;
    const renewed = await certificateFor(client, 'renewed-late.example');
    await renewalOf(client, renewed.uuid);
    await setExpiry(renewed.uuid, -5);
    await setExpiry((await certificateFor(client, 'gone.example')).uuid, -15);
    await setExpiry((await certificateFor(client, 'in-47-days.example')).uuid, 47);
    await certificateFor(client, 'live.example');
    const put = await certificateFor(client, 'put-away.example');
    await desk.server.running.platform.database.query('UPDATE certificate SET archived = true WHERE uuid = $1', [
      put.uuid,
    ]);
  });

  type Page = Awaited<ReturnType<typeof desk.open>>;
  const certificateLinks = (page: Page) => page.getByRole('table', { name: 'Certificates' }).getByRole('link');
  const countIn = (words: string | null): number => Number(/[\d,]+/.exec(words ?? '')?.[0]);

  it.each([
    ['calendar', '/insights', 'Expirations by day'],
    ['renewals', '/insights?tab=renewals', 'Expired in the last 90 days'],
    ['lifetimes', '/insights?tab=lifetimes', 'Validity periods'],
    ['keys', '/insights?tab=keys', 'Keys and signatures by year of expiry'],
    ['quantum', '/insights?tab=quantum', 'Keys and signatures by expiry'],
    ['issuers', '/insights?tab=issuers', 'Active certificates by issuer'],
    ['owners', '/insights?tab=owners', 'Unassigned certificates'],
  ])('are accessible, both as a chart and as a table: %s', async (_, path, title) => {
    const page = await desk.open({ path });
    const panel = page.getByRole('region', { name: title });
    await panel.waitFor();
    await expectLargeTargets(page);
    await expectAccessible(page);
    const toTable = page.getByRole('button', { name: 'Show as table' }).first();
    if ((await toTable.count()) === 0) return;
    await toTable.click();
    await page.getByRole('button', { name: 'Show as chart' }).waitFor();
    await expectAccessible(page);
  });

  it('link from a calendar day to its certificates, including when the day is reached with the arrow keys', async () => {
    const page = await desk.open({ path: '/insights' });
    const marked = page.getByRole('link', {
      name: /1 certificate; a 47-day certificate issued today expires on this day/,
    });
    await marked.waitFor();
    const first = page.locator('[data-day][tabindex="0"]');
    await first.focus();
    for (let press = 0; press < 60; press += 1) {
      if (await marked.evaluate((element) => element === element.ownerDocument.activeElement)) break;
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('Enter');
    await expect.poll(() => certificateLinks(page).allTextContents()).toEqual(['in-47-days.example']);
  });

  it('show a calendar whose month can be changed with the keyboard and whose days link to certificates', async () => {
    const page = await desk.open({ path: '/insights' });
    await page.getByText('Month', { exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('month')).toMatch(/^\d{4}-\d\d$/);
    await expectAccessible(page);
    expect(await page.getByRole('button', { name: 'Previous month' }).isDisabled()).toBe(true);
    const marked = page.getByRole('link', {
      name: /1 certificate; a 47-day certificate issued today expires on this day/,
    });
    const wanted = new Date(Date.now() + 47 * 86_400_000).toISOString().slice(0, 7);
    const selectedMonth = (): string => new URL(page.url()).searchParams.get('month') ?? '';
    for (let turns = 0; turns < 3 && selectedMonth() < wanted; turns += 1) {
      const before = new Date(`${selectedMonth()}-01T00:00:00Z`);
      const next = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 1));
      await page.locator('[tabindex="-1"]:has(> ol)').focus();
      await page.keyboard.press('PageDown');
      const name = next.toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
      await page.getByRole('heading', { level: 3, name }).waitFor();
    }
    await marked.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => certificateLinks(page).allTextContents()).toEqual(['in-47-days.example']);
    await page.goBack();
    await page.getByRole('button', { name: 'Previous month' }).click();
    await marked.waitFor({ state: 'detached' });
  });

  it('link from a validity period to its certificates, in both the chart and the table', async () => {
    const page = await desk.open({ path: '/insights?tab=lifetimes' });
    const { lifetimes } = await desk.server.client.inventoryStatistics.getCertificateComposition({ query: {} });
    const days = lifetimes.find(({ atMostDays }) => atMostDays === 200);
    expect(days).toEqual({ moreThanDays: 100, atMostDays: 200, certificates: 1 });
    await page.getByRole('link', { name: /^101 to 200 days.*1 certificate$/ }).click();
    await expect.poll(() => certificateLinks(page).allTextContents()).toEqual(['in-47-days.example']);
    await page.getByText('Validity in days is more than 100').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Show as table' }).click();
    await page.getByRole('link', { name: '1 certificate with a validity period of 101 to 200 days' }).click();
    await expect.poll(() => certificateLinks(page).allTextContents()).toEqual(['in-47-days.example']);
  });

  it('show which certificates were renewed late and which were never renewed', async () => {
    const page = await desk.open({ path: '/insights?tab=renewals' });
    const table = page.getByRole('table', { name: 'Expired certificates' });
    await expect.poll(() => table.getByRole('link').allTextContents()).toEqual(['gone.example']);
    const health = page.getByRole('region', { name: 'Expired in the last 90 days' });
    await health.getByRole('link', { name: '1 certificate renewed late', exact: true }).click();
    await expect.poll(() => table.getByRole('link').allTextContents()).toEqual(['renewed-late.example']);
    await table.getByText(/5 days after expiry$/).waitFor();
  });

  it.each([
    ['keys', /^\d+ certificates with ECDSA 256, signed with \w+, expiry: (?:\d{4})$/],
    ['owners', /^\d+ certificates without a group/],
    ['quantum', /^\d+ certificates? signed with /],
  ])('link to exactly as many certificates as they count: %s', async (tab, name) => {
    const page = await desk.open({ path: `/insights?tab=${tab}` });
    const link = page.getByRole('link', { name }).first();
    const count = countIn(await link.textContent());
    await link.click();
    await certificateLinks(page).first().waitFor();
    await expect.poll(() => certificateLinks(page).count()).toBe(count);
  });

  it("show an issuer's chain, with its trust status and its certificates", async () => {
    const page = await desk.open({ path: '/insights?tab=issuers' });
    await page.getByRole('link', { name: /^Signetry Root\s*\d+ active\s*Trusted$/ }).click();
    const chain = page.getByRole('region', { name: 'Chain of Signetry Root' });
    await chain.getByText('Trusted', { exact: true }).waitFor();
    await expectAccessible(page);
    const link = chain.getByRole('link', { name: /certificates issued by Signetry Root/ });
    const count = countIn(await link.textContent());
    await link.click();
    await expect.poll(() => certificateLinks(page).count()).toBe(count);
  });

  it('count archived certificates only on request, as do the linked lists', async () => {
    const page = await desk.open({ path: '/' });
    const total = page.getByRole('list', { name: 'Totals' }).getByRole('link', { name: /Certificates$/ });
    const without = countIn(await total.textContent());
    await page.getByRole('switch', { name: 'Include archived' }).click();
    await expect.poll(async () => countIn(await total.textContent())).toBe(without + 1);
    await total.click();
    await expect.poll(() => certificateLinks(page).allTextContents()).toContain('put-away.example');
    await page.getByRole('switch', { name: 'Include archived' }).click();
    await expect.poll(() => certificateLinks(page).allTextContents()).not.toContain('put-away.example');
  });

  it('include a comparison of two certificates selected in the list', async () => {
    const page = await desk.open({ path: '/certificates?text=example' });
    for (const name of ['live.example', 'gone.example'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).click();
    await page.getByRole('link', { name: 'Compare' }).click();
    const comparison = page.getByRole('table', { name: 'Comparison' });
    await comparison
      .getByRole('row', {
        name: /^Name Different live\.example gone\.example|^Name Different gone\.example live\.example/,
      })
      .waitFor();
    await comparison.getByRole('row', { name: /^Key ECDSA, 256 bits ECDSA, 256 bits/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('switch', { name: 'Show only differences' }).click();
    await expect.poll(() => comparison.getByRole('row', { name: /^Key ECDSA/ }).count()).toBe(0);
  });
});
