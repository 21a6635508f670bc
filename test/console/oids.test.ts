// Names of object identifiers: added, changed, removed, and shown on the certificate page.
import { describe, expect, it } from 'vitest';
import { createSampleOids } from './sample-oids.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`object identifiers${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('can be added with a code, edited and removed', async () => {
    const page = await desk.open({ path: '/oids/new' });
    await page.getByRole('textbox', { name: 'Identifier' }).fill('1.3.6.1.4.1.99998.1');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Team');
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('cn');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('cn is a built-in code of Common Name (2.5.4.3)', { exact: false }).waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('TEAM');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
    await page.getByText('No subject in the inventory contains it.').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('CREW');
    await page.getByText('Stored names will be rewritten').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('CREW', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Team was removed').waitFor();
    const { oidEntries } = await desk.server.client.oids.listCustomOidEntries({ body: {} });
    expect(oidEntries.map(({ oid }) => oid)).not.toContain('1.3.6.1.4.1.99998.1');
  });

  it('do not have a code in other categories', async () => {
    const page = await desk.open({ path: '/oids/new' });
    await page.getByRole('textbox', { name: 'Identifier' }).fill('1.3.6.1.4.1.99998.2');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Door opening');
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('DOOR');
    await page.getByRole('combobox', { name: 'Category' }).click();
    await page.getByRole('option', { name: 'Extended key usage' }).click();
    await page.getByRole('textbox', { name: 'Code', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Door opening', level: 1 }).waitFor();
    await expectAccessible(page);
  });

  it('are shown by name below a connector field that accepts them', async () => {
    const { client } = desk.server;
    const [profile] = await client.raProfiles.listRaProfiles();
    const page = await desk.open({ path: `/ra-profiles/${profile?.uuid}/edit` });
    await page.getByRole('textbox', { name: 'Additional extended key usages' }).fill('1.3.6.1.4.1.99998.2\n1.2.3');
    await page.getByText('1.3.6.1.4.1.99998.2 is Door opening').waitFor();
    await expectAccessible(page);
  });

  it('are shown by name on the certificate page', async () => {
    const { withOids } = await createSampleOids(desk.server.client);
    const page = await desk.open({ path: `/certificates/${withOids}` });
    const contents = page.getByRole('listitem');
    await contents.filter({ hasText: 'COSTCENTRE' }).filter({ hasText: '4711' }).waitFor();
    await page.getByText('TLS Web Client Authentication, Badge printing').waitFor();
    await page.getByText('Asset number').waitFor();
  });
});
