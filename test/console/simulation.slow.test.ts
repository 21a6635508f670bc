// Simulation of shorter validity periods, and certificates without automated renewal.
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectLargeTargets } from './testing/accessibility.ts';
import { certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`readiness for shorter validity periods${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  beforeAll(async () => {
    const { client } = desk.server;
    const { uuid } = await certificateFor(client, 'forgotten.example');
    await desk.server.running.platform.database.query(
      `UPDATE certificate SET not_before = now() - interval '380 days', not_after = now() + interval '10 days'
       WHERE uuid = $1`,
      [uuid],
    );
  });

  it.each([
    ['simulation', 'Simulation: maximum validity of 47 days'],
    ['unattended', 'No automated renewal'],
  ])('is accessible: %s', async (tab, title) => {
    const page = await desk.open({ path: `/insights?tab=${tab}` });
    await page.getByRole('region', { name: title }).waitFor();
    await page.getByRole('table').first().waitFor();
    await expectLargeTargets(page);
    await expectAccessible(page);
  });

  it('is simulated for a custom validity period by keyboard, and exported', async () => {
    const page = await desk.open({ path: '/insights?tab=simulation' });
    await page.getByRole('radio', { name: '47 days' }).press('ArrowRight');
    await page.getByLabel('Days', { exact: true }).fill('10');
    await page.getByLabel('Days', { exact: true }).press('Enter');
    await page.getByRole('region', { name: 'Simulation: maximum validity of 10 days' }).waitFor();
    expect(new URL(page.url()).searchParams.get('lifetime')).toBe('10');
    await page.getByRole('img', { name: /^Renewals in 52 weeks/ }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    expect((await download).suggestedFilename()).toBe('renewals-of-10-days.csv');
    await page.getByRole('button', { name: 'Show as table' }).click();
    await page.getByRole('columnheader', { name: 'Week starting' }).waitFor();
  });

  it('shows certificates without automated renewal, with the reasons and links', async () => {
    const page = await desk.open({ path: '/insights?tab=unattended' });
    await page.getByRole('link', { name: /No location, and key not in a token$/ }).click();
    expect(new URL(page.url()).searchParams.get('reason')).toBe('noLocationNorKey');
    const row = page.getByRole('row', { name: /forgotten\.example/ });
    await row.getByText(/use an ACME client/).waitFor();
    await row.getByRole('link', { name: 'forgotten.example' }).click();
    await page.getByRole('heading', { name: 'forgotten.example' }).waitFor();
  });

  it('includes the expiry notification thresholds, which must be numbers of days', async () => {
    const page = await desk.open({ path: '/settings' });
    await page.getByRole('button', { name: 'Change expiry notification thresholds' }).click();
    const field = page.getByRole('textbox', { name: 'Days before expiry' });
    await field.fill('a week');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await field.fill('14, 3');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Expiry notifications' }).getByText('14 and 3 days before').waitFor();
    expect(await desk.server.client.expiryThresholds.getExpiryThresholds()).toEqual({
      days: [14, 3],
      inherited: false,
    });
  });
});
