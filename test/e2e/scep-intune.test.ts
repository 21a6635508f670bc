// SCEP with Microsoft Intune, over real sockets, against a stand-in of its services on loopback.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { ScepProfileRequestDto } from '@signetry/contract';
import { formatNameRfc4514, type Certificate } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { APPLICATION_ID, CHALLENGE, startIntuneService, TENANT, type IntuneService } from './testing/intune-service.ts';
import { issue } from './testing/certificates.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { caCertificates, post, readAnswer, type ScepAnswer } from './testing/scep-client.ts';
import { makeDevice, makeMessage, requestOf, type MessageWish, type ScepDevice } from './testing/scep-messages.ts';
import { addScepProfile, makeScepCertificate, type ScepProfileOfTest } from './testing/scep-profiles.ts';

let intune: IntuneService;
const server = sharedTestServer({
  args: async () => {
    intune = await startIntuneService();
    return intune.args;
  },
});
let client: Client;
let path: IssuingPath;
let caCertificateUuid: string;
let ca: Certificate;
let device: ScepDevice;
let profile: ScepProfileOfTest;

const soon = { timeout: 20_000, interval: 100 };

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  caCertificateUuid = await makeScepCertificate(client, path);
  device = await makeDevice('CN=managed.example');
  profile = await add();
  [ca = expect.fail('no CA certificate')] = await caCertificates(profile.url);
});

beforeEach(() => {
  intune.asked.length = 0;
});

afterAll(() => intune.close());

const ofIntune = (): Partial<ScepProfileRequestDto> => ({
  enableIntune: true,
  intuneTenant: TENANT,
  intuneApplicationId: APPLICATION_ID,
  intuneApplicationKey: intune.applicationKey,
});

const add = async (settings: Partial<ScepProfileRequestDto> = {}): Promise<ScepProfileOfTest> => {
  const wish = { caCertificateUuid, raProfileUuid: path.raProfileUuid, ...ofIntune(), ...settings };
  const added = await addScepProfile(client, wish);
  return { ...added, url: `${server.ready.http}${new URL(added.url).pathname}` };
};

interface Sent extends Partial<MessageWish> {
  readonly url?: string;
}

async function send({ url = profile.url, ...wish }: Sent = {}): Promise<ScepAnswer> {
  const content = requestOf(device, CHALLENGE);
  const transactionId = randomUUID();
  const whole: MessageWish = { type: 'PKCSReq', transactionId, content, signer: device, recipient: ca, ...wish };
  const message = await makeMessage(whole);
  return readAnswer(await post(url, message), { message, signer: whole.signer, ca });
}

/** Until the certificate is there. */
async function enrolled(sent: Sent = {}): Promise<Certificate> {
  const transactionId = sent.transactionId ?? randomUUID();
  return vi.waitFor(async () => {
    const answer = await send({ ...sent, transactionId });
    expect(answer).toMatchObject({ status: 'success' });
    return answer.certificates[0] ?? expect.fail('no certificate');
  }, soon);
}

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  server.running.platform.database.query<Row>(text, values);

const countAll = async () => (await client.certificates.listCertificates({ body: {} })).totalItems;

/** As if the time of the next attempt had come. */
const dueNow = () => query('UPDATE scep_intune_notice SET next_at = now()');

const uuidOf = async ({ serialNumber }: Certificate): Promise<string> => {
  const rows = await query<{ uuid: string }>('SELECT uuid FROM certificate WHERE serial_number = $1', [serialNumber]);
  return rows[0]?.uuid ?? expect.fail('not in the inventory');
};

const stateOf = async (certificate: Certificate) =>
  (await client.certificates.getCertificate({ params: { uuid: await uuidOf(certificate) } })).state;

