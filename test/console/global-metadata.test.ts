// Global metadata: created manually, promoted from a connector, and demoted.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`global metadata${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  /** Simulates metadata that the connector returned with an object. */
  async function insertMetadata(name: string, label: string): Promise<void> {
    const { client, running } = desk.server;
    const [connector] = await client.connectors.listConnectors({});
    const [uuid, own] = [randomUUID(), randomUUID()];
    const properties = { label, visible: true, global: false, overwrite: false };
    const definition = { version: 2, uuid: own, name, type: 'meta', contentType: 'string', properties };
    await running.platform.database.query(
      `INSERT INTO attribute_definition
         (uuid, type, connector_uuid, attribute_uuid, name, content_type, label, definition, created_at, updated_at)
       VALUES ($1, 'meta', $2, $3, $4, 'string', $5, $6, now(), now())`,
      [uuid, connector?.uuid, own, name, label, JSON.stringify(definition)],
    );
  }

  it('is created, edited and removed', async () => {
    const page = await desk.open({ path: '/global-metadata/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('location');
    await page.getByRole('textbox', { name: 'Label' }).fill('Location');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'location', level: 1 }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Heading' }).fill('Position');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Position', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('location was removed').waitFor();
    expect(await desk.server.client.globalMetadata.listGlobalMetadata({})).toEqual([]);
  });

  it('is promoted from a connector, and can be promoted again after it is removed', async () => {
    await insertMetadata('rack', 'Rack');
    const page = await desk.open({ path: '/global-metadata' });
    await page.getByRole('button', { name: 'Promote from connector' }).click();
    await page.getByRole('dialog').getByText('rack · Single-line text · from').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Promote Rack' }).click();
    await page.getByText('Nothing to promote').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'rack' }).click();
    await page.getByRole('heading', { name: 'rack', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('rack was removed').waitFor();
    await page.getByRole('button', { name: 'Promote from connector' }).click();
    await page.getByRole('button', { name: 'Promote Rack' }).waitFor();
  });
});
