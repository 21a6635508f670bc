// Users are notified of expiring certificates by a platform job, according to the RA profile and the groups.
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { issue, rejectionOf } from './testing/certificates.ts';
import { createAuthority, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
const soon = { timeout: 20_000, interval: 100 };
const NOBODY = '0193f0a2-0000-7000-8000-000000000000';
let client: Client;
let path: IssuingPath;
let groupUuid: string;

beforeAll(async () => {
  ({ client } = server);
  path = await createAuthority(client, { name: 'Ending CA' });
  groupUuid = (await client.groups.createGroup({ body: { name: 'told' } })).uuid;
});

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  server.running.platform.database.query<Row>(text, values);

async function issueExpiring(name: string, days: number): Promise<string> {
  const { uuid } = await issue(client, path, await makeRequest({ subject: `CN=${name}` }));
  await query(`UPDATE certificate SET not_after = now() + $2::float8 * interval '1 day' WHERE uuid = $1`, [uuid, days]);
  return uuid;
}

/** Runs the job and waits for it to finish. */
async function runExpiryCheck(): Promise<string | undefined> {
  const jobs = await client.scheduledJobRuns.listScheduledJobOverviews({ query: { itemsPerPage: 100 } });
  const job = jobs.scheduledJobs.find(({ jobName }) => jobName === 'updateCertificateStatusJob');
  const params = { uuid: job?.uuid ?? '' };
  const before = await client.scheduledJobRuns.getScheduledJobOverview({ params });
  await client.scheduledJobRuns.runScheduledJob({ params });
  return vi.waitFor(async () => {
    const { running, lastRun } = await client.scheduledJobRuns.getScheduledJobOverview({ params });
    expect(running).toBe(false);
    expect(lastRun?.startedAt).not.toBe(before.lastRun?.startedAt);
    expect(lastRun?.status).toBe('succeeded');
    return lastRun?.message;
  }, soon);
}

/** Thresholds published for a certificate, in log order. */
async function reportedThresholds(uuid: string): Promise<number[]> {
  const rows = await query<{ days: number }>(
    `SELECT (data ->> 'thresholdDays')::int AS days FROM event_log
     WHERE event = 'certificate_expiring' AND object_uuid = $1 ORDER BY position`,
    [uuid],
  );
  return rows.map(({ days }) => days);
}

describe('the platform job', () => {
  it('publishes the event once per threshold, with the certificate data that messages use', async () => {
    const uuid = await issueExpiring('ending.example', 5);
    expect(await runExpiryCheck()).toMatch(/Certificates expiring soon: [1-9]/);
    await vi.waitFor(async () => expect(await reportedThresholds(uuid)).toEqual([7]), soon);
    const [event] = await query<{ data: object }>(
      `SELECT data FROM event_log WHERE event = 'certificate_expiring' AND object_uuid = $1`,
      [uuid],
    );
    const { fingerprint, serialNumber, subjectDn, issuerDn } = await client.certificates.getCertificate({
      params: { uuid },
    });
    expect(event?.data).toMatchObject({
      certificateUuid: uuid,
      fingerprint,
      serialNumber,
      subjectDn,
      issuerDn,
      authorityInstanceUuid: path.authorityUuid,
      raProfileUuid: path.raProfileUuid,
      raProfileName: expect.any(String),
    });
    expect(await runExpiryCheck()).toContain('Certificates expiring soon: 0.');
    await query(`UPDATE certificate SET not_after = now() + interval '20 hours' WHERE uuid = $1`, [uuid]);
    await runExpiryCheck();
    await vi.waitFor(async () => expect(await reportedThresholds(uuid)).toEqual([7, 1]), soon);
  });

  it('does not publish an event for a certificate that has a successor', async () => {
    const uuid = await issueExpiring('renewed.example', 5);
    const params = { ...path, certificateUuid: uuid };
    await client.clientOperations.renewCertificate({ params, body: {} });
    await runExpiryCheck();
    expect(await reportedThresholds(uuid)).toEqual([]);
  });
});

describe('expiry thresholds', () => {
  it('are inherited from the platform unless an RA profile or a group has its own, and can be reset to the inherited ones', async () => {
    const platform = await client.expiryThresholds.getExpiryThresholds();
    expect(platform).toEqual({ days: [30, 14, 7, 1], inherited: false });
    const ofProfile = { params: { raProfileUuid: path.raProfileUuid } };
    const ofGroup = { params: { groupUuid } };
    expect(await client.raProfileExpiryThresholds.getRaProfileExpiryThresholds(ofProfile)).toEqual({
      ...platform,
      inherited: true,
    });
    const own = { days: [2, 60, 2] };
    expect(await client.raProfileExpiryThresholds.setRaProfileExpiryThresholds({ ...ofProfile, body: own })).toEqual({
      days: [60, 2],
      inherited: false,
    });
    expect(await client.groupExpiryThresholds.setGroupExpiryThresholds({ ...ofGroup, body: { days: [] } })).toEqual({
      days: [],
      inherited: false,
    });
    const uuid = await issueExpiring('own.example', 20);
    await runExpiryCheck();
    await vi.waitFor(async () => expect(await reportedThresholds(uuid)).toEqual([60]), soon);
    await client.raProfileExpiryThresholds.inheritRaProfileExpiryThresholds(ofProfile);
    await client.groupExpiryThresholds.inheritGroupExpiryThresholds(ofGroup);
    expect((await client.raProfileExpiryThresholds.getRaProfileExpiryThresholds(ofProfile)).inherited).toBe(true);
    expect((await client.groupExpiryThresholds.getGroupExpiryThresholds(ofGroup)).inherited).toBe(true);
  });

  it('must be whole days, and require an existing object', async () => {
    for (const days of [[0], [3_651], [1.5], Array.from({ length: 21 }, (_, day) => day + 1)])
      expect(await rejectionOf(client.expiryThresholds.setExpiryThresholds({ body: { days } }))).toMatchObject({
        status: 400,
      });
    const gone = { params: { groupUuid: NOBODY } };
    expect(await rejectionOf(client.groupExpiryThresholds.getGroupExpiryThresholds(gone))).toMatchObject({
      status: 404,
    });
    const body = { days: [1] };
    expect(
      await rejectionOf(
        client.raProfileExpiryThresholds.setRaProfileExpiryThresholds({ params: { raProfileUuid: NOBODY }, body }),
      ),
    ).toMatchObject({ status: 404 });
  });
});
