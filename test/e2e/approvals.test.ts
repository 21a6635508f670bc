// Operations on certificates that wait for approval: issue, renew, rekey and revoke over real HTTP, with decisions by
// real users.
import type { Client } from '@signetry/client';
import type { CertificateRevocationReason } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  approvalOf,
  approveAs,
  approver,
  associate,
  waitForState,
  createApprovalProfile,
  guardedAuthority,
  rejectAs,
  stateOf,
} from './testing/approvals.ts';
import { coreContext } from '../../packages/server/src/kernel/actor.ts';
import { historyOf, issue, rejectionOf } from './testing/certificates.ts';
import { downloadUrlsOf, askOcsp } from './testing/downloads.ts';
import { addEndEntity, createLegacyAuthority } from './testing/legacy-authorities.ts';
import { userWithRole, type LimitedUser } from './testing/limited-user.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { resourceRights } from './testing/rights.ts';

const server = sharedTestServer();
let client: Client;
let ann: LimitedUser;
let bob: LimitedUser;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  [ann, bob] = [await approver(server), await approver(server)];
  path = await guardedAuthority(client, 'Guarded CA', [{ userUuid: ann.userUuid }]);
});

/** Requests a certificate, which then waits. */
async function ask(name: string, under = path): Promise<string> {
  const request = await makeRequest({ subject: `CN=${name}` });
  const answer = await client.clientOperations.issueCertificate({
    params: under,
    body: { request: request.pem, attributes: [] },
  });
  expect(answer.certificateData).toBe('');
  expect(await stateOf(client, answer.uuid)).toBe('pending_approval');
  return answer.uuid;
}

const approvalUuidOf = async (uuid: string): Promise<string> => (await approvalOf(client, uuid)).approvalUuid;

/** An issued certificate under the RA profile that requires approval. */
async function approvedCertificate(name: string): Promise<string> {
  const uuid = await ask(name);
  await approveAs(ann, await approvalUuidOf(uuid));
  await waitForState(client, uuid, 'issued');
  return uuid;
}

const revoke = (certificateUuid: string, reason: CertificateRevocationReason = 'superseded'): Promise<void> =>
  client.clientOperations.revokeCertificate({
    params: { ...path, certificateUuid },
    body: { reason, attributes: [] },
  });

