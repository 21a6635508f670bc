// Discoveries: start, watch, stop, resume and compare on the console pages.
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DiscoveryProvider } from '../load/discovery-provider.ts';
import { resultMaker, waitUntil } from '../e2e/testing/discoveries.ts';
import { createSampleDiscoveries, type DiscoverySamples } from './sample-discoveries.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`discoveries${CHROMIUM_NOTE}`, () => {
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

  it('can be started, stopped and resumed, and show their results', async () => {
    const make = await resultMaker();
    samples.provider.shelves.set('slow', { results: make(4_000), delayMs: 1_500 });
    const page = await desk.open({ path: '/discoveries' });
    await page.getByRole('link', { name: 'New discovery' }).first().click();
    await page.getByRole('radio', { name: 'Shelf' }).check();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Slow');
    await page.getByRole('textbox', { name: 'Shelf' }).fill('slow');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Slow', level: 1 }).waitFor();
    const uuid = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page
      .getByRole('link', { name: /^host\d+\.example\.com$/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Results found so far are retained', { exact: false }).waitFor();
    const stopped = await waitUntil(server.client, uuid, ({ phase }) => phase === 'ended');
    expect(stopped.found).toBeLessThan(4_000);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('progressbar').waitFor();
  });

  it('have a page on which every count links to the corresponding list', async () => {
    const page = await desk.open({ path: `/discoveries/${samples.warning}` });
    await page.getByRole('link', { name: '3', exact: true }).click();
    await page.getByText('Page 1, result 6').waitFor();
    expect(await page.getByRole('row').count()).toBe(4);
    await expectAccessible(page);
    await page.getByRole('link', { name: '5', exact: true }).first().click();
    await page.getByRole('columnheader', { name: 'Issuer' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(6);
  });

  it('can be compared', async () => {
    const page = await desk.open({ path: `/discoveries/${samples.completed}?view=difference` });
    await page.getByText('1–18 of 18').waitFor();
    await page.getByRole('combobox', { name: 'Changes' }).click();
    await page.getByRole('option', { name: 'New (10)' }).waitFor();
    await page.getByRole('option', { name: 'No longer found (8)' }).click();
    await page.getByText('1–8 of 8').waitFor();
    await page.getByRole('cell', { name: 'No longer found' }).first().waitFor();
    expect(await page.getByRole('row').count()).toBe(9);
    await expectAccessible(page);
  });

  it('are listed with their status', async () => {
    const page = await desk.open({ path: '/discoveries' });
    const rowOf = (name: string) => page.getByRole('row', { name: new RegExp(name) });
    await rowOf('Cellar').getByText('Failed').waitFor();
    await rowOf('Yard').getByText('Searching').waitFor();
    await rowOf('Attic').getByText('Warning', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('can be searched case-insensitively and filtered by field', async () => {
    const page = await desk.open({ path: '/discoveries' });
    await page.getByRole('searchbox', { name: 'Search discoveries' }).fill('ceLLar');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('row', { name: /Cellar/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Search discoveries' }).fill('nowhere');
    await page.getByText('No discoveries found').waitFor();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Field of filter 1' }).click();
    await page.getByRole('option', { name: 'Status' }).click();
    await page.getByRole('combobox', { name: 'Value of filter 1' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Apply/ }).click();
    await page.getByText('Status: Failed').waitFor();
    await page.getByRole('row', { name: /Cellar/ }).waitFor();
    await expect.poll(() => page.getByRole('row', { name: /Attic/ }).count()).toBe(0);
  });

  it('are counted on the overview, where every count links to the corresponding list', async () => {
    const page = await desk.open({ path: '/' });
    const panel = page.getByRole('region', { name: 'Discoveries' });
    await panel.getByText(/^Last finished/).waitFor();
    await panel.getByRole('link', { name: /^Certificates found [\d,]+$/ }).waitFor();
    await expectAccessible(page);
    await panel.getByRole('link', { name: /^Failed in the last 30 days 1$/ }).click();
    await page.getByText('Status: Failed').waitFor();
    await page.getByRole('row', { name: /Cellar/ }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.goBack();
    await panel.getByRole('link', { name: /^Running [1-9]/ }).click();
    await page.getByRole('row', { name: /Yard/ }).waitFor();
  });
});
