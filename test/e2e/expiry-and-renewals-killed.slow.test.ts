// A node is killed between finding an expiring certificate and notifying, and between the steps of a renewal (started,
// ordered, recorded): another node continues, nothing is lost and nothing is repeated.
import type { Client } from '@signetry/client';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { issue } from './testing/certificates.ts';
import { createSharedDatabase } from './testing/shared-database.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';
import { makeRequest } from './testing/requests.ts';
import { createKey, createTokenWithProfile, textValue } from './testing/tokens.ts';

/** Starting five nodes. */
const TIMEOUT_MS = 300_000;
const soon = { timeout: 30_000, interval: 100 };
const ENDING = 5;

const { nodeArgs, query } = createSharedDatabase();
const folder = temporaryFolder();
let started = 0;

const startNode = async (faultPoint?: string) =>
  startProgram({
    directory: join(folder, `node-${(started += 1)}`),
    args: [...(await nodeArgs()), '--https=off'],
    ...(faultPoint === undefined ? {} : { environment: { SIGNETRY_FAULT_POINT: faultPoint } }),
  });

/** Issues a certificate with a token key, and moves it into the last tenth of its validity period. */
async function createExpiringWithTokenKey(client: Client, path: IssuingPath): Promise<string> {
  const token = await createTokenWithProfile(client);
  const { uuid: keyUuid } = await createKey(client, token, { specification: 'P-256' });
  const { tokenProfileUuid } = token;
  const csrAttributes = [textValue('commonName', 'killed.example')];
  const { uuid } = await client.clientOperations.issueCertificate({
    params: path,
    body: { attributes: [], keyUuid, tokenProfileUuid, csrAttributes },
  });
  await query(
    `UPDATE certificate SET not_before = now() - interval '90 days', not_after = now() + interval '10 days'
     WHERE uuid = $1`,
    [uuid],
  );
  return uuid;
}

/** As if the killed node's leases had expired, seen from a clock that was set back. */
const expireLeases = async (): Promise<void> => {
  await query(`UPDATE scheduled_job SET leased_until = now() + interval '1 year' WHERE leased_until IS NOT NULL`);
  await query(`UPDATE renewal SET leased_until = now() + interval '1 year' WHERE leased_until IS NOT NULL`);
};

it('an expiring certificate is notified only once and renewed only once', { timeout: TIMEOUT_MS }, async () => {
  const finding = await startNode('expiry.afterNotice');
  let died = once(finding.child, 'exit');
  const path = await defaultProfile(finding.client);
  const uuids: string[] = [];
  for (let count = 0; count < ENDING; count += 1)
    uuids.push((await issue(finding.client, path, await makeRequest({ subject: `CN=ending-${count}.example` }))).uuid);
  await query(`UPDATE certificate SET not_after = now() + interval '5 days' WHERE uuid = ANY ($1::uuid[])`, [uuids]);
  await query(`UPDATE scheduled_job SET next_run_at = now() WHERE name = 'updateCertificateStatusJob'`);
  expect(await died).toContain('SIGKILL');
  const findNotices = () => query('SELECT FROM expiry_notice WHERE certificate_uuid = ANY ($1::uuid[])', [uuids]);
  expect(await findNotices()).toEqual([]);
  await expireLeases();

  const beginning = await startNode('renewals.afterBegin');
  died = once(beginning.child, 'exit');
  const reportedThresholds = async () =>
    (await query<{ days: number }>(
      `SELECT (data ->> 'thresholdDays')::int AS days FROM event_log
       WHERE event = 'certificate_expiring' AND object_uuid = ANY ($1::uuid[])`,
      [uuids],
    )).map(({ days }) => days); // prettier-ignore
  await expect.poll(reportedThresholds, soon).toEqual(uuids.map(() => 7));
  expect(await findNotices()).toHaveLength(ENDING);

  const renewing = await createAuthority(beginning.client, { name: 'Renewing CA' });
  const certificate = await createExpiringWithTokenKey(beginning.client, renewing);
  await beginning.client.automaticRenewal.setAutomaticRenewal({
    params: { raProfileUuid: renewing.raProfileUuid },
    body: { automatic: true, tokenKeys: true },
  });
  expect(await died).toContain('SIGKILL');
  const states = () => query<{ state: string }>('SELECT state FROM renewal');
  expect(await states()).toEqual([{ state: 'renewing' }]);
  await expireLeases();

  // It may be killed before it is ready.
  const ordering = await startNode('renewals.afterOrder').catch(
    (error: unknown) => void expect(String(error)).toContain('SIGKILL'),
  );
  if (ordering) expect(await once(ordering.child, 'exit')).toContain('SIGKILL');
  expect(await states()).toEqual([{ state: 'renewing' }]);
  const successors = () =>
    query<{ uuid: string; state: string }>(
      `SELECT c.uuid, c.state FROM certificate_relation r JOIN certificate c ON c.uuid = r.successor_uuid
       WHERE r.predecessor_uuid = $1`,
      [certificate],
    );
  expect(await successors()).toHaveLength(1);
  await expireLeases();

  await startNode();
  await expect.poll(states, soon).toEqual([{ state: 'renewed' }]);
  const [successor, ...others] = await successors();
  expect([successor?.state, others]).toEqual(['issued', []]);
  const attempts = await query<{ problem: string | null; successor_uuid: string | null }>(
    'SELECT problem, successor_uuid FROM renewal_attempt WHERE ended_at IS NOT NULL ORDER BY started_at',
  );
  const stopped = { problem: 'The node running it stopped.', successor_uuid: null };
  expect(attempts).toEqual([stopped, stopped, { problem: null, successor_uuid: successor?.uuid }]);
  expect(await query('SELECT FROM renewal_attempt WHERE ended_at IS NULL')).toEqual([]);
});