describe('a certificate requested under an RA profile with an approval profile', () => {
  it('is issued once it is approved, and its history names the approver', async () => {
    const uuid = await ask('approved.example');
    const approval = await approvalOf(client, uuid);
    expect(approval).toMatchObject({
      status: 'PENDING',
      resource: 'certificates',
      resourceAction: 'issue',
      objectUuid: uuid,
      creatorUsername: 'admin',
      version: 1,
      approvalProfileName: 'of Guarded CA',
    });
    const own = await ann.client.approvals.listUserApprovals({});
    expect(own.approvals.map(({ objectUuid }) => objectUuid)).toEqual([uuid]);
    await approveAs(ann, approval.approvalUuid, 'known to me');
    await waitForState(client, uuid, 'issued');
    expect(await approvalOf(client, uuid)).toMatchObject({ status: 'APPROVED' });
    const history = await historyOf(client, uuid);
    expect(history).toContainEqual(expect.stringMatching(/^Approve action requested SUCCESS: .*of Guarded CA/));
    expect(history).toContainEqual(expect.stringMatching(/^Approve action closed SUCCESS: Approved by .*known to me$/));
    expect(history).toContainEqual(expect.stringMatching(/^Issue Certificate SUCCESS/));
    expect((await ann.client.approvals.listUserApprovals({})).approvals).toEqual([]);
    const past = await ann.client.approvals.listUserApprovals({ query: { history: true } });
    expect(past.approvals.map(({ objectUuid }) => objectUuid)).toContain(uuid);
  });

  it('is permanently rejected by a single rejection, whose comment is visible to clients', async () => {
    const uuid = await ask('rejected.example');
    const approvalUuid = await approvalUuidOf(uuid);
    await rejectAs(ann, approvalUuid, 'not ours');
    expect(await stateOf(client, uuid)).toBe('rejected');
    const detail = await client.approvals.getApproval({ params: { uuid: approvalUuid } });
    expect(detail.status).toBe('REJECTED');
    expect(detail.approvalSteps[0]?.approvalStepRecipients).toMatchObject([
      { status: 'REJECTED', comment: 'not ours' },
    ]);
    expect(await historyOf(client, uuid)).toContainEqual(
      expect.stringMatching(/^Issue Certificate FAILED: .*not ours/),
    );
    expect(await rejectionOf(approveAs(ann, approvalUuid))).toMatchObject({ status: 422 });
    expect(await stateOf(client, uuid)).toBe('rejected');
  });

  it('is rejected if it is not decided on in time', async () => {
    const uuid = await ask('late.example');
    const approvalUuid = await approvalUuidOf(uuid);
    const { database, jobs } = server.running.platform;
    await database.query(`UPDATE approval SET expiry_at = now() - interval '1 second' WHERE uuid = $1`, [approvalUuid]);
    expect(await rejectionOf(approveAs(ann, approvalUuid))).toMatchObject({ status: 422 });
    await jobs.enqueue(database.executor, 'approvals-expiry', {});
    jobs.wake('approvals-expiry');
    await waitForState(client, uuid, 'rejected');
    expect(await approvalOf(client, uuid)).toMatchObject({ status: 'EXPIRED', closedAt: expect.any(String) });
  });

  it('also waits if its CSR was stored beforehand', async () => {
    const request = await makeRequest({ subject: 'CN=stored.example' });
    const { uuid: certificateUuid } = await client.certificates.submitCertificateRequest({
      body: {
        raProfileUuid: path.raProfileUuid,
        request: request.pem,
        issueAttributes: [],
        csrAttributes: [],
        signatureAttributes: [],
      },
    });
    expect(await stateOf(client, certificateUuid)).toBe('requested');
    await client.clientOperations.issueRequestedCertificate({ params: { ...path, certificateUuid } });
    expect(await stateOf(client, certificateUuid)).toBe('pending_approval');
    await approveAs(ann, await approvalUuidOf(certificateUuid));
    await waitForState(client, certificateUuid, 'issued');
  });

  it('cannot be deleted while it is waiting, and neither can its RA profile', async () => {
    const uuid = await ask('kept.example');
    const refusal = await rejectionOf(client.certificates.deleteCertificate({ params: { uuid } }));
    expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining('is waiting for approval') });
    const ofProfile = await rejectionOf(client.raProfiles.deleteRaProfile({ params: path }));
    expect(ofProfile).toMatchObject({ status: 422, message: expect.stringContaining('are waiting for approval') });
    await rejectAs(ann, await approvalUuidOf(uuid));
    await client.certificates.deleteCertificate({ params: { uuid } });
  });

  it('can be found by its displayed state', async () => {
    const uuid = await ask('searched.example');
    const filter = { fieldSource: 'property', fieldIdentifier: 'CERTIFICATE_STATE', condition: 'EQUALS' } as const;
    const { certificates } = await client.certificates.listCertificates({
      body: { filters: [{ ...filter, value: ['pending_approval'] }], itemsPerPage: 100 },
    });
    expect(certificates.map((each) => each.uuid)).toContain(uuid);
    await rejectAs(ann, await approvalUuidOf(uuid));
  });
});

