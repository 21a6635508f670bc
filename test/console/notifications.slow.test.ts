// Notifications: what users receive, providers, recipients, and the results of deliveries.
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`notifications${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole(sharedTestServer({ console: true, args: ['--egress-allowed-hosts', '127.0.0.1'] }));
  let certificate: string;
  const told: Record<string, string> = {};
  let receiver: Server;
  /** Bodies of the requests to the receiver. */
  const received: string[] = [];
  /** Status that the receiver returns. */
  let status = 204;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        received.push(Buffer.concat(parts).toString());
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => {
      receiver.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(() => receiver.close());

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

  /** Notifies a user as if the certificate were about to expire. */
  async function notifyExpiry(username: string, name: string): Promise<void> {
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

  it('are counted at the bell icon, and marked as read when opened', async () => {
    await notifyExpiry('reader', 'one.example');
    await notifyExpiry('reader', 'two.example');
    const page = await desk.open({ as: 'reader' });
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).press('Enter');
    const panel = page.getByRole('dialog');
    await panel.getByText('Renew it before then').first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).click();
    await panel.getByRole('link', { name: /two\.example expires on/ }).click();
    await page.waitForURL(`**/certificates/${certificate}`);
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  });

  it('can be marked as read and deleted in the inbox', async () => {
    const empty = await desk.open({ path: '/notifications' });
    await empty.getByText('No notifications yet').waitFor();
    await expectAccessible(empty);
    for (const name of ['red.example', 'green.example', 'blue.example']) await notifyExpiry('cleaner', name);
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
    await page.getByText('No unread notifications').waitFor();
    await page.getByText('All', { exact: true }).click();
    await expect
      .poll(() => rows.allTextContents())
      .toEqual([expect.stringContaining('blue.example'), expect.stringContaining('red.example')]);
  });

  it('are sent through a provider that was tested first', async () => {
    const { port } = receiver.address() as AddressInfo; // The server listens on a port.
    const page = await desk.open({ path: '/notification-providers' });
    await page.getByText('No notification providers yet').waitFor();
    await page.getByRole('link', { name: 'New provider' }).first().click();
    await page.getByRole('radio', { name: 'Webhook' }).check();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Operations');
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`http://127.0.0.1:${port}/events`);
    const form = page.getByRole('combobox', { name: 'Body format' });
    if ((await form.count()) > 0) {
      await form.click();
      await page.getByRole('option', { name: 'Event as JSON' }).click();
    } else await page.getByRole('radio', { name: 'Event as JSON' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Send test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test notification through Operations' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('Accepted by the provider').waitFor();
    expect(received.at(-1)).toContain('certificate_expiring');
    status = 403;
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByRole('alert').getByText(/403/).waitFor();
    status = 204;
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    const before = received.length;
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('dialog', { name: 'Preview of Operations' });
    await preview.getByRole('button', { name: 'Show' }).click();
    await preview.getByText('CN=example.com').first().waitFor();
    await expectAccessible(page);
    expect(received).toHaveLength(before);
  });

  it("keep a provider's unchanged settings until it is removed", async () => {
    const { client } = desk.server;
    const all = await client.notificationInstances.listNotificationInstances();
    const uuid = all.find(({ name }) => name === 'Operations')?.uuid ?? '';
    const page = await desk.open({ path: `/notification-providers/${uuid}/edit` });
    await page.getByRole('textbox', { name: 'Description' }).fill('On call');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('On call').waitFor();
    await page.getByText('http://127.0.0.1').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No notification providers yet').waitFor();
  });

  it('are sent to the recipients of each profile version, and can be delivered again', async () => {
    const { client, running } = desk.server;
    const connectors = await client.connectors.listConnectors();
    const webhook = connectors.find(({ functionGroups }) =>
      functionGroups.some(({ kinds }) => kinds.includes('WEBHOOK')),
    );
    const { port } = receiver.address() as AddressInfo; // The server listens on a port.
    const params = { uuid: webhook?.uuid ?? '', functionGroup: 'notificationProvider' as const, kind: 'WEBHOOK' };
    const form = await client.connectors.getConnectorAttributes({ params });
    const value = (name: string, data: string) => {
      const { uuid } = form.find((each) => each.name === name) ?? expect.fail(`no field ${name}`);
      return { uuid, name, contentType: 'string' as const, content: [{ data }] };
    };
    const attributes = [value('data_url', `http://127.0.0.1:${port}/events`), value('data_bodyForm', 'json')];
    const body = { name: 'Channel', connectorUuid: params.uuid, kind: 'WEBHOOK', attributes };
    const { uuid: channel } = await client.notificationInstances.createNotificationInstance({ body });

    const page = await desk.open({ path: '/notification-profiles/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('On call');
    await page.getByRole('radio', { name: /^No recipients/ }).check();
    await page.getByRole('checkbox', { name: "Deliver to the recipients' inbox" }).uncheck();
    await page.getByText('Choose how recipients are notified').waitFor();
    await page.getByRole('combobox', { name: 'Notification provider' }).click();
    await page.getByRole('option', { name: 'Channel' }).click();
    await page.getByRole('textbox', { name: 'Repeat interval (hours)' }).fill('48');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Every 2 days while the condition lasts').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Maximum notifications' }).fill('3');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Every 2 days while the condition lasts, at most 3 times').waitFor();
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Version' }).click();
    await page.getByRole('option', { name: 'Version 1' }).click();
    await page.getByText('Every 2 days while the condition lasts', { exact: true }).waitFor();

    const { notificationProfiles = [] } = await client.notificationProfiles.listNotificationProfiles();
    told['channel'] = notificationProfiles.find((each) => each.notificationInstanceUuid === channel)?.uuid ?? '';
    status = 403;
    await notifyExpiry('channel', 'refused.example');
    running.areas.notifications.wake();
    await expect
      .poll(async () => (await client.notificationDeliveries.listNotificationDeliveries()).deliveries[0]?.state)
      .toBe('failed');
    status = 204;
    await page.goto(`${desk.server.ready.http}/deliveries`);
    const found = page.getByRole('table', { name: 'Deliveries' }).getByRole('link');
    for (const [field, other, option] of [
      ['Any event', 'Approval requested', 'Certificate expiring'],
      ['Any state', 'Waiting', 'Failed'],
    ] as const) {
      await page.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: other, exact: true }).click();
      await page.getByText('No deliveries found').waitFor();
      await page.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
      await found.first().waitFor();
    }
    await page.getByRole('combobox', { name: 'Any provider' }).click();
    await page.getByRole('option', { name: 'Channel', exact: true }).click();
    await page.getByRole('combobox', { name: 'Any time' }).click();
    await page.getByRole('option', { name: 'Last 24 hours' }).click();
    await expect.poll(() => found.count()).toBe(1);
    await expect.poll(() => new URL(page.url()).searchParams.get('within')).toBe('day');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Certificate expiring' }).click();
    await page.getByText('Not delivered').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('Delivered', { exact: true }).waitFor();
    expect(received.at(-1)).toContain('refused.example');
  });
});
