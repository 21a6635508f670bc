// SCEP with Microsoft Intune, over real sockets, against a local fake of its services.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import { formatNameRfc4514, type Certificate } from '@signetry/pki';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { CHALLENGE } from './testing/intune-service.ts';
import type { IssuingPath } from './testing/profiles.ts';
import { makeDevice, requestOf, type ScepDevice } from './testing/scep-messages.ts';
import { sharedScepWithIntune, soon } from './testing/scep-with-intune.ts';

const scep = sharedScepWithIntune();
let client: Client;
let path: IssuingPath;
let device: ScepDevice;
let caCertificateUuid: string;

beforeAll(() => {
  ({ client, path, device, caCertificateUuid } = scep.facts);
});

describe('a profile with Intune', () => {
  it('has each request validated by Intune, and notifies Intune of the certificate', async () => {
    const transactionId = randomUUID();
    const content = requestOf(device, CHALLENGE);
    const certificate = await scep.enrolled({ transactionId, content });
    const certificateRequest = Buffer.from(content).toString('base64');
    const callerInfo = expect.stringMatching(/^Signetry\//);
    expect(scep.intune.named('validateRequest')).toEqual([
      { request: { transactionId, certificateRequest, callerInfo } },
    ]);
    await vi.waitFor(() => expect(scep.intune.named('successNotification')).toHaveLength(1), soon);
    const { fingerprint } = await client.certificates.getCertificate({
      params: { uuid: await scep.uuidOf(certificate) },
    });
    expect(fingerprint).toBeDefined();
    expect(scep.intune.named('successNotification')).toEqual([
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
    expect(await scep.query('SELECT FROM scep_intune_notice')).toEqual([]);
    expect(scep.intune.wrong).toEqual([]);
  });

  it('has a repeated message validated only once', async () => {
    const sent = { transactionId: randomUUID(), content: requestOf(device, CHALLENGE) };
    const first = await scep.enrolled(sent);
    const second = await scep.enrolled(sent);
    expect(second.serialNumber).toBe(first.serialNumber);
    expect(scep.intune.named('validateRequest')).toHaveLength(1);
  });

  it.each([
    ['ChallengeExpired', 'badMessageCheck'],
    ['BadDeviceIdInChallenge', 'badMessageCheck'],
    ['SubjectNameMismatch', 'badRequest'],
    ['SomethingNew', 'badRequest'],
  ])('issues nothing if Intune rejects the request with %s', async (code, failInfo) => {
    const before = await scep.countAll();
    const transactionId = randomUUID();
    const answer = await scep.send({ transactionId, content: requestOf(device, code) });
    expect(answer).toMatchObject({ status: 'failure', failInfo, failInfoText: expect.stringContaining(code) });
    expect(await scep.countAll()).toBe(before);
    const { enrollments } = await client.enrollments.listEnrollments({ query: { text: transactionId } });
    expect(enrollments).toMatchObject([{ state: 'refused', problem: expect.stringContaining(code) }]);
    expect(await scep.query('SELECT FROM scep_intune_notice')).toEqual([]);
  });

  it('does not accept any other challenge instead', async () => {
    const { url } = await scep.add({ challengePassword: 'canary-challenge' });
    expect(await scep.send({ url, content: requestOf(device, 'canary-challenge') })).toMatchObject({
      status: 'failure',
    });
    expect(await scep.send({ url, content: requestOf(device) })).toMatchObject({
      status: 'failure',
      failInfoText: expect.stringContaining('ChallengePasswordMissing'),
    });
  });

  it('also has renewals validated, so that a device that is no longer managed gets no new certificate', async () => {
    const { url } = await scep.add({ renewalThreshold: 10_000 });
    const certificate = await scep.enrolled({ url });
    const signer = { certificate, privateKey: device.privateKey };
    const renewal = { url, signer, type: 'RenewalReq' as const };
    expect(await scep.send({ ...renewal, content: requestOf(device, 'ChallengeExpired') })).toMatchObject({
      status: 'failure',
    });
    const next = await scep.enrolled({ ...renewal, content: requestOf(device, CHALLENGE) });
    expect(next.serialNumber).not.toBe(certificate.serialNumber);
  });

  it('notifies Intune of a certificate that is issued later after manual approval', async () => {
    const { url } = await scep.add({ requireManualApproval: true });
    const transactionId = randomUUID();
    expect(await scep.send({ url, transactionId })).toMatchObject({ status: 'pending' });
    const { enrollments } = await client.enrollments.listEnrollments({ query: { text: transactionId } });
    const certificateUuid = enrollments[0]?.certificateUuid ?? expect.fail('not listed');
    await client.clientOperations.issueRequestedCertificate({ params: { ...path, certificateUuid } });
    await vi.waitFor(async () => {
      await scep.dueNow();
      // A notification that becomes due while it is being sent is sent twice.
      const told = scep.intune.named('successNotification').map(({ notification }) => notification);
      expect(told).toContainEqual(expect.objectContaining({ transactionId }));
    }, soon);
  });
});

describe('a notification to Intune', () => {
  it('is also sent if a validated request is rejected, with an error code and a description of limited length', async () => {
    const compromised = await makeDevice('CN=compromised.example');
    const sent = { signer: compromised, content: requestOf(compromised, CHALLENGE) };
    const certificate = await scep.enrolled(sent);
    await client.clientOperations.revokeCertificate({
      params: { ...path, certificateUuid: await scep.uuidOf(certificate) },
      body: { reason: 'keyCompromise', attributes: [] },
    });
    const transactionId = randomUUID();
    expect(await scep.send({ ...sent, transactionId })).toMatchObject({ status: 'failure', failInfo: 'badRequest' });
    await vi.waitFor(() => expect(scep.intune.named('failureNotification')).toHaveLength(1), soon);
    const notification = scep.intune.named('failureNotification')[0]?.notification as Record<string, unknown>;
    expect(notification).toMatchObject({ transactionId, hResult: 0x2000_0002 });
    expect(String(notification.errorDescription)).toMatch(/compromised/);
    expect(String(notification.errorDescription).length).toBeLessThanOrEqual(255);
  });
});

describe('an access token', () => {
  it('is used for multiple requests, and is replaced after it is rejected', async () => {
    await scep.enrolled();
    const before = scep.intune.tokens();
    await scep.enrolled();
    expect(scep.intune.tokens()).toBe(before);
    scep.intune.withdrawTokens();
    await scep.enrolled();
    expect(scep.intune.tokens()).toBeGreaterThan(before);
    expect(scep.intune.named('validateRequest')).toHaveLength(3);
  });

  it('is requested with the current key', async () => {
    const { uuid, url } = await scep.add({ intuneApplicationKey: 'canary-wrong-key' });
    const answer = await scep.send({ url });
    expect(answer).toMatchObject({ status: 'failure', failInfo: 'badRequest' });
    expect(answer.failInfoText).toMatch(/try again later.*rejected the application \(invalid_client, AADSTS7000215\)/);
    expect(answer.failInfoText).not.toContain('canary');
    await client.scepProfiles.editScepProfile({
      params: { uuid },
      body: {
        raProfileUuid: path.raProfileUuid,
        caCertificateUuid,
        includeCaCertificate: false,
        includeCaCertificateChain: false,
        intuneApplicationKey: scep.intune.applicationKey,
      },
    });
    await scep.enrolled({ url });
  });
});

describe('failing Microsoft services', () => {
  it.each([
    ['returns 500 once', 'validateRequest', [500]],
    ['closes a connection', 'validateRequest', ['cut']],
    ['rejects a token once', 'validateRequest', [401]],
  ] as const)('are called again if one %s', async (_what, service, failures) => {
    scep.intune.fail(service, ...failures);
    await scep.enrolled();
  });

  it.each([
    ['Intune returns 500', 'validateRequest', [500, 500], /Microsoft Intune returned status 500/],
    ['Intune cannot be reached', 'validateRequest', ['cut', 'cut'], /Microsoft Intune cannot be reached/],
    ['Intune denies access', 'validateRequest', [403], /denied access to the application .*status 403.*permissions/],
    ['Intune rejects every token', 'validateRequest', [401, 401], /denied access to the application .*status 401/],
    ['Intune redirects', 'validateRequest', [302], /Microsoft Intune returned status 302/],
  ] as const)('cause the device to retry later: %s', { timeout: 40_000 }, async (_what, service, failures, words) => {
    await scep.expectPutOff(service, failures, words);
  });
});

async function thumbprintOf({ der }: Certificate): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-1', Uint8Array.from(der));
  return Buffer.from(digest).toString('hex').toUpperCase();
}