describe('an issued certificate under such an RA profile', () => {
  it('is renewed and rekeyed only after approval, with a separate approval for each', async () => {
    const keys = await makeRequest({ subject: 'CN=succeeded.example' });
    const first = await client.clientOperations.issueCertificate({
      params: path,
      body: { request: keys.pem, attributes: [] },
    });
    await approveAs(ann, await approvalUuidOf(first.uuid));
    await waitForState(client, first.uuid, 'issued');
    const params = { ...path, certificateUuid: first.uuid };
    const renewed = await client.clientOperations.renewCertificate({ params, body: {} });
    const other = await makeRequest({ subject: 'CN=succeeded.example' });
    const rekeyed = await client.clientOperations.rekeyCertificate({ params, body: { request: other.pem } });
    for (const [answer, action] of [
      [renewed, 'renew'],
      [rekeyed, 'rekey'],
    ] as const) {
      expect(answer.certificateData).toBe('');
      expect(await approvalOf(client, answer.uuid)).toMatchObject({ status: 'PENDING', resourceAction: action });
      await approveAs(ann, await approvalUuidOf(answer.uuid));
      await waitForState(client, answer.uuid, 'issued');
    }
    expect(await stateOf(client, first.uuid)).toBe('issued');
  });

  it('remains valid until its revocation is approved, and is shown as awaiting approval', async () => {
    const uuid = await approvedCertificate('revoked.example');
    const { certificateContent = '' } = await client.certificates.getCertificate({ params: { uuid } });
    const [, issuer = ''] = await chainOf(uuid);
    const { ocsp } = downloadUrlsOf(server.ready, path.authorityUuid);
    const status = () =>
      askOcsp(ocsp, { certificate: Buffer.from(certificateContent, 'base64'), issuer: Buffer.from(issuer, 'base64') });
    await revoke(uuid);
    expect(await stateOf(client, uuid)).toBe('pending_approval');
    expect(await status()).toBe('good');
    expect(await rejectionOf(revoke(uuid))).toMatchObject({ status: 422 });
    const renewal = client.clientOperations.renewCertificate({ params: { ...path, certificateUuid: uuid }, body: {} });
    expect(await rejectionOf(renewal)).toMatchObject({ status: 422 });
    await approveAs(ann, await approvalUuidOf(uuid));
    await waitForState(client, uuid, 'revoked');
    expect(await status()).toBe('revoked');
  });

  it('remains issued if its revocation is rejected, and its revocation can be requested again', async () => {
    const uuid = await approvedCertificate('stays.example');
    await revoke(uuid);
    await rejectAs(ann, await approvalUuidOf(uuid), 'still needed');
    expect(await stateOf(client, uuid)).toBe('issued');
    expect(await historyOf(client, uuid)).toContainEqual(
      expect.stringMatching(/^Revoke Certificate FAILED: Not revoked, still issued.*still needed/),
    );
    await revoke(uuid);
    expect(await stateOf(client, uuid)).toBe('pending_approval');
    await approveAs(ann, await approvalUuidOf(uuid));
    await waitForState(client, uuid, 'revoked');
  });

  it('stays on hold until its release is approved, and also if its release is rejected', async () => {
    const uuid = await approvedCertificate('held.example');
    await revoke(uuid, 'certificateHold');
    await approveAs(ann, await approvalUuidOf(uuid));
    await waitForState(client, uuid, 'revoked');
    const release = () => client.certificateHold.releaseCertificate({ params: { uuid } });
    await release();
    await rejectAs(ann, await approvalUuidOf(uuid), 'not yet');
    expect(await stateOf(client, uuid)).toBe('revoked');
    const history = await historyOf(client, uuid);
    expect(history).toContainEqual(expect.stringMatching(/Waiting for approval to release from hold/));
    expect(history).toContainEqual(expect.stringMatching(/Not released, still on hold.*not yet/));
    await release();
    await approveAs(ann, await approvalUuidOf(uuid));
    await waitForState(client, uuid, 'issued');
  });

  const chainOf = async (uuid: string): Promise<string[]> => {
    const chain = await client.certificates.getCertificateChain({
      params: { uuid },
      query: { withEndCertificate: true },
    });
    return (chain.certificates ?? []).map(({ certificateContent = '' }) => certificateContent);
  };
});

describe('a v1 authority', () => {
  it('issues and revokes after approval, and returns 503 until it is approved', async () => {
    const legacy = await createLegacyAuthority(client, { name: 'Guarded legacy CA' });
    const profile = await createApprovalProfile(client, 'of legacy', [{ userUuid: ann.userUuid }]);
    await associate(client, legacy, profile);
    await addEndEntity(client, legacy, 'entity');
    const { pem: pkcs10 } = await makeRequest({ subject: 'CN=entity' });
    const { legacyClientOperations } = client;
    const issuing = legacyClientOperations.issueLegacyCertificate({
      params: legacy,
      body: { username: 'entity', password: 'once', pkcs10 },
    });
    const waiting = await rejectionOf(issuing);
    expect(waiting).toMatchObject({ status: 503, message: expect.stringContaining('waits for approval') });
    await approveAs(ann, await approvalUuidOf(waiting.uuid));
    await waitForState(client, waiting.uuid, 'issued');
    const detail = await client.certificates.getCertificate({ params: { uuid: waiting.uuid } });
    const revocation = {
      certificateSN: detail.serialNumber ?? '',
      issuerDN: detail.issuerDn ?? '',
      reason: 'superseded' as const,
    };
    const removal = legacyClientOperations.revokeAndDeleteEndEntity({ params: { ...legacy, username: 'entity' } });
    expect(await rejectionOf(removal)).toMatchObject({ status: 422 });
    const revokeLegacy = () => legacyClientOperations.revokeLegacyCertificate({ params: legacy, body: revocation });
    expect(await rejectionOf(revokeLegacy())).toMatchObject({
      status: 503,
      message: expect.stringContaining('waits for approval'),
    });
    const unknown = { ...revocation, certificateSN: '0badcafe' };
    expect(
      await rejectionOf(legacyClientOperations.revokeLegacyCertificate({ params: legacy, body: unknown })),
    ).toMatchObject({ status: 422 });
    await approveAs(ann, await approvalUuidOf(waiting.uuid));
    await waitForState(client, waiting.uuid, 'revoked');
  });
});

