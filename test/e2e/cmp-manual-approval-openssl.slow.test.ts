// CMP requests that require manual approval: the OpenSSL client polls until a decision is made.
import { randomUUID } from 'node:crypto';
import { parseCertificate, readDerOrPem } from '@signetry/pki';
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { approvalOf, approveAs, approver, guardedAuthority, rejectAs } from './testing/approvals.ts';
import { serveCmp, SHARED, type ServedCmp } from './testing/cmp-profiles.ts';
import { enrollmentOf, issueWaiting, WAIT, waitForRequest } from './testing/cmp-waiting.ts';
import type { LimitedUser } from './testing/limited-user.ts';
import { HAS_OPENSSL, OPENSSL_NOTE, opensslFolder } from './testing/openssl.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';

const server = sharedTestServer();
const openssl = opensslFolder();
let client: Client;
let path: IssuingPath;
let guarded: IssuingPath;
let decider: LimitedUser;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  decider = await approver(server);
  const name = `Guarded ${randomUUID().slice(0, 8)}`;
  guarded = await guardedAuthority(client, name, [{ userUuid: decider.userUuid, requiredApprovals: 1 }]);
});

describe.skipIf(!HAS_OPENSSL)(`openssl cmp${OPENSSL_NOTE}`, () => {
  async function enroll({ url }: ServedCmp, subject: string): Promise<string> {
    const [key, out] = [`${subject}.key`, `${subject}.pem`];
    await openssl.run('genpkey', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', key]);
    const { host, pathname } = new URL(url);
    const place = ['-server', host, '-path', pathname.slice(1)];
    const asked = ['-cmd', 'ir', '-newkey', key, '-subject', `/CN=${subject}`, '-certout', out];
    const proof = ['-ref', SHARED.reference, '-secret', `pass:${SHARED.secret}`, '-total_timeout', '18'];
    await openssl.run('cmp', place, asked, proof);
    return parseCertificate(readDerOrPem(await openssl.read(out), ['CERTIFICATE'])).subject.rdns[0]?.[0]?.value ?? '';
  }

  // Run concurrently, since clients poll only every ten seconds.
  it('polls until an operator has issued, approved or rejected the request', async () => {
    const manual = await serveCmp(server, path, { requireManualApproval: true });
    const both = await serveCmp(server, guarded, { requireManualApproval: true });
    const approvals = await serveCmp(server, guarded);
    const [issued, approved, rejected, refused] = ['issued', 'approved', 'rejected', 'refused'].map(
      (word) => `${word}-${randomUUID().slice(0, 8)}`,
    ) as [string, string, string, string];
    const clients = Promise.allSettled([
      enroll(manual, issued),
      enroll(approvals, approved),
      enroll(approvals, rejected),
      enroll(both, refused),
    ]);
    await issueWaiting(client, path, await waitForRequest(client, issued));
    await approveAs(decider, (await approvalOf(client, await waitForRequest(client, approved))).approvalUuid);
    await rejectAs(
      decider,
      (await approvalOf(client, await waitForRequest(client, rejected))).approvalUuid,
      'no such device',
    );
    const kept = await waitForRequest(client, refused);
    await issueWaiting(client, guarded, kept).catch(() => undefined);
    const approval = () =>
      approvalOf(client, kept).then(
        ({ approvalUuid }) => approvalUuid,
        () => undefined,
      );
    await expect.poll(approval, WAIT).toBeDefined();
    await rejectAs(decider, (await approvalOf(client, kept)).approvalUuid, 'not this one either');
    const [first, second, third, fourth] = await clients;
    expect([first, second]).toEqual([
      { status: 'fulfilled', value: issued },
      { status: 'fulfilled', value: approved },
    ]);
    expect(third).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('no such device') } });
    expect(fourth).toMatchObject({ reason: { message: expect.stringContaining('not this one either') } });
    expect(await enrollmentOf(client, rejected)).toMatchObject({ state: 'refused' });
  }, 60_000);
});
