// Bulk changes of certificates: assignment by keyboard, changes to all matches, progress, stopping, and rejections.
import { insertChange } from '../../packages/server/src/areas/inventory/bulk/store.ts';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { addCopies, certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

const actions = (page: Page) => page.getByRole('group', { name: 'Selected certificates' });

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).fill(option);
  await page.getByRole('option', { name: option, exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  // Leaving the field closes its list; the list of the next field opens.
  await page.keyboard.press('Tab');
}

describe.skipIf(CHROMIUM === undefined)(`bulk certificate changes${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();
  let owner: string;

  beforeAll(async () => {
    const { client } = desk.server;
    owner = (await client.users.createUser({ body: { username: 'keeper' } })).uuid;
    for (const name of ['web', 'mail']) await client.groups.createGroup({ body: { name } });
  });

  it('assign an owner and groups to selected certificates by keyboard, and summarize the assignment', async () => {
    const { client } = desk.server;
    const { uuid } = await certificateFor(client, 'one.assigned.example');
    await certificateFor(client, 'two.assigned.example');
    const page = await desk.open({ path: '/certificates?text=assigned.example' });
    for (const name of ['one.assigned.example', 'two.assigned.example'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await actions(page).getByRole('button', { name: 'Assign' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Assign owner, groups or RA profile to 2 certificates' });
    await dialog.getByText('Choose what to assign.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Assign' }).isDisabled()).toBe(true);
    await choose(page, 'Owner', 'keeper');
    await choose(page, 'Groups', 'mail');
    await choose(page, 'Groups', 'web');
    await dialog.getByRole('button', { name: 'Assign' }).focus();
    await dialog.getByRole('status').getByText('For 2 certificates: Owner keeper. Groups mail, web.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Assign' }).press('Enter');
    await page.getByRole('status').getByText('2 certificates changed.').waitFor();
    const assigned = await client.certificates.getCertificate({ params: { uuid } });
    expect(assigned.ownerUuid).toBe(owner);
    expect(assigned.groups?.map(({ name }) => name).toSorted()).toEqual(['mail', 'web']);
  });

  it(
    'apply to all matching certificates, show progress, and are listed with their outcome',
    { timeout: 180_000 },
    async () => {
      const { client } = desk.server;
      const { uuid } = await certificateFor(client, 'original.copied.example');
      await addCopies(desk.server, { uuid, count: 10_010, set: { state: "'failed'" } });
      const page = await desk.open({ path: '/certificates?text=copied.example' });
      await page.getByRole('checkbox', { name: /^Select all .*10,0.. that match/ }).check();
      await actions(page)
        .getByText(/^All matching certificates selected/)
        .waitFor();
      await actions(page).getByRole('button', { name: 'Assign' }).click();
      await choose(page, 'Owner', 'keeper');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('For all matching certificates (10,011): Owner keeper.').waitFor();
      await dialog.getByRole('button', { name: 'Assign' }).click();
      await dialog.getByRole('alert').getByText('10,011 of 10,011 certificates changed.').waitFor({ timeout: 120_000 });
      await dialog.getByRole('link', { name: 'Bulk changes' }).click();
      await page.getByRole('heading', { name: 'Assign to 10,011 certificates' }).waitFor();
      await page.getByText('All matching: “copied.example”').waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Bulk changes' }).click();
      const row = page.getByRole('row', { name: /Assign to 10,011 certificates/ });
      await row.getByText('Done', { exact: true }).first().waitFor();
      expect(await row.textContent()).toContain('Owner keeper.');
      await expectAccessible(page);
    },
  );

  it('can be stopped while running, which leaves the remaining certificates unchanged', async () => {
    const { uuid } = await certificateFor(desk.server.client, 'spared.example');
    const at = new Date();
    await insertChange(
      desk.server.running.platform.database.executor,
      { uuid: '00000000-0000-4000-8000-00000000c0de', kind: 'delete', asked: {}, requester_uuid: null, requester_name: 'night job', started_at: at }, // prettier-ignore
      [uuid],
    );
    const page = await desk.open({ path: '/certificates/changes' });
    const row = page.getByRole('row', { name: /Delete 1 certificate/ });
    await row.getByText('In progress, 0%').waitFor();
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Stop: Delete 1 certificate' }).click();
    const question = page.getByRole('dialog', { name: 'Stop this change?' });
    await question.getByRole('button', { name: 'Stop' }).click();
    await row.getByText('Stopped by admin').waitFor();
    await row.getByRole('link', { name: 'Delete 1 certificate' }).click();
    await page.getByText('0 of 1 certificate deleted, 1 unchanged.').waitFor();
    await expectAccessible(page);
    const { certificates } = await desk.server.client.certificateSearch.searchCertificates({
      body: { text: 'spared.example', itemsPerPage: 10, pageNumber: 1 },
    });
    expect(certificates.map((each) => each.uuid)).toEqual([uuid]);
  });
});
