// Automation in the console: a rule is created, previewed, run, changed without affecting shared components, and
// removed with its components.
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DiscoveryProvider } from '../load/discovery-provider.ts';
import { startDiscoveryProvider } from '../load/discovery-provider.ts';
import { discover, registerProvider, resultMaker } from '../e2e/testing/discoveries.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { userWith } from './testing/users.ts';

const choose = async (page: Page, combobox: string, option: string | RegExp): Promise<void> => {
  await page.getByRole('combobox', { name: combobox, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

const addCondition = async (page: Page, field: string, operator: string, value: string): Promise<void> => {
  await page.getByRole('button', { name: 'Add condition' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('combobox', { name: /^Field of condition/ })
    .last()
    .fill(field);
  await page.getByRole('option', { name: field, exact: true }).click();
  await dialog
    .getByRole('combobox', { name: /^Condition of condition/ })
    .last()
    .click();
  await page.getByRole('option', { name: operator, exact: true }).click();
  await dialog
    .getByRole('combobox', { name: /^Value of condition/ })
    .last()
    .fill(value);
  await dialog.getByRole('button', { name: 'Apply' }).click();
};

describe.skipIf(CHROMIUM === undefined)(`automation${CHROMIUM_NOTE}`, () => {
  const server = sharedTestServer({
    console: true,
    args: ['--egress-allowed-hosts', '127.0.0.1', '--discovery-networks', '127.0.0.0/8'],
  });
  const desk = sharedConsole(server);
  let client: Client;
  let provider: DiscoveryProvider;
  let connectorUuid: string;

  beforeAll(async () => {
    ({ client } = server);
    provider = await startDiscoveryProvider();
    connectorUuid = await registerProvider(client, provider);
    await client.groups.createGroup({ body: { name: 'Legacy' } });
    await certificateFor(client, 'shop.example');
  });
  afterAll(() => provider?.stop());

  it('starts with examples if there are no rules', async () => {
    const page = await desk.open({ path: '/automation' });
    await page.getByRole('heading', { name: 'No rules yet' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: /^Use this example: .* exclude it from the inventory/ }).click();
    await page.getByRole('button', { name: /^Edit condition whose common name ends with “.test”/ }).waitFor();
    await page.getByText('exclude it from the inventory').first().waitFor();
    await expectAccessible(page);
  });

  it('creates a rule from conditions, previews it, and runs it on discovered certificates', async () => {
    const page = await desk.open({ path: '/automation/new' });
    await choose(page, 'Event', 'Certificate discovered');
    await addCondition(page, 'Common name', 'starts with', 'host');
    await page.getByText('0 of', { exact: false }).waitFor();
    await page.getByText('Actual value: “shop.example”').waitFor();
    await page.getByRole('button', { name: 'Add step' }).click();
    await choose(page, 'Action of step 1', 'Set: Group');
    await page.getByRole('combobox', { name: 'Value of step 1' }).click();
    await page.getByRole('option', { name: 'Legacy' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Hosts are legacy');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Hosts are legacy', level: 1 }).waitFor();
    await page.getByText('set the group to “Legacy”').waitFor();
    await page.getByText('runs with the permissions of admin').waitFor();

    provider.shelves.set('rack', { results: (await resultMaker())(3) });
    await discover(client, { name: 'rack', connectorUuid });
    await page.getByRole('list', { name: 'History' }).waitFor({ state: 'detached' });
    const history = page.getByRole('list', { name: 'History' });
    for (let tries = 0; tries < 40 && (await history.getByText('Done').count()) < 3; tries += 1) {
      await page.reload();
      await page.getByRole('heading', { name: 'History' }).waitFor();
      await delay(250);
    }
    await history.getByText('Done').first().click();
    await history
      .getByRole('list', { name: 'Steps of Hosts are legacy' })
      .getByText('Set the group to “Legacy”')
      .waitFor();
    await history.getByText(/^Actual value: “host/).waitFor();
    await expectAccessible(page);

    const found = await client.certificates.listCertificates({
      body: { filters: [{ fieldSource: 'property', fieldIdentifier: 'GROUP_NAME', condition: 'EQUALS', value: ['Legacy'] }] }, // prettier-ignore
    });
    expect(found.certificates).toHaveLength(3);
    await page.goto(new URL(`/certificates/${found.certificates[0]?.uuid}`, page.url()).href);
    await page.getByRole('list', { name: 'Automation' }).getByText('Certificate discovered').waitFor();
  });

  it('marks shared components, and copies them instead of changing them', async () => {
    const triggers = await client.workflowDefinitions.listPlacedTriggers();
    const hosts = triggers.find(({ name }) => name === 'Hosts are legacy') ?? expect.unreachable('created above');
    const [rule] = hosts.rules;
    const other = await client.workflowTriggers.createTrigger({
      body: { name: 'Other', resource: 'certificates', ignoreTrigger: true, rulesUuids: [rule?.uuid ?? ''] },
    });
    const page = await desk.open({ path: `/automation/${hosts.uuid}/edit` });
    await page.getByText('also used by Other', { exact: false }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use a copy of Hosts are legacy' }).click();
    await page.getByRole('button', { name: /^Edit condition whose common name starts with/ }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Value of condition 1' }).fill('node');
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Hosts are legacy was saved.').waitFor();
    await page.getByText('whose common name starts with “host” or “node”').first().waitFor();
    const kept = await client.workflowTriggers.getTrigger({ params: { triggerUuid: other.uuid } });
    expect(kept.rules[0]?.conditions[0]?.items[0]?.value).toBe('host');
  });

  it('leaves nothing behind if saving fails', async () => {
    const before = await client.workflowRules.listConditions();
    const page = await desk.open({ path: '/automation/new?example=leave-out-tests' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Other');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/already exists/).waitFor();
    expect(await client.workflowRules.listConditions()).toEqual(before);
  });

  it('is listed on the pages of the objects that it applies to, and its components are listed under their API names', async () => {
    const [profile] = await client.raProfiles.listRaProfiles();
    const page = await desk.open({ path: `/ra-profiles/${profile?.uuid}` });
    await page.getByRole('link', { name: 'Add rule' }).click();
    await choose(page, 'Event', 'Certificate about to expire');
    await page.getByRole('button', { name: 'Add step' }).click();
    await choose(page, 'Action of step 1', 'Remove: Owner');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Unassign owners');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: `RA profile ${profile?.name}` }).click();
    await page.getByRole('region', { name: 'Automation' }).getByRole('link', { name: 'Unassign owners' }).waitFor();
    await page.goto(new URL('/automation/parts?tab=conditions', page.url()).href);
    const row = page.getByRole('row', { name: /host.* Hosts are legacy/ });
    await row.first().waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Executions' }).click();
    await page.getByRole('cell', { name: 'remove the owner' }).waitFor();
  });

  it('is removed along with components that nothing else uses', async () => {
    const page = await desk.open({ path: '/automation' });
    await page.getByRole('link', { name: 'Unassign owners' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Unassign owners was removed.').waitFor();
    const executions = await client.workflowActions.listExecutions();
    expect(executions.map(({ name }) => name)).toEqual(['Hosts are legacy']);
    const hosts = page.getByRole('row', { name: /Hosts are legacy/ });
    await hosts.getByText('Everywhere').waitFor();
    await expectAccessible(page);
  });

  it.each([360, 2560])('fits and is accessible at %i px', async (width) => {
    const [trigger] = await client.workflowDefinitions.listPlacedTriggers();
    const viewport = { width, height: 900 };
    for (const path of ['/automation', `/automation/${trigger?.uuid}`, `/automation/${trigger?.uuid}/edit`]) {
      const page = await desk.open({ path, viewport });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('When').first().waitFor();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await expectAccessible(page);
    }
  });

  it('does not appear in the menu for users without permission to list triggers', async () => {
    await userWith(server, 'clerk', [['certificates', 'list']]);
    const page = await desk.open({ as: 'clerk' });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inventory' }).waitFor();
    expect(await page.getByRole('link', { name: 'Automation' }).count()).toBe(0);
  });
});
