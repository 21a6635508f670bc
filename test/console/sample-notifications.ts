// A provider and its deliveries: delivered, rejected, and waiting for the next attempt.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@signetry/client';
import type { RunningServer } from '@signetry/server';

export interface NotificationSamples {
  readonly provider: string;
  readonly profile: string;
  readonly refused: string;
}

/** Statuses that the receiver returns in sequence. */
const ANSWERS = [204, 403, 503];

export async function createSampleNotifications(
  client: Client,
  server: RunningServer,
): Promise<NotificationSamples & { readonly stop: () => Promise<void> }> {
  let calls = 0;
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(ANSWERS[Math.min(calls++, ANSWERS.length - 1)] ?? 204).end());
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo; // The server listens on a port.
  const connectors = await client.connectors.listConnectors();
  const connectorUuid =
    connectors.find(({ functionGroups }) => functionGroups.some(({ kinds }) => kinds.includes('WEBHOOK')))?.uuid ?? '';
  const params = { uuid: connectorUuid, functionGroup: 'notificationProvider' as const, kind: 'WEBHOOK' };
  const form = await client.connectors.getConnectorAttributes({ params });
  const attributes = Object.entries({ data_url: `http://127.0.0.1:${port}/events`, data_bodyForm: 'json' }).map(
    ([name, data]) => ({
      uuid: form.find((each) => each.name === name)?.uuid ?? '',
      name,
      contentType: 'string' as const,
      content: [{ data }],
    }),
  );
  const { uuid: provider } = await client.notificationInstances.createNotificationInstance({
    body: { name: 'Operations team channel', connectorUuid, kind: 'WEBHOOK', attributes },
  });
  const { uuid: profile } = await client.notificationProfiles.createNotificationProfile({
    body: {
      name: 'On-call engineer',
      recipientType: 'none',
      internalNotification: false,
      notificationInstanceUuid: provider,
      frequency: 'PT24H',
      repetitions: 5,
    },
  });
  const { notifications } = server.areas;
  const waitForAttempts = async (count: number): Promise<void> => {
    for (;;) {
      const { deliveries } = await client.notificationDeliveries.listNotificationDeliveries();
      if (deliveries.filter(({ attempts }) => attempts > 0).length >= count) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  for (const [place, subject] of ['shop.example', 'warehouse.example', 'mail.example'].entries()) {
    await server.platform.database.transaction((tx) =>
      notifications.send(tx, {
        cause: randomUUID(),
        profileUuids: [profile],
        event: place === 1 ? 'certificate_discovered' : 'certificate_expiring',
        resource: 'certificates',
        objectUuid: null,
        data: { subjectDn: `CN=${subject}`, expiresAt: '2030-01-01T00:00:00Z' },
      }),
    );
    notifications.wake();
    await waitForAttempts(place + 1);
  }
  const { deliveries } = await client.notificationDeliveries.listNotificationDeliveries({ query: { state: 'failed' } });
  return {
    provider,
    profile,
    refused: deliveries[0]?.uuid ?? '',
    stop: () => new Promise((resolve) => void receiver.close(() => resolve())),
  };
}
