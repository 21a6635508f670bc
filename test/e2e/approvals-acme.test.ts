// Orders of ACME clients under an RA profile with an approval profile: they are processing until a decision is made,
// and clients poll as usual.
import { X509Certificate } from 'node:crypto';
import { makeSigningRequest, type AcmeTestClient } from '@signetry/testkit/acme';
import { beforeAll, expect, it, vi } from 'vitest';
import { sharedAcmeServer } from './testing/acme-server.ts';
import {
  approvalOf,
  approveAs,
  approver,
  associate,
  waitForState,
  createApprovalProfile,
  rejectAs,
} from './testing/approvals.ts';
import type { LimitedUser } from './testing/limited-user.ts';
import { defaultProfile } from './testing/profiles.ts';

const acme = sharedAcmeServer();
let ann: LimitedUser;
let account: AcmeTestClient;

beforeAll(async () => {
  const { client } = acme.server;
  ann = await approver(acme.server);
  account = await acme.account();
  const profile = await createApprovalProfile(client, 'of ACME', [{ userUuid: ann.userUuid }]);
  await associate(client, await defaultProfile(client), profile);
});

/** Finalizes an order, which then waits; returns its URL and its certificate object. */
async function waitingOrder(name: string) {
  const host = acme.host(name);
  const { url, order } = await acme.readyOrder(account, [host]);
  const request = await makeSigningRequest({ names: [host] });
  const finalized = await account.finalize(order.finalize, request.der);
  expect([finalized.status, finalized.body.status]).toEqual([200, 'processing']);
  const [waiting] = (await ann.client.approvals.listUserApprovals({})).approvals;
  const certificateUuid = waiting?.objectUuid ?? expect.fail('no approval is pending');
  const approval = await approvalOf(acme.server.client, certificateUuid);
  expect(approval.creatorUsername).toBe('acme');
  return { url, host, certificateUuid, approvalUuid: approval.approvalUuid };
}

it("issues an order's certificate once it is approved", async () => {
  const { url, host, approvalUuid } = await waitingOrder('approved');
  expect((await account.order(url)).body.status).toBe('processing');
  await approveAs(ann, approvalUuid);
  const done = await vi.waitFor(
    async () => {
      const { body } = await account.order(url);
      expect(body.status).toBe('valid');
      return body;
    },
    { timeout: 10_000, interval: 100 },
  );
  const { text } = await account.download(done.certificate ?? '');
  expect(new X509Certificate(text).checkHost(host)).toBe(host);
});

/**
 * Error that the client of an order reads if its certificate was not approved: it names neither the approvers nor their
 * comments.
 */
const NOT_APPROVED = {
  status: 'invalid',
  error: {
    type: 'urn:ietf:params:acme:error:unauthorized',
    detail: expect.stringContaining('required an approval, which was rejected or timed out'),
  },
};

it('invalidates a rejected order, which is visible to both the client and the administrator', async () => {
  const { url, host, approvalUuid } = await waitingOrder('rejected');
  await rejectAs(ann, approvalUuid);
  expect((await account.order(url)).body).toMatchObject(NOT_APPROVED);
  const { client } = acme.server;
  const [profile] = await client.acmeProfiles.listAcmeProfiles();
  const listed = await client.acmeOrders.listAcmeOrders({ params: { uuid: profile?.uuid ?? '' } });
  const own = listed.orders.find(({ names }) => names.includes(host));
  expect(own).toMatchObject({ status: 'invalid', error: expect.stringContaining('required an approval') });
});

it('invalidates an order that is not approved in time, and reports an error', async () => {
  const { url, approvalUuid } = await waitingOrder('expired');
  const { database, jobs } = acme.server.running.platform;
  await database.query(`UPDATE approval SET expiry_at = now() - interval '1 second' WHERE uuid = $1`, [approvalUuid]);
  await jobs.enqueue(database.executor, 'approvals-expiry', {});
  jobs.wake('approvals-expiry');
  await vi.waitFor(async () => expect((await account.order(url)).body).toMatchObject(NOT_APPROVED), {
    timeout: 10_000,
    interval: 100,
  });
});

it('revokes after approval; until then the client gets an error', async () => {
  const { url, certificateUuid, approvalUuid } = await waitingOrder('revoked');
  await approveAs(ann, approvalUuid);
  await waitForState(acme.server.client, certificateUuid, 'issued');
  const { text } = await account.download((await account.order(url)).body.certificate ?? '');
  const der = new X509Certificate(text).raw;
  const waiting = await account.revoke(der, { reason: 4 });
  expect(waiting.status).toBe(503);
  expect(waiting.text).toContain('waits for approval');
  const approval = await approvalOf(acme.server.client, certificateUuid);
  expect(approval).toMatchObject({ resourceAction: 'revoke', status: 'PENDING' });
  // The protocol user is the requester, so the administrator can decide.
  await acme.server.client.approvals.approveApproval({ params: { uuid: approval.approvalUuid } });
  await waitForState(acme.server.client, certificateUuid, 'revoked');
  expect((await account.revoke(der)).problem).toBe('alreadyRevoked');
});
