// The clock is behind the newest signed entry: the node reports it everywhere, and an operator can declare which of the
// two is wrong.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@signetry/testkit/platform';
import { expect, it, onTestFinished } from 'vitest';
import { issue, rejectionOf } from './testing/certificates.ts';
import { defaultProfile } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

/** Three runs of the platform. */
const TIMEOUT_MS = 180_000;

const readiness = async ({ ready }: TestServer) => {
  const [own, api] = await Promise.all([
    fetch(`${ready.http}/health/ready`),
    fetch(`${ready.api}/v1/health/readiness`),
  ]);
  return { statuses: [own.status, api.status], text: await api.text() };
};

it(
  'a clock behind the newest entry fails readiness, blocks issuance with a specific message, and can be accepted explicitly',
  { timeout: TIMEOUT_MS },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'signetry-e2e-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const start = (...args: string[]) => startTestServer({ directory, keepData: true, args });
    const before = await start();
    await issue(
      before.client,
      await defaultProfile(before.client),
      await makeRequest({ subject: 'CN=before.example' }),
    );
    // As if the clock had been a year ahead when this was signed.
    const [entry] = await before.running.platform.database.query<{ at: Date }>(
      `UPDATE connector_software_authority.issuance SET prepared_at = prepared_at + interval '1 year'
     WHERE id = (SELECT max(id) FROM connector_software_authority.issuance) RETURNING prepared_at AS at`,
    );
    const wrong = entry?.at.toISOString() ?? expect.unreachable('nothing was signed');
    await before.stop();

    const behind = await start();
    const state = await readiness(behind);
    expect(state.statuses).toEqual([503, 503]);
    expect(state.text).toContain(`--accept-clock ${wrong}`);
    const path = await defaultProfile(behind.client);
    const refusal = await rejectionOf(issue(behind.client, path, await makeRequest({ subject: 'CN=refused.example' })));
    expect(refusal).toMatchObject({
      status: 503,
      message: expect.stringMatching(/36[45] d .*before the newest entry/),
    });
    const kept = await behind.client.certificates.getCertificate({ params: { uuid: refusal.uuid } });
    expect(kept.state).toBe('failed');
    await behind.stop();

    const accepting = await start('--accept-clock', wrong);
    expect((await readiness(accepting)).statuses).toEqual([200, 200]);
    await issue(accepting.client, path, await makeRequest({ subject: 'CN=after.example' }));
    const records = await accepting.running.platform.database.query(
      `SELECT FROM audit_record WHERE message LIKE '%acceptClock%' || $1 || '%does not prevent software-authority from signing'`,
      [wrong],
    );
    expect(records).toHaveLength(1);
  },
);
