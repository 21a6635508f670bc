// Work that was postponed or leased before the clock was set back by a year does not wait for a year. The rows are in
// the state left by a node whose clock ran ahead.
import { sharedTestServer } from '@signetry/testkit/platform';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { declareAutomation, type Declared } from '../faults/automation/declare.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../faults/automation/webhook-receiver.ts';
import { issue } from './testing/certificates.ts';
import { defaultProfile } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const AHEAD = `now() + interval '1 year'`;
const soon = { timeout: 15_000, interval: 100 };
const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
let receiver: WebhookReceiver;
let declared: Declared;

beforeAll(async () => {
  receiver = await startWebhookReceiver({ chance: () => 1, droppedShare: 0 });
  declared = await declareAutomation(server.client, { webhookUrl: receiver.url, commonName: 'late-' });
  return () => receiver.close();
});

const query = <Row extends object>(text: string, values: readonly unknown[] = []) =>
  server.running.platform.database.query<Row>(text, [...values]);
const issueCertificate = async () => {
  const request = await makeRequest({ subject: `CN=late-${randomUUID()}.example` });
  return (await issue(server.client, await defaultProfile(server.client), request)).uuid;
};
const expectDelivered = (objectUuid: string) =>
  expect
    .poll(() => query('SELECT state FROM notification_delivery WHERE object_uuid = $1', [objectUuid]), soon)
    .toEqual([{ state: 'delivered' }]);

describe('a clock that was set back', () => {
  it('does not delay an event follower after a failure', async () => {
    await query(`UPDATE event_follower SET failures = 1, retry_at = ${AHEAD} WHERE name = 'workflows'`);
    await expectDelivered(await issueCertificate());
    expect(await query(`SELECT failures, retry_at FROM event_follower WHERE name = 'workflows'`)).toEqual([
      { failures: 0, retry_at: null },
    ]);
  });

  it('does not delay a trigger run or repeat an action', async () => {
    const uuid = await issueCertificate();
    await expectDelivered(uuid);
    await query(
      `UPDATE workflow_run SET state = 'waiting', step = 2, ended_at = NULL, lease = gen_random_uuid(), due_at = ${AHEAD}
       WHERE object_uuid = $1`,
      [uuid],
    );
    const runs = () => query('SELECT state, step FROM workflow_run WHERE object_uuid = $1', [uuid]);
    await expect.poll(runs, soon).toEqual([{ state: 'ended', step: 3 }]);
    await expectDelivered(uuid);
  });

  it('does not delay a delivery, whose one-day limit starts now', async () => {
    const uuid = await issueCertificate();
    await expectDelivered(uuid);
    await query(
      `UPDATE notification_delivery SET state = 'waiting', ended_at = NULL, next_at = ${AHEAD}, queued_at = ${AHEAD}
       WHERE object_uuid = $1`,
      [uuid],
    );
    await expectDelivered(uuid);
    const [row] = await query<{ queued_at: Date }>(
      'SELECT queued_at FROM notification_delivery WHERE object_uuid = $1',
      [uuid],
    );
    expect(row?.queued_at.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('does not delay repeated notifications or cause one to be repeated immediately', async () => {
    const uuid = await issueCertificate();
    await query(
      `INSERT INTO notification_pending (profile_uuid, version, event, resource, object_uuid, data, sent_count,
         last_sent_at, next_at)
       VALUES ($1, 1, 'certificate_expiring', 'certificates', $2, '{}', 1, ${AHEAD}, ${AHEAD})`,
      [declared.profileUuid, uuid],
    );
    const { notifications } = server.running.areas;
    await notifications.lookAgain();
    const [row] = await query<{ sent_count: number; last_sent_at: Date; next_at: Date }>(
      'SELECT sent_count, last_sent_at, next_at FROM notification_pending WHERE object_uuid = $1',
      [uuid],
    );
    expect(row?.sent_count).toBe(1);
    expect(row?.last_sent_at.getTime()).toBeLessThanOrEqual(Date.now());
    expect(row?.next_at.getTime()).toBeLessThanOrEqual(Date.now() + 3_600_000);
  });

  it('leaves no job marked as running', async () => {
    const runUuid = randomUUID();
    const [job] = await query<{ uuid: string }>(`SELECT uuid FROM scheduled_job ORDER BY uuid LIMIT 1`);
    await query(`INSERT INTO scheduled_job_run (uuid, job_uuid, started_at, status) VALUES ($1, $2, ${AHEAD}, 'started')`, [
      runUuid,
      job?.uuid,
    ]); // prettier-ignore
    await query(`UPDATE scheduled_job SET run_uuid = $1, leased_until = ${AHEAD} WHERE uuid = $2`, [
      runUuid,
      job?.uuid,
    ]);
    const state = () => query('SELECT status FROM scheduled_job_run WHERE uuid = $1', [runUuid]);
    await expect.poll(state, soon).toEqual([{ status: 'failed' }]);
  });
});