describe('a profile with Intune', () => {
  it('has Intune validate a request, and tells it of the certificate', async () => {
    const transactionId = randomUUID();
    const content = requestOf(device, CHALLENGE);
    const certificate = await enrolled({ transactionId, content });
    const certificateRequest = Buffer.from(content).toString('base64');
    const callerInfo = expect.stringMatching(/^Signetry\//);
    expect(intune.named('validateRequest')).toEqual([{ request: { transactionId, certificateRequest, callerInfo } }]);
    await vi.waitFor(() => expect(intune.named('successNotification')).toHaveLength(1), soon);
    const { fingerprint } = await client.certificates.getCertificate({ params: { uuid: await uuidOf(certificate) } });
    expect(fingerprint).toBeDefined();
    expect(intune.named('successNotification')).toEqual([
      {
        notification: {
          transactionId,
          certificateRequest,
          certificateThumbprint: await thumbprintOf(certificate),
          certificateSerialNumber: certificate.serialNumber.toUpperCase(),
          certificateExpirationDateUtc: new Date(certificate.notAfterMs).toISOString(),
          issuingCertificateAuthority: formatNameRfc4514(certificate.issuer),
          callerInfo,
        },
      },
    ]);
    expect(await query('SELECT FROM scep_intune_notice')).toEqual([]);
    expect(intune.wrong).toEqual([]);
  });

  it('asks once about a message that is repeated', async () => {
    const sent = { transactionId: randomUUID(), content: requestOf(device, CHALLENGE) };
    const first = await enrolled(sent);
    const second = await enrolled(sent);
    expect(second.serialNumber).toBe(first.serialNumber);
    expect(intune.named('validateRequest')).toHaveLength(1);
  });

  it.each([
    ['ChallengeExpired', 'badMessageCheck'],
    ['BadDeviceIdInChallenge', 'badMessageCheck'],
    ['SubjectNameMismatch', 'badRequest'],
    ['SomethingNew', 'badRequest'],
  ])('issues nothing that Intune refuses with %s', async (code, failInfo) => {
    const before = await countAll();
    const transactionId = randomUUID();
    const answer = await send({ transactionId, content: requestOf(device, code) });
    expect(answer).toMatchObject({ status: 'failure', failInfo, failInfoText: expect.stringContaining(code) });
    expect(await countAll()).toBe(before);
    const { enrolments } = await client.enrolments.listEnrolments({ query: { text: transactionId } });
    expect(enrolments).toMatchObject([{ state: 'refused', problem: expect.stringContaining(code) }]);
    expect(await query('SELECT FROM scep_intune_notice')).toEqual([]);
  });

  it('takes no other challenge instead', async () => {
    const { url } = await add({ challengePassword: 'canary-challenge' });
    expect(await send({ url, content: requestOf(device, 'canary-challenge') })).toMatchObject({ status: 'failure' });
    expect(await send({ url, content: requestOf(device) })).toMatchObject({
      status: 'failure',
      failInfoText: expect.stringContaining('ChallengePasswordMissing'),
    });
  });

  it('has a renewal validated too: a device that is not managed any more gets no further certificate', async () => {
    const { url } = await add({ renewalThreshold: 10_000 });
    const certificate = await enrolled({ url });
    const signer = { certificate, privateKey: device.privateKey };
    const renewal = { url, signer, type: 'RenewalReq' as const };
    expect(await send({ ...renewal, content: requestOf(device, 'ChallengeExpired') })).toMatchObject({
      status: 'failure',
    });
    const next = await enrolled({ ...renewal, content: requestOf(device, CHALLENGE) });
    expect(next.serialNumber).not.toBe(certificate.serialNumber);
  });

  it('tells Intune of a certificate that a person issues later', async () => {
    const { url } = await add({ requireManualApproval: true });
    const transactionId = randomUUID();
    expect(await send({ url, transactionId })).toMatchObject({ status: 'pending' });
    const { enrolments } = await client.enrolments.listEnrolments({ query: { text: transactionId } });
    const certificateUuid = enrolments[0]?.certificateUuid ?? expect.fail('not listed');
    await client.clientOperations.issueRequestedCertificate({ params: { ...path, certificateUuid } });
    await vi.waitFor(async () => {
      await dueNow();
      // What is made due while it is being told is told twice.
      const told = intune.named('successNotification').map(({ notification }) => notification);
      expect(told).toContainEqual(expect.objectContaining({ transactionId }));
    }, soon);
  });
});

describe('what Intune is told', () => {
  it('is also that a validated request was refused, with a code and a bounded text', async () => {
    const compromised = await makeDevice('CN=compromised.example');
    const sent = { signer: compromised, content: requestOf(compromised, CHALLENGE) };
    const certificate = await enrolled(sent);
    await client.clientOperations.revokeCertificate({
      params: { ...path, certificateUuid: await uuidOf(certificate) },
      body: { reason: 'keyCompromise', attributes: [] },
    });
    const transactionId = randomUUID();
    expect(await send({ ...sent, transactionId })).toMatchObject({ status: 'failure', failInfo: 'badRequest' });
    await vi.waitFor(() => expect(intune.named('failureNotification')).toHaveLength(1), soon);
    const notification = intune.named('failureNotification')[0]?.notification as Record<string, unknown>;
    expect(notification).toMatchObject({ transactionId, hResult: 0x2000_0002 });
    expect(String(notification.errorDescription)).toMatch(/compromised/);
    expect(String(notification.errorDescription).length).toBeLessThanOrEqual(255);
  });

  it('is told again until Intune took it', async () => {
    intune.fail('successNotification', 500, 'cut', 403);
    await enrolled();
    await vi.waitFor(async () => {
      await dueNow();
      expect(intune.named('successNotification')).toHaveLength(1);
    }, soon);
    await vi.waitFor(async () => expect(await query('SELECT FROM scep_intune_notice')).toEqual([]), soon);
  });
});

describe('a token', () => {
  it('is used for many requests, and renewed when it is refused', async () => {
    await enrolled();
    const before = intune.tokens();
    await enrolled();
    expect(intune.tokens()).toBe(before);
    intune.withdrawTokens();
    await enrolled();
    expect(intune.tokens()).toBeGreaterThan(before);
    expect(intune.named('validateRequest')).toHaveLength(3);
  });

  it('is asked for with the key that is set now', async () => {
    const { uuid, url } = await add({ intuneApplicationKey: 'canary-wrong-key' });
    const answer = await send({ url });
    expect(answer).toMatchObject({ status: 'failure', failInfo: 'badRequest' });
    expect(answer.failInfoText).toMatch(/try again later.*refused the application \(invalid_client, AADSTS7000215\)/);
    expect(answer.failInfoText).not.toContain('canary');
    await client.scepProfiles.editScepProfile({
      params: { uuid },
      body: {
        raProfileUuid: path.raProfileUuid,
        caCertificateUuid,
        includeCaCertificate: false,
        includeCaCertificateChain: false,
        intuneApplicationKey: intune.applicationKey,
      },
    });
    await enrolled({ url });
  });
});

describe('services that fail', () => {
  it.each([
    ['answers 500 once', 'validateRequest', [500]],
    ['cuts a connection', 'validateRequest', ['cut']],
    ['refuses a token once', 'validateRequest', [401]],
  ] as const)('are asked once more where one %s', async (_what, service, failures) => {
    intune.fail(service, ...failures);
    await enrolled();
  });

  it.each([
    ['Intune fails', 'validateRequest', [500, 500], /Microsoft Intune answered with status 500/],
    ['Intune is not reached', 'validateRequest', ['cut', 'cut'], /Microsoft Intune cannot be reached/],
    ['Intune does not answer', 'validateRequest', ['hang'], /Microsoft Intune did not answer within 10 s/],
    ['Intune does not permit it', 'validateRequest', [403], /does not permit it .*status 403.*permissions/],
    ['Intune takes no token', 'validateRequest', [401, 401], /does not permit it .*status 401/],
    ['Intune leads elsewhere', 'validateRequest', [302], /answered with status 302/],
  ] as const)('have a device try again later: %s', { timeout: 40_000 }, async (_what, service, failures, words) => {
    const before = await countAll();
    const transactionId = randomUUID();
    intune.fail(service, ...failures);
    expect(await send({ transactionId })).toMatchObject({
      status: 'failure',
      failInfo: 'badRequest',
      failInfoText: expect.stringMatching(words),
    });
    expect(await countAll()).toBe(before);
    await enrolled({ transactionId });
  });
});

describe('the job of Intune', () => {
  /** Runs it, and waits until it has ended. */
  async function run() {
    const jobs = await client.scheduledJobRuns.listScheduledJobOverviews({ query: { itemsPerPage: 100 } });
    const job = jobs.scheduledJobs.find(({ jobName }) => jobName === 'updateIntuneRevocationRequestsJob');
    expect(job).toMatchObject({ jobType: 'UpdateIntuneRevocationRequestsTask', cronExpression: '0 30 * ? * *' });
    const params = { uuid: job?.uuid ?? '' };
    const before = await client.scheduledJobRuns.getScheduledJobOverview({ params });
    await client.scheduledJobRuns.runScheduledJob({ params });
    return vi.waitFor(async () => {
      const { running, lastRun } = await client.scheduledJobRuns.getScheduledJobOverview({ params });
      expect(running).toBe(false);
      expect(lastRun?.startedAt).not.toBe(before.lastRun?.startedAt);
      return lastRun;
    }, soon);
  }

  const wish = (certificate: Certificate, changes: object = {}) => ({
    requestContext: `context of ${certificate.serialNumber}`,
    serialNumber: certificate.serialNumber.toUpperCase(),
    issuerName: formatNameRfc4514(certificate.issuer),
    caConfiguration: '',
    ...changes,
  });

  it('revokes what Intune asks for, and tells what came of each request', async () => {
    const certificate = await enrolled();
    const again = wish(certificate, { requestContext: 'again' });
    const issuerName = formatNameRfc4514(certificate.issuer);
    intune.revocations = [
      wish(certificate, { serialNumber: `00${certificate.serialNumber}` }),
      { requestContext: 'unknown', serialNumber: '0BAD', issuerName },
      { requestContext: 'of somebody else', serialNumber: '0BAD', issuerName: 'CN=Another CA of the tenant' },
    ];
    const first = await run();
    expect(first).toMatchObject({ status: 'succeeded' });
    expect(first?.message).toBe('Revoked: 1. Not revoked: 1. Left to other authorities: 1.');
    expect(await stateOf(certificate)).toBe('revoked');
    expect(intune.named('uploadRevocationResults')).toEqual([
      {
        results: [
          { requestContext: wish(certificate).requestContext, succeeded: true, errorCode: 0, errorMessage: '' },
          {
            requestContext: 'unknown',
            succeeded: false,
            errorCode: 4004,
            errorMessage: expect.stringContaining('No certificate'),
          },
        ],
      },
    ]);

    // As after an upload that did not arrive.
    intune.revocations = [again];
    await run();
    expect(intune.named('uploadRevocationResults')[1]).toMatchObject({
      results: [{ requestContext: 'again', succeeded: true }],
    });
  });

  it('revokes nothing that was not issued for the tenant', async () => {
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=of-somebody-else.example' }));
    const { serialNumber = '' } = await client.certificates.getCertificate({ params: { uuid } });
    intune.revocations = [{ requestContext: 'other', serialNumber, issuerName: '' }];
    await run();
    expect((await client.certificates.getCertificate({ params: { uuid } })).state).toBe('issued');
    expect(intune.named('uploadRevocationResults')).toMatchObject([
      { results: [{ requestContext: 'other', succeeded: false, errorCode: 4004 }] },
    ]);
  });

  it('fails in words where Intune does not answer, and uploads nothing where there is nothing', async () => {
    intune.fail('downloadRevocationRequests', 503);
    const { status, message } = (await run()) ?? {};
    expect([status, message]).toEqual(['failed', expect.stringContaining(`Tenant ${TENANT}: Microsoft Intune`)]);
    expect(await run()).toMatchObject({ status: 'succeeded', message: expect.stringMatching(/^Revoked: 0/) });
    expect(intune.named('uploadRevocationResults')).toEqual([]);
  });
});

describe('settings', () => {
  const missing = (field: string) => new RegExp(`${field}: is needed where Microsoft Intune validates requests`);
  it.each([
    ['no tenant', { intuneTenant: '' }, missing('intuneTenant')],
    ['no application', { intuneApplicationId: undefined }, missing('intuneApplicationId')],
    ['no key', { intuneApplicationKey: '' }, missing('intuneApplicationKey')],
    ['a tenant that is a path', { intuneTenant: '../common' }, /intuneTenant: must be of letters, digits/],
  ])('with %s are refused', async (_what, changes, problem) => {
    const body = { ...ofIntune(), ...changes };
    await expect(add(body)).rejects.toMatchObject({ status: 400, message: expect.stringMatching(problem) });
  });

  it('keep what an edit leaves out, never show the key, and refuse to take it away', async () => {
    const { uuid } = await add();
    const body = {
      raProfileUuid: path.raProfileUuid,
      caCertificateUuid,
      includeCaCertificate: false,
      includeCaCertificateChain: false,
    };
    const edited = await client.scepProfiles.editScepProfile({ params: { uuid }, body });
    expect(edited).toMatchObject({
      enableIntune: true,
      intuneTenant: TENANT,
      intuneApplicationId: APPLICATION_ID,
      hasIntuneApplicationKey: true,
    });
    expect(JSON.stringify(edited)).not.toContain(intune.applicationKey);
    const without = { params: { uuid }, body: { ...body, intuneApplicationKey: '' } };
    await expect(client.scepProfiles.editScepProfile(without)).rejects.toMatchObject({ status: 400 });
    const off = { params: { uuid }, body: { ...body, enableIntune: false, intuneApplicationKey: '' } };
    expect(await client.scepProfiles.editScepProfile(off)).toMatchObject({
      enableIntune: false,
      hasIntuneApplicationKey: false,
    });
  });

  it('need a certificate with an RSA key', async () => {
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=ec.example' }));
    await expect(add({ caCertificateUuid: uuid })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/caCertificateUuid: .*RSA is needed/),
    });
  });
});

async function thumbprintOf({ der }: Certificate): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-1', Uint8Array.from(der));
  return Buffer.from(digest).toString('hex').toUpperCase();
}
