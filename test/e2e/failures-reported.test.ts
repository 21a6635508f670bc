// When a request fails, its requester and the certificate's owner are notified, with the reason and the next step. The
// same applies to an automatic renewal that keeps failing.
import { sharedTestServer } from '@signetry/testkit/platform';
import type { Client } from '@signetry/client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { issue } from './testing/certificates.ts';
import { HOSTILE_KIND, startHostileAuthority, type HostileAuthority } from './testing/hostile-authority.ts';
import { createAuthority, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer({ args: ['--issue-wait-ms', '2000', '--egress-allowed-hosts', '127.0.0.1'] });
const soon = { timeout: 15_000, interval: 100 };
let client: Client;
let hostile: HostileAuthority;
let path: IssuingPath;
/** UUID of a certificate that was not issued. */
let failed: string;

beforeAll(async () => {
  ({ client } = server);
  hostile = await startHostileAuthority();
  const { uuid: connectorUuid } = await client.connectors.createConnector({
    body: { name: 'hostile', url: hostile.url, authType: 'none' },
  });
  path = await createAuthority(client, { name: 'Hostile CA', connectorUuid, kind: HOSTILE_KIND });
});

afterAll(() => hostile.close());

const inbox = async () => (await client.notifications.listNotifications({ query: { itemsPerPage: 100 } })).items;

const waitForReport = (words: string) =>
  vi.waitFor(
    async () =>
      (await inbox()).find(({ message }) => message.includes(words)) ?? expect.fail(`no notification about ${words}`),
    soon,
  );

it('notifies the requester of the reason if a certificate is not issued after the request was answered', async () => {
  const answered = Promise.withResolvers<void>();
  hostile.onIssue(async () => {
    await answered.promise;
    return { status: 422, text: JSON.stringify(['The quota of the month is used up']) };
  });
  const { pem: request } = await makeRequest({ subject: 'CN=late.example' });
  const late = await client.clientOperations.issueCertificate({ params: path, body: { request, attributes: [] } });
  answered.resolve();
  failed = late.uuid;
  const { message, detail, targetObjectIdentification: target } = await waitForReport('late.example');
  expect(message).toBe('Certificate late.example was not issued.');
  expect(detail).toContain('quota of the month');
  expect(detail).toContain('request the certificate again');
  expect(target).toEqual([late.uuid]);
  // An owner who is also the requester is notified once.
  expect((await inbox()).filter((each) => each.message.includes('late.example'))).toHaveLength(1);
});

it('notifies the owner when renewals keep failing and when the platform gives up', async () => {
  hostile.onIssue(hostile.issueProperly);
  const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=stale.example' }));
  const query = (text: string) => server.running.platform.database.query(text);
  const simulateFailure = async (attempts: number) => {
    const renewal = crypto.randomUUID();
    await query(
      `INSERT INTO renewal (uuid, certificate_uuid, ra_profile_uuid, state, next_at, attempts, successor_uuid, awaits_issue)
       VALUES ('${renewal}', '${uuid}', '${path.raProfileUuid}', 'renewed', now(), ${attempts}, '${failed}', true)`,
    );
    // Changing the setting wakes the worker.
    await client.automaticRenewal.setAutomaticRenewal({
      params: { raProfileUuid: path.raProfileUuid },
      body: { automatic: true },
    });
    return renewal;
  };
  const failing = await simulateFailure(5);
  const { message, detail } = await waitForReport('stale.example was not renewed');
  expect(message).toBe('Certificate stale.example was not renewed.');
  expect(detail).toMatch(/tried 5 times to renew it and will keep trying\. Last error: /);
  expect(detail).toContain('renew it before then');
  await query(`DELETE FROM renewal WHERE uuid = '${failing}'`);
  await query(`UPDATE certificate SET not_after = now() - interval '1 minute' WHERE uuid = '${uuid}'`);
  await simulateFailure(9);
  await vi.waitFor(
    async () => expect((await inbox()).some((each) => each.detail?.includes('tried 9 times'))).toBe(true),
    soon,
  );
});

it('notifies the owner of changes made by other users, but does not notify users of their own successful requests', async () => {
  hostile.onIssue(hostile.issueProperly);
  const { uuid: ownerUuid } = await client.users.createUser({ body: { username: 'olga', email: 'olga@example.com' } });
  const { uuid: mine } = await issue(client, path, await makeRequest({ subject: 'CN=mine.example' }));
  const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=hers.example' }));
  await client.certificates.updateCertificateObjects({ params: { uuid }, body: { ownerUuid } });
  for (const certificateUuid of [mine, uuid])
    await client.clientOperations.revokeCertificate({
      params: { ...path, certificateUuid },
      body: { reason: 'superseded', attributes: [] },
    });
  const waitForReport = () =>
    server.running.platform.database.query<{ user_uuid: string; message: string }>(
      `SELECT user_uuid, message FROM notification WHERE message LIKE '%mine.example%' OR message LIKE '%hers.example%'`,
    );
  const revoked = { user_uuid: ownerUuid, message: 'Certificate hers.example was revoked.' };
  // Events are processed in order.
  await vi.waitFor(async () => expect(await waitForReport()).toContainEqual(revoked), soon);
  expect((await waitForReport()).filter(({ message }) => message.includes('mine.example'))).toEqual([]);
});
