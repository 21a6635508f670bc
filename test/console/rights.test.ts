// Users who may do a part of what there is see that part.
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { userWith } from './testing/users.ts';

describe.skipIf(CHROMIUM === undefined)(`a user with few rights${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();
  let uuid: string;

  beforeAll(async () => {
    ({ uuid } = await certificateFor(desk.server.client, 'seen.example'));
    await userWith(desk.server, 'reader', [
      ['certificates', 'list'],
      ['raProfiles', 'members'],
      ['certificates', 'detail'],
    ]);
    await userWith(desk.server, 'nobody', []);
  });

  it('who may read certificates gets the pages for that, and no more', async () => {
    const page = await desk.open({ as: 'reader' });
    await page.getByRole('button', { name: 'reader: account and appearance' }).waitFor();
    const pages = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect(await pages.allTextContents()).toEqual(['Overview', 'Inventory']);
    await page.getByRole('link', { name: 'Inventory', exact: true }).click();
    await page.getByRole('link', { name: 'seen.example' }).click();
    await page.getByRole('heading', { name: 'seen.example', level: 1 }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Control+k');
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual([expect.stringContaining('Overview'), expect.stringContaining('Inventory')]);
  });

  it('who is told their permissions is not offered what they may not do', async () => {
    const rights = [
      ['users', 'list'],
      ['users', 'detail'],
      ['connectors', 'list'],
      ['connectors', 'detail'],
      ['connectors', 'connect'],
    ] as const;
    await userWith(desk.server, 'operator', rights);
    const page = await desk.open({ as: 'operator', path: '/connectors' });
    await page.getByRole('table', { name: 'Connectors' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Reconnect' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    await page.goBack();
    await page.getByRole('table', { name: 'Connectors' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'New connector' }).count()).toBe(0);
  });

  it('who tries what they may not is told which permission is missing', async () => {
    const page = await desk.open({ as: 'reader', path: `/certificates/${uuid}` });
    await page.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/You need the permission \w+ on \w+/)
      .waitFor();
    await expectAccessible(page);
    expect((await desk.server.client.certificates.getCertificate({ params: { uuid } })).state).toBe('issued');
    await page.goto(`${desk.server.ready.http}/issue`);
    await page.getByRole('alert').getByText('Permission denied').waitFor();
  });

  it('who may nothing at all is not sent in circles', async () => {
    const page = await desk.open({ as: 'nobody' });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual([
      'Overview',
    ]);
    await expectAccessible(page);
    await page.goto(`${desk.server.ready.http}/certificates`);
    await page.getByRole('alert').getByText('Permission denied').waitFor();
    await expectAccessible(page);
  });
});
