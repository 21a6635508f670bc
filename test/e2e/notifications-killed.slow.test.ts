// A node is killed between calling a provider and recording the call: another node delivers, under the same identifier,
// and no delivery stays in progress forever.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { roomAttributes, NOTIFIER_KIND, startNotifier, type Notifier } from './testing/notifier.ts';
import { createSharedDatabase } from './testing/shared-database.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';

const TIMEOUT_MS = 180_000;
/** Deliveries shared by two nodes. */
const MANY = 200;

const nodes = createSharedDatabase();
const folder = temporaryFolder();
let notifier: Notifier;

beforeAll(async () => {
  notifier = await startNotifier({ asks: false });
});

const startNode = async (name: string, faultPoint?: string) =>
  startProgram({
    directory: join(folder, name),
    args: [...(await nodes.nodeArgs()), '--egress-allowed-hosts', '127.0.0.1', '--https=off'],
    ...(faultPoint === undefined ? {} : { environment: { SIGNETRY_FAULT_POINT: faultPoint } }),
  });

/** Queues deliveries as the platform writes them. */
const queue = (instanceUuid: string, count: number) =>
  nodes.query(
    `INSERT INTO notification_delivery (uuid, cause, instance_uuid, instance_name, profile_name, profile_version, event,
       resource, recipients, data, idempotency_key, state, attempts, raised_at, queued_at, next_at)
     SELECT gen_random_uuid(), $2 || n, $1::uuid, 'one', 'one', 1, 'discovery_finished', 'discoveries', '[]', '{}',
       gen_random_uuid(), 'waiting', 0, now(), now(), now() FROM generate_series(1, $3::int) n`,
    [instanceUuid, randomUUID(), count],
  );

const waiting = async (): Promise<number> =>
  (await nodes.query(`SELECT 1 FROM notification_delivery WHERE state = 'waiting'`)).length;

it(
  'a killed node is replaced by another, and two nodes deliver each message only once',
  { timeout: TIMEOUT_MS },
  async () => {
    const dying = await startNode('dying', 'notifications.afterCall');
    const { connectors, notificationInstances } = dying.client;
    const body = { name: 'notifier', url: notifier.url, authType: 'none' as const };
    const { uuid: connectorUuid } = await connectors.createConnector({ body });
    const { uuid } = await notificationInstances.createNotificationInstance({
      body: { name: 'one', connectorUuid, kind: NOTIFIER_KIND, attributes: roomAttributes },
    });
    const died = once(dying.child, 'exit');
    await queue(uuid, 1);
    expect(await died).toContain('SIGKILL');
    expect(await waiting()).toBe(1);
    await Promise.all([startNode('second'), startNode('third')]);
    // As if the killed node's lease had expired.
    await nodes.query(`UPDATE notification_delivery SET next_at = now() WHERE state = 'waiting'`);
    await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
    const keys = notifier.taken.map(({ key }) => key);
    expect(keys).toEqual([keys[0], keys[0]]);
    await queue(uuid, MANY);
    await expect.poll(waiting, { timeout: 30_000 }).toBe(0);
    const later = notifier.taken.slice(2).map(({ key }) => key);
    expect(later).toHaveLength(MANY);
    expect(new Set(later).size).toBe(MANY);
  },
);
