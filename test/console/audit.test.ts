// The audit log: filters preserved in the URL, single records, and verification of the whole log.
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`the audit log${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('can be filtered, and shows a selected record next to the list', async () => {
    await desk.server.client.groups.createGroup({ body: { name: 'seen in the log' } });
    const page = await desk.open({ path: '/audit' });
    await page.getByRole('searchbox', { name: 'Object' }).fill('seen in the log');
    await page.getByRole('combobox', { name: 'Any operation' }).fill('Create');
    await page.getByRole('option', { name: 'Create', exact: true }).click();
    await page.getByText('1 record').or(page.getByText('1–1 of 1')).first().waitFor();
    await page.getByRole('button', { name: 'Create: Group' }).click();
    const record = page.getByRole('dialog', { name: 'Create: Group' });
    await record.getByText('POST /api/v1/groups').waitFor();
    await expectAccessible(page);
    await page.reload();
    await record.getByText('seen in the log').waitFor();
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('operation')).toBe('create');
  });

  it('reports that nothing matches, and offers to clear the filter', async () => {
    const page = await desk.open({ path: '/audit?actor=nobody-of-this-name' });
    await page.getByText('No records found').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page
      .getByRole('button', { name: /^Create: / })
      .first()
      .waitFor();
  });

  it('is verified as a whole, and identifies an altered record', async () => {
    const { platform } = desk.server.running;
    const page = await desk.open({ path: '/audit' });
    const check = page.getByRole('button', { name: 'Verify' });
    await check.click();
    await page.getByText('The audit log is intact').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    const [record] = await platform.database.query<{ id: string }>(
      `UPDATE audit_record SET actor_name = 'mallory' WHERE id = (SELECT min(id) FROM audit_record) RETURNING id`,
    );
    await check.click();
    await page.getByText('The audit log is not intact').waitFor();
    await page.getByText(`(record ${record?.id})`).waitFor();
  });
});