describe('an approver', () => {
  it('cannot be the requester or an unrelated user, and cannot decide twice', async () => {
    const roleUuid = ann.roleUuid;
    await client.users.addUserRole({ params: { userUuid: bob.userUuid, roleUuid } });
    const { uuid: adminUuid } = await client.auth.getUserProfile();
    await client.users.addUserRole({ params: { userUuid: adminUuid, roleUuid } });
    const under = await guardedAuthority(client, 'Twice guarded CA', [{ roleUuid, requiredApprovals: 2 }]);
    const uuid = await ask('two.example', under);
    const approvalUuid = await approvalUuidOf(uuid);
    const stranger = await approver(server);
    expect(await rejectionOf(approveAs(stranger, approvalUuid))).toMatchObject({ status: 404 });
    expect(await rejectionOf(stranger.client.approvals.getApproval({ params: { uuid: approvalUuid } }))).toMatchObject({
      status: 404,
    });
    const own = { params: { uuid: approvalUuid } };
    expect(await rejectionOf(client.approvals.approveApprovalRecipient({ ...own, body: {} }))).toMatchObject({
      status: 422,
    });
    expect(await rejectionOf(client.approvals.approveApproval(own))).toMatchObject({ status: 422 });
    expect(await rejectionOf(client.approvals.rejectApproval(own))).toMatchObject({ status: 422 });
    const seen = await client.approvals.getApproval({ params: { uuid: approvalUuid } });
    expect([seen.awaitsCaller, seen.overridableByCaller]).toEqual([false, false]);
    await approveAs(ann, approvalUuid);
    expect(await rejectionOf(approveAs(ann, approvalUuid))).toMatchObject({ status: 422 });
    expect(await stateOf(client, uuid)).toBe('pending_approval');
    expect((await bob.client.approvals.getApproval({ params: { uuid: approvalUuid } })).awaitsCaller).toBe(true);
    await approveAs(bob, approvalUuid);
    await waitForState(client, uuid, 'issued');
    await client.users.removeUserRole({ params: { userUuid: adminUuid, roleUuid } });
  });

  it('can be a user with permission to decide on behalf of the recipients', async () => {
    const overriding = await userWithRole(server, [resourceRights('approvals', 'list', 'approve')]);
    const listing = await userWithRole(server, [resourceRights('approvals', 'list')]);
    const [first, second] = [await ask('override.example'), await ask('overridden.example')];
    const uuid = await approvalUuidOf(first);
    expect(await rejectionOf(listing.client.approvals.approveApproval({ params: { uuid } }))).toMatchObject({
      status: 403,
    });
    expect(await rejectionOf(ann.client.approvals.approveApproval({ params: { uuid } }))).toMatchObject({
      status: 403,
    });
    expect(await rejectionOf(ann.client.approvals.listApprovals({}))).toMatchObject({ status: 403 });
    expect((await listing.client.approvals.listApprovals({})).totalItems).toBeGreaterThan(1);
    await overriding.client.approvals.approveApproval({ params: { uuid } });
    await waitForState(client, first, 'issued');
    await overriding.client.approvals.rejectApproval({ params: { uuid: await approvalUuidOf(second) } });
    expect(await stateOf(client, second)).toBe('rejected');
    const audit = await client.auditLogs.listAuditLogs({ body: { itemsPerPage: 100 } });
    const operations = audit.items
      .filter(({ resource }) => resource?.type === 'approvals')
      .map((item) => item.operation);
    expect(operations).toEqual(expect.arrayContaining(['approve', 'reject', 'approveOverride', 'rejectOverride']));
  });

  it('is not needed for platform requests, or if the RA profile has no approval profile', async () => {
    const plain = await createAuthority(client, { name: 'Plain CA' });
    await issue(client, plain, await makeRequest({ subject: 'CN=plain.example' }));
    const own = await defaultProfile(client);
    const profile = await createApprovalProfile(client, 'of default', [{ userUuid: ann.userUuid }]);
    await associate(client, own, profile);
    const request = await makeRequest({ subject: 'CN=platform.example' });
    const { issuing } = server.running.areas;
    const answer = await issuing.issueForPlatform({ ...own, request: request.der }, coreContext('test'));
    expect(answer.der).toBeDefined();
    const waiting = await ask('people.example', own);
    await rejectAs(ann, await approvalUuidOf(waiting));
    await client.raProfileApprovals.disassociateRAProfileFromApprovalProfile({
      params: { ...own, approvalProfileUuid: profile },
    });
    await issue(client, own, await makeRequest({ subject: 'CN=free.example' }));
  });
});
