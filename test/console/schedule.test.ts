// Scheduled jobs on the console pages: a discovery is scheduled, run immediately, edited, disabled and removed.
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultMaker } from '../e2e/testing/discoveries.ts';
import type { DiscoveryProvider } from '../load/discovery-provider.ts';
import { createSampleDiscoveries, type DiscoverySamples } from './sample-discoveries.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`scheduled jobs${CHROMIUM_NOTE}`, () => {
  const server = sharedTestServer({
    console: true,
    args: ['--egress-allowed-hosts', '127.0.0.1', '--discovery-networks', '127.0.0.0/8'],
  });
  const desk = sharedConsole(server);
  let samples: DiscoverySamples & { readonly provider: DiscoveryProvider };

  beforeAll(async () => {
    samples = await createSampleDiscoveries(server.client);
  });
  afterAll(() => samples?.provider.stop());

  it('include discoveries, are created without knowledge of cron, show the next runs, and can run immediately', async () => {
    samples.provider.shelves.set('nightly', { results: (await resultMaker())(2) });
    const page = await desk.open({ path: '/schedule' });
    await page.getByRole('link', { name: 'Schedule a discovery' }).first().click();
    await page.getByRole('radio', { name: 'Shelf' }).check();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nightly');
    await page.getByRole('textbox', { name: 'Shelf' }).fill('nightly');
    expect(await page.getByRole('radio', { name: 'On a schedule' }).isChecked()).toBe(true);
    await page.getByLabel('Time', { exact: false }).first().fill('03:30');
    await expect.poll(() => page.getByRole('list', { name: 'Next runs' }).getByRole('listitem').count()).toBe(5);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Nightly', level: 1 }).waitFor();
    await page.getByText('Every day at 03:30').waitFor();
    await page.getByText('No runs yet').waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByText('Certificates found: 2. New to the inventory: 2.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Discovery', exact: true }).click();
    await page.getByRole('heading', { name: /^Nightly_/, level: 1 }).waitFor();
  });

  it('report errors in an expression as it is entered, and cannot be saved with them', async () => {
    const page = await desk.open({ path: `/schedule/${samples.job}` });
    await page.getByText('Every Sunday at 03:00').waitFor();
    await page.getByRole('button', { name: 'Edit schedule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Frequency' }).click();
    await page.getByRole('option', { name: 'Cron expression' }).click();
    const field = dialog.getByRole('textbox', { name: 'Cron expression' });
    expect(await field.inputValue()).toBe('0 0 3 ? * SUN');
    await field.fill('0 0 25 * * ?');
    await dialog.getByText('hours: 25 is not between 0 and 23').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Cannot use the cron expression', { exact: false }).waitFor();
    await field.fill('0 0 4 L * ?');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The last day of every month at 04:00').waitFor();
  });

  it('are listed with their results, and can be disabled and removed, except for platform jobs', async () => {
    const page = await desk.open({ path: '/schedule' });
    await page.getByRole('link', { name: 'updateCertificateStatusJob' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Rack, every Sunday' }).click();
    await page.getByRole('button', { name: 'Disable Rack, every Sunday' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable Rack, every Sunday' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'Scheduled jobs', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Rack, every Sunday' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'updateCertificateStatusJob' }).click();
    await page.getByRole('button', { name: 'Run now' }).waitFor();
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Edit schedule' }).count()).toBe(0);
  });
});
