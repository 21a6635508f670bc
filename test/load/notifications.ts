// Notifications per second: queued in the transactions that raise them, and delivered to a provider over HTTP. The
// platform runs in this process, and so does the code that raises notifications.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Client } from '@signetry/client';
import { defineConnector, developmentContext, instancesInMemory, serveConnector } from '@signetry/connector-sdk';
import { startServer, type RunningServer } from '@signetry/server';
import type { BenchmarkReport } from './report.ts';

const KIND = 'Memory';
/** Events whose notifications are queued in one transaction, as by a log follower. */
const BATCH = 100;
const LOOK_MS = 20;

export async function benchNotifications(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const count = Number(options.get('notifications') ?? 5_000);
  const directory = await mkdtemp(join(tmpdir(), 'signetry-bench-'));
  const released = Promise.withResolvers<void>();
  const taken: AcceptedNotifications = { count: 0, released: released.promise, release: released.resolve };
  const provider = await startProvider(taken);
  const server = await startServer({
    environment: {},
    out: () => undefined,
    withoutConsole: true,
    args: [
      `--data=${directory}`,
      '--http=127.0.0.1:0',
      '--https=off',
      '--log-level=silent',
      '--egress-allowed-hosts=127.0.0.1',
    ],
  });
  try {
    const run = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as { token: string }; // Its run file.
    const client = createClient({ baseUrl: server.announcement.api, token: run.token });
    const profileUuid = await makeProfile(client, provider.url);
    return await measure(server, { profileUuid, count, taken });
  } finally {
    await server.stop();
    await provider.close();
    await rm(directory, { recursive: true, force: true });
  }
}

interface AcceptedNotifications {
  count: number;
  /** No notification is accepted before this resolves. */
  readonly released: Promise<void>;
  readonly release: () => void;
}

async function startProvider(taken: AcceptedNotifications) {
  const instances = instancesInMemory('Notification instance');
  const connector = defineConnector({
    name: 'notifier',
    functions: { notificationProvider: { kinds: [KIND] } },
    create: () => ({
      functions: {
        notificationProvider: {
          listAttributeDefinitions: () => [],
          listMappingAttributes: () => [],
          listNotificationInstances: instances.list,
          createNotificationInstance: instances.create,
          getNotificationInstance: instances.get,
          updateNotificationInstance: instances.update,
          removeNotificationInstance: instances.remove,
          sendNotification: async () => {
            await taken.released;
            taken.count += 1;
          },
        },
      },
    }),
  });
  return serveConnector(connector, { context: developmentContext() });
}

/** Creates a profile that notifies a user through the provider. */
async function makeProfile(client: Client, url: string): Promise<string> {
  const { uuid: connectorUuid } = await client.connectors.createConnector({
    body: { name: 'notifier', url, authType: 'none' },
  });
  const { uuid: notificationInstanceUuid } = await client.notificationInstances.createNotificationInstance({
    body: { name: 'memory', connectorUuid, kind: KIND, attributes: [] },
  });
  const { uuid: userUuid } = await client.auth.getUserProfile();
  const profile = {
    name: 'to the administrator',
    recipientType: 'user' as const,
    recipientUuids: [userUuid],
    internalNotification: true,
    notificationInstanceUuid,
  };
  return (await client.notificationProfiles.createNotificationProfile({ body: profile })).uuid;
}

async function measure(
  { platform, areas }: RunningServer,
  {
    profileUuid,
    count,
    taken,
  }: { readonly profileUuid: string; readonly count: number; readonly taken: AcceptedNotifications },
): Promise<BenchmarkReport> {
  const beganMs = performance.now();
  for (let queued = 0; queued < count; queued += BATCH) {
    await platform.database.transaction(async (tx) => {
      for (let at = 0; at < Math.min(BATCH, count - queued); at += 1) {
        const objectUuid = randomUUID();
        await areas.notifications.send(tx, {
          cause: objectUuid,
          profileUuids: [profileUuid],
          event: 'certificate_discovered',
          resource: 'certificates',
          objectUuid,
          data: { certificateUuid: objectUuid, subjectDn: 'CN=shop.example', discoveryName: 'nightly' },
        });
      }
    });
  }
  const queuedS = (performance.now() - beganMs) / 1_000;
  const sentMs = performance.now();
  taken.release();
  while (taken.count < count) await delay(LOOK_MS);
  const sentS = (performance.now() - sentMs) / 1_000;
  return {
    name: `${count} notifications of one profile, each displayed to a user and sent to a provider`,
    figures: [
      { name: 'queued', value: count / queuedS, unit: '/s' },
      { name: 'delivered and recorded', value: count / sentS, unit: '/s', goal: '>= 200' },
    ],
    notes: ['Delivery starts after all notifications are queued. Platform and provider share a process.'],
  };
}
