// Compliance in the console: rule conditions, a profile of rules, its assignment, a check, and a certificate's
// violations.
import { sharedTestServer } from '@signetry/testkit/platform';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { issue } from '../e2e/testing/certificates.ts';
import { makeRequest } from '../e2e/testing/requests.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

const choose = async (page: Page, combobox: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: combobox }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

describe.skipIf(CHROMIUM === undefined)(`compliance${CHROMIUM_NOTE}`, () => {
  const server = sharedTestServer({ console: true });
  const desk = sharedConsole(server);

  it('creates a rule from conditions', async () => {
    const page = await desk.open({ path: '/compliance/rules/new' });
    await page.getByRole('textbox', { name: 'Name' }).fill('Hosts are ours');
    await page.getByText('Add a condition first.').waitFor();
    await page.getByRole('button', { name: 'Add condition' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Field of condition 1' }).fill('Common name');
    await page.getByRole('option', { name: 'Common name', exact: true }).click();
    await choose(page, 'Condition of condition 1', 'ends with');
    await dialog.getByRole('combobox', { name: 'Value of condition 1' }).fill('.ours.example');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Edit condition Common name ends with .ours.example' }).waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Common name ends with .ours.example').waitFor();
    await expectAccessible(page);
  });

  it('creates a profile from custom rules and groups found by search, assigns it and runs a check', async () => {
    const { client } = server;
    const ra = (await client.raProfiles.listRaProfiles()).find(({ name }) => name === 'default');
    const place = { authorityUuid: ra?.authorityInstanceUuid ?? '', raProfileUuid: ra?.uuid ?? '' };
    const bad = await issue(client, place, await makeRequest({ subject: 'CN=theirs.example' }));
    const page = await desk.open({ path: '/compliance/profiles/new' });
    await page.getByRole('textbox', { name: 'Name' }).fill('House rules');
    await choose(page, 'Your rules', 'Hosts are ours');
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Search rules' }).fill('serial entropy');
    await page.getByRole('checkbox', { name: /^serial-entropy/ }).check();
    await page.getByRole('region', { name: 'Selected' }).getByText('serial-entropy').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'House rules', level: 1 }).waitFor();
    await page.getByText('Not assigned yet, so no certificates or keys are checked.').waitFor();
    await page.getByRole('button', { name: 'Assign to an RA profile or token profile' }).click();
    await choose(page, 'RA profile or token profile', 'default');
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('button', { name: 'Unassign from default' }).waitFor();
    await expectAccessible(page);

    await page.goto(new URL('/compliance', page.url()).href);
    await page.getByRole('button', { name: 'Check all' }).click();
    await page.getByRole('table', { name: 'Checks' }).getByText('Finished').waitFor();
    await expectAccessible(page);

    const certificate = await desk.open({ path: `/certificates/${bad.uuid}` });
    const broken = certificate.getByRole('list', { name: 'Violated rules' });
    await broken.getByText('Hosts are ours').waitFor();
    expect(await broken.getByRole('listitem').count()).toBe(1);
    await certificate.getByRole('button', { name: 'Check now: compliance' }).click();
    await certificate.getByText('Check requested.').waitFor();
    await expectAccessible(certificate);
  });

  it('links each count to the objects that it includes', async () => {
    const page = await desk.open({ path: '/compliance' });
    await page.getByRole('link', { name: /certificates? not compliant$/ }).click();
    await page.getByRole('button', { name: 'Edit filter Compliance status: Not compliant' }).waitFor();
    await page.getByRole('link', { name: 'theirs.example' }).waitFor();
  });
});
