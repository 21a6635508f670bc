// Requests over CMP that wait for people: the client of OpenSSL polls while they decide.
import { randomUUID } from 'node:crypto';
import { parseCertificate, readDerOrPem } from '@signetry/pki';
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { approvalOf, approveAs, approver, guardedAuthority, rejectAs } from './testing/approvals.ts';
import { confirmationOf, exchange, makeMessage, newTransaction, requestFor } from './testing/cmp-client.ts';
import type { LimitedUser } from './testing/limited-user.ts';
import { HAS_OPENSSL, OPENSSL_NOTE, opensslFolder } from './testing/openssl.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';

const server = sharedTestServer();
const openssl = opensslFolder();
const WAIT = { timeout: 10_000 };
const shared = { secret: 'a secret of the factory', reference: 'device-7' };
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

async function makeProfile(fields: object = {}): Promise<string> {
  const name = `cmp-${randomUUID()}`;
  const methods = { requestProtectionMethod: 'sharedSecret', responseProtectionMethod: 'sharedSecret' } as const;
  const { raProfileUuid } = path;
  const settings = { name, variant: 'v2', raProfileUuid, sharedSecret: shared.secret, ...methods } as const;
  const { uuid } = await client.cmpProfiles.createCmpProfile({ body: { ...settings, ...fields } });
  await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } });
  return name;
}

const urlOf = (profile: string): string => `${server.ready.http}/api/v1/protocols/cmp/${profile}`;
const enrolmentOf = async (text: string) =>
  (await client.enrolments.listEnrolments({ query: { protocol: 'cmp', text } })).enrolments[0];

/** The certificate that a request waits for, once it was asked for. */
async function waitingFor(subject: string): Promise<string> {
  await expect
    .poll(async () => {
      const { certificateUuid: uuid = '' } = (await enrolmentOf(subject)) ?? {};
      return client.certificates.getCertificate({ params: { uuid } }).then(Boolean, () => false);
    }, WAIT)
    .toBe(true);
  return (await enrolmentOf(subject))?.certificateUuid ?? expect.fail('nothing waits');
}

const issue = (of: IssuingPath, certificateUuid: string) =>
  client.clientOperations.issueRequestedCertificate({ params: { ...of, certificateUuid } });

async function begun(profile: string, subject: string) {
  const url = urlOf(profile);
  const begin = await exchange(url, await makeMessage(newTransaction(), await requestFor(`CN=${subject}`), shared));
  return { url, begin };
}

describe('a request that a person decides about', () => {
  it('is told to wait, and gets its certificate by a poll after it was issued', async () => {
    const subject = `${randomUUID()}.example`;
    const { url, begin } = await begun(await makeProfile({ requireManualApproval: true }), subject);
    expect(begin.body).toMatchObject({ type: 'ip', responses: [{ status: { status: 'waiting' } }] });
    const pollReq = { type: 'pollReq', certReqIds: [0] } as const;
    const first = await exchange(url, await makeMessage(begin.transaction, pollReq, shared));
    expect(first.body).toEqual({ type: 'pollRep', waits: [{ certReqId: 0, checkAfterSeconds: 10, reason: [] }] });
    await issue(path, await waitingFor(subject));
    const second = await exchange(url, await makeMessage(first.transaction, pollReq, shared));
    const certificate = second.certificate ?? expect.fail(second.words);
    const done = await exchange(url, await makeMessage(second.transaction, confirmationOf(certificate), shared));
    expect([done.body.type, (await enrolmentOf(subject))?.state]).toEqual(['pkiconf', 'confirmed']);
  });

  it('is refused in words once the person deleted it', async () => {
    const subject = `${randomUUID()}.example`;
    const { url, begin } = await begun(await makeProfile({ requireManualApproval: true }), subject);
    await client.certificates.deleteCertificate({ params: { uuid: await waitingFor(subject) } });
    const message = await makeMessage(begin.transaction, { type: 'pollReq', certReqIds: [0] }, shared);
    const answer = await exchange(url, message);
    expect(answer.body).toMatchObject({ type: 'ip', responses: [{ status: { status: 'rejection' } }] });
    expect(answer.words).toMatch(/deleted/);
    expect(await enrolmentOf(subject)).toMatchObject({ state: 'refused', problem: expect.stringMatching(/deleted/) });
  });

  it('stays a setting that an edit without it keeps', async () => {
    const name = await makeProfile({ requireManualApproval: true });
    const { uuid = '' } = (await client.cmpProfiles.listCmpProfiles()).find((each) => each.name === name) ?? {};
    const methods = { requestProtectionMethod: 'sharedSecret', responseProtectionMethod: 'sharedSecret' } as const;
    const body = { name, variant: 'v2', raProfileUuid: path.raProfileUuid, ...methods } as const;
    const params = { cmpProfileUuid: uuid };
    expect(await client.cmpProfiles.editCmpProfile({ params, body })).toMatchObject({ requireManualApproval: true });
    const off = { ...body, requireManualApproval: false };
    const edited = await client.cmpProfiles.editCmpProfile({ params, body: off });
    expect(edited.requireManualApproval).toBe(false);
  });
});

describe.skipIf(!HAS_OPENSSL)(`openssl cmp${OPENSSL_NOTE}`, () => {
  async function enrol(profile: string, subject: string): Promise<string> {
    const [key, out] = [`${subject}.key`, `${subject}.pem`];
    await openssl.run('genpkey', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', key]);
    const place = ['-server', new URL(server.ready.http).host, '-path', `api/v1/protocols/cmp/${profile}`];
    const asked = ['-cmd', 'ir', '-newkey', key, '-subject', `/CN=${subject}`, '-certout', out];
    const proof = ['-ref', shared.reference, '-secret', `pass:${shared.secret}`, '-total_timeout', '18'];
    await openssl.run('cmp', place, asked, proof);
    return parseCertificate(readDerOrPem(await openssl.read(out), ['CERTIFICATE'])).subject.rdns[0]?.[0]?.value ?? '';
  }

  // They poll side by side, since a client comes back after ten seconds.
  it('polls until a person has issued, approved or rejected', async () => {
    const manual = await makeProfile({ requireManualApproval: true });
    const both = await makeProfile({ requireManualApproval: true, raProfileUuid: guarded.raProfileUuid });
    const approvals = await makeProfile({ raProfileUuid: guarded.raProfileUuid });
    const [issued, approved, rejected, refused] = ['issued', 'approved', 'rejected', 'refused'].map(
      (word) => `${word}-${randomUUID().slice(0, 8)}`,
    ) as [string, string, string, string];
    const clients = Promise.allSettled([
      enrol(manual, issued),
      enrol(approvals, approved),
      enrol(approvals, rejected),
      enrol(both, refused),
    ]);
    await issue(path, await waitingFor(issued));
    await approveAs(decider, (await approvalOf(client, await waitingFor(approved))).approvalUuid);
    await rejectAs(decider, (await approvalOf(client, await waitingFor(rejected))).approvalUuid, 'no such device');
    const kept = await waitingFor(refused);
    await issue(guarded, kept).catch(() => undefined);
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
    expect(await enrolmentOf(rejected)).toMatchObject({ state: 'refused' });
  }, 60_000);
});
