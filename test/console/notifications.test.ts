// Notifications: what users are told, the ways out of the platform, who is told through them, and what became of it.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`notifications${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();
  let certificate: string;
  const told: Record<string, string> = {};

  beforeAll(async () => {
    const { client } = desk.server;
    certificate = (await client.certificates.listCertificates({ body: {} })).certificates[0]?.uuid ?? '';
    for (const username of ['reader', 'cleaner']) {
      const { uuid } = await client.users.createUser({ body: { username, enabled: true } });
      const body = {
        name: `for ${username}`,
        recipientType: 'user' as const,
        recipientUuids: [uuid],
        internalNotification: true,
      };
      told[username] = (await client.notificationProfiles.createNotificationProfile({ body })).uuid;
    }
  });

  /** As if the certificate were about to end. */
  async function tell(username: string, name: string): Promise<void> {
    const { running } = desk.server;
    const { notifications } = running.areas;
    const data = { certificateUuid: certificate, subjectDn: `CN=${name}`, expiresAt: '2030-01-01T00:00:00Z' };
    await running.platform.database.transaction((tx) =>
      notifications.send(tx, {
        cause: randomUUID(),
        event: 'certificate_expiring',
        resource: 'certificates',
        objectUuid: certificate,
        data,
        profileUuids: [told[username] ?? ''],
      }),
    );
  }

  it('are counted at the bell, and read where they lead to', async () => {
    await tell('reader', 'one.example');
    await tell('reader', 'two.example');
    const page = await desk.open({ as: 'reader' });
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).press('Enter');
    const panel = page.getByRole('dialog');
    await panel.getByText('Renew it before that day').first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).click();
    await panel.getByRole('link', { name: /two\.example ends on/ }).click();
    await page.waitForURL(`**/certificates/${certificate}`);
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  });

  it('are marked and deleted in the inbox', async () => {
    const empty = await desk.open({ path: '/notifications' });
    await empty.getByText('No notifications yet').waitFor();
    await expectAccessible(empty);
    for (const name of ['red.example', 'green.example', 'blue.example']) await tell('cleaner', name);
    const page = await desk.open({ path: '/notifications', as: 'cleaner' });
    const rows = page.getByRole('table', { name: 'Notifications' }).getByRole('link');
    await page.getByRole('button', { name: /^Mark as read: .*red\.example/ }).click();
    await page.getByText('Unread', { exact: true }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await expectAccessible(page);
    await page.getByRole('checkbox', { name: /^Select .*green\.example/ }).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('Nothing is unread').waitFor();
    await page.getByText('All', { exact: true }).click();
    await expect
      .poll(() => rows.allTextContents())
      .toEqual([expect.stringContaining('blue.example'), expect.stringContaining('red.example')]);
  });
});
