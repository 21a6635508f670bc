// Two nodes of one platform: background work runs once, regardless of which node picks it up, and each recipient is
// notified once.
import { createClient } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAutomation, LOAD, PENDING_WORK } from '../faults/automation/check-automation.ts';
import { declareAutomation } from '../faults/automation/declare.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../faults/automation/webhook-receiver.ts';
import {
  storeAttributes,
  KEY_STORE_KIND,
  startDiscoveryProvider,
  type DiscoveryProvider,
} from '../load/discovery-provider.ts';
import { issue } from './testing/certificates.ts';
import { registerProvider, resultMaker } from './testing/discoveries.ts';
import { createSharedDatabase } from './testing/shared-database.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const CERTIFICATES = 30;
const FOUND = 40;
const soon = { timeout: 30_000, interval: 100 };

const { nodeArgs, query } = createSharedDatabase();
const args = async () => [
  ...(await nodeArgs()),
  '--egress-allowed-hosts=127.0.0.1',
  '--discovery-networks=127.0.0.0/8',
];
const first = sharedTestServer({ args });
const second = sharedTestServer({ args });
let receiver: WebhookReceiver;
let provider: DiscoveryProvider;
let path: IssuingPath;
let connectorUuid: string;

beforeAll(async () => {
  provider = await startDiscoveryProvider();
  receiver = await startWebhookReceiver({ chance: () => 1, droppedShare: 0 });
  path = await defaultProfile(first.client);
  await declareAutomation(first.client, { webhookUrl: receiver.url, commonName: LOAD });
  connectorUuid = await registerProvider(first.client, provider);
});
afterAll(async () => {
  await provider?.stop();
  await receiver?.close();
});

const nodes = () => [first, second];
/** Administrator clients, one per node. */
const clients = () =>
  nodes().map(({ ready: { api } }) => createClient({ baseUrl: api, token: first.ready.token || second.ready.token }));

const waitUntilDone = () => expect.poll(() => query(PENDING_WORK), soon).toEqual([]);

it('a trigger runs once per event, and each message is sent only once', async () => {
  const request = await makeRequest({ subject: `CN=${LOAD}nodes.example` });
  const issued: string[] = [];
  const byNodes = clients().map(async (client, node) => {
    for (let count = node; count < CERTIFICATES; count += 2) issued.push((await issue(client, path, request)).uuid);
  });
  await Promise.all(byNodes);
  provider.shelves.set('both', { results: (await resultMaker())(FOUND) });
  const body = { name: 'both', connectorUuid, kind: KEY_STORE_KIND, attributes: storeAttributes('both') };
  await second.client.discoveries.createDiscovery({ body });
  await waitUntilDone();

  expect(
    await checkAutomation({ query: async (text, values) => query(text, values) as never }, receiver.receipts),
  ).toEqual([]);
  expect(issued).toHaveLength(CERTIFICATES);
  const subjects = receiver.receipts.map(({ subject }) => subject);
  expect(subjects).toHaveLength(CERTIFICATES + FOUND);
  expect(new Set(subjects).size).toBe(CERTIFICATES + FOUND);
  const found = await query<{ runs: number }>(`SELECT count(*)::int AS runs FROM workflow_run`);
  expect(found).toEqual([{ runs: CERTIFICATES + FOUND }]);
});

it('a job runs once when due, and each expiry is notified once', async () => {
  const { uuid } = await issue(first.client, path, await makeRequest({ subject: 'CN=expiring.example' }));
  await query(`UPDATE certificate SET not_after = now() + interval '20 days' WHERE uuid = $1`, [uuid]);
  const [job] = await query<{ uuid: string }>(
    `UPDATE scheduled_job SET next_run_at = now() WHERE name = 'updateCertificateStatusJob' RETURNING uuid`,
  );
  const runs = () =>
    query<{ status: string }>('SELECT status FROM scheduled_job_run WHERE job_uuid = $1 ORDER BY started_at', [
      job?.uuid,
    ]);
  await expect.poll(runs, soon).toEqual([{ status: 'succeeded' }]);
  await waitUntilDone();
  const told = await query<{ days: number }>(
    `SELECT (data ->> 'thresholdDays')::int AS days FROM event_log
     WHERE event = 'certificate_expiring' AND object_uuid = $1`,
    [uuid],
  );
  expect(told).toEqual([{ days: 30 }]);
  // A separate run on each node, both simultaneously.
  await query('DELETE FROM expiry_notice WHERE certificate_uuid = $1', [uuid]);
  const params = { uuid: job?.uuid ?? '' };
  const asked = await Promise.allSettled(
    clients().map((client) => client.scheduledJobRuns.runScheduledJob({ params })),
  );
  expect(asked.map(({ status }) => status)).toContain('fulfilled');
  await expect.poll(async () => (await runs()).every(({ status }) => status === 'succeeded'), soon).toBe(true);
  const again = await query(
    `SELECT FROM event_log WHERE event = 'certificate_expiring' AND object_uuid = $1
     UNION ALL SELECT FROM event_outbox WHERE event = 'certificate_expiring'`,
    [uuid],
  );
  expect(again).toHaveLength(2);
});
