// SCEP from the device's perspective, over real sockets, with a key in a token of the built-in software provider.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { ScepProfileRequestDto } from '@signetry/contract';
import {
  buildIssuerAndSerialNumber,
  findRevoked,
  formatNameRfc4514,
  parseCertificate,
  parseCrl,
  parseSignedData,
  OID,
  openContentInfo,
  readPkcs7,
  verifySigner,
  writePem,
  type Certificate,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { HAS_OPENSSL, OPENSSL_NOTE, opensslFolder } from './testing/openssl.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { caCertificates, post, readResponse, type ScepResponse } from './testing/scep-client.ts';
import {
  makeDevice,
  makeMessage,
  pollOf,
  requestOf,
  type MessageSpec,
  type ScepDevice,
} from './testing/scep-messages.ts';
import { addScepProfile, makeScepCertificate, type ScepProfileOfTest } from './testing/scep-profiles.ts';

const server = sharedTestServer();
const openssl = opensslFolder();
let client: Client;
let path: IssuingPath;
let caCertificateUuid: string;
let ca: Certificate;
let device: ScepDevice;
let profile: ScepProfileOfTest;

const PASSWORD = 'canary-challenge';

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  caCertificateUuid = await makeScepCertificate(client, path);
  device = await makeDevice('CN=device.example');
  profile = await add({ challengePassword: PASSWORD });
  [ca = expect.fail('no CA certificate')] = await caCertificates(profile.url);
});

const add = async (settings: Partial<ScepProfileRequestDto> = {}): Promise<ScepProfileOfTest> => {
  const wish = { caCertificateUuid, raProfileUuid: path.raProfileUuid, ...settings };
  return addScepProfile(client, wish);
};

interface SendOptions extends Partial<MessageSpec> {
  readonly url?: string;
}

async function send({ url = profile.url, ...wish }: SendOptions = {}): Promise<ScepResponse> {
  const whole: MessageSpec = {
    type: 'PKCSReq',
    transactionId: randomUUID(),
    content: requestOf(device, PASSWORD),
    signer: device,
    recipient: ca,
    ...wish,
  };
  const message = await makeMessage(whole);
  return readResponse(await post(url, message), { message, signer: whole.signer, ca });
}

/** Sends a request and polls until the certificate is issued. */
async function enroll(sent: SendOptions = {}): Promise<Certificate> {
  const transactionId = sent.transactionId ?? randomUUID();
  let answer = await send({ ...sent, transactionId });
  const signer = sent.signer ?? device;
  for (let round = 0; answer.status === 'pending' && round < 50; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { url = profile.url } = sent;
    answer = await send({ url, signer, type: 'CertPoll', content: pollOf(signer, ca), transactionId });
  }
  expect(answer).toMatchObject({ status: 'success' });
  return answer.certificates[0] ?? expect.fail('no certificate');
}

const uuidOf = async ({ serialNumber }: Certificate): Promise<string> => {
  const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 100 } });
  return certificates.find((each) => each.serialNumber === serialNumber)?.uuid ?? expect.fail('not in the inventory');
};

const countAll = async () => (await client.certificates.listCertificates({ body: {} })).totalItems;

describe('a SCEP server', () => {
  it('reports its capabilities and the certificate for encrypting requests', async () => {
    const response = await fetch(`${profile.url}?operation=GetCACaps`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain']);
    const lines = (await response.text()).trim().split('\n');
    expect(lines).toEqual(['AES', 'POSTPKIOperation', 'Renewal', 'SHA-256', 'SHA-384', 'SHA-512', 'SCEPStandard']);
    const shown = await client.certificates.getCertificate({ params: { uuid: caCertificateUuid } });
    const own = parseCertificate(Buffer.from(shown.certificateContent ?? '', 'base64'));
    expect(Buffer.from(ca.der).equals(own.der)).toBe(true);
  });

  it('issues if the challenge is correct, and returns the same certificate for a repeated message', async () => {
    const transactionId = randomUUID();
    const first = await enroll({ transactionId });
    expect(Buffer.from(first.publicKey.spki).equals(device.keys.spki)).toBe(true);
    const second = await enroll({ transactionId });
    expect(Buffer.from(second.der).equals(first.der)).toBe(true);
  });

  it.each([
    ['aes-192-cbc', { kind: 'rsa-pkcs1' }, OID.aes192Cbc, OID.rsaEncryption],
    ['aes-256-cbc', { kind: 'rsa-pkcs1' }, OID.aes256Cbc, OID.rsaEncryption],
    ['aes-128-cbc', { kind: 'rsa-oaep', digest: 'sha1', label: new Uint8Array() }, OID.aes128Cbc, OID.rsaOaep],
    ['aes-256-cbc', { kind: 'rsa-oaep', digest: 'sha256', label: new Uint8Array() }, OID.aes256Cbc, OID.rsaOaep],
  ] as const)('responds with the encryption of the request: %s, %o', async (cipher, transport, ...encryption) => {
    const transactionId = randomUUID();
    await enroll({ transactionId, cipher, transport });
    expect(await send({ transactionId, cipher, transport })).toMatchObject({ status: 'success', encryption });
  });

  it.runIf(HAS_OPENSSL)(`accepts content that OpenSSL encrypted with OAEP${OPENSSL_NOTE}`, async () => {
    await openssl.write('ca.pem', writePem('CERTIFICATE', ca.der));
    await openssl.write('request.der', requestOf(device, PASSWORD));
    const recipient = ['-recip', 'ca.pem', '-keyopt', 'rsa_padding_mode:oaep'];
    const files = ['-binary', '-in', 'request.der', '-outform', 'DER', '-out', 'sealed.der'];
    await openssl.run('cms', '-encrypt', '-aes-256-cbc', files, recipient);
    const envelope = Buffer.from(await openssl.run('base64', '-A', '-in', 'sealed.der'), 'base64');
    expect((await enroll({ envelope })).publicKey.spki).toEqual(device.keys.spki);
  });

  it('accepts a message that is followed by padding, at any path after the name', async () => {
    const content = requestOf(device, PASSWORD);
    const wish = { type: 'PKCSReq', transactionId: randomUUID(), content, signer: device, recipient: ca } as const;
    const message = await makeMessage(wish);
    const url = profile.url.replace('/pkiclient.exe', '');
    for (const [path, padding] of [
      ['', '\0'],
      ['/mscep.dll', '\r\n'],
      ['/cgi-bin/pkiclient.exe', ''],
    ]) {
      const response = await post(`${url}${path}`, Buffer.concat([message, Buffer.from(padding ?? '')]));
      const { status } = await readResponse(response, { message, signer: device, ca });
      expect(['success', 'pending']).toContain(status);
    }
  });

  it('shows devices the URL of the plain HTTP listener', async () => {
    const { uuid } = profile;
    const { scepUrl } = await client.scepProfiles.getScepProfile({ params: { uuid } });
    expect(scepUrl).toBe(`${server.ready.http}/api/v1/protocols/scep/${profile.name}/pkiclient.exe`);
  });

  it('also accepts GET requests', async () => {
    const transactionId = randomUUID();
    const content = requestOf(device, PASSWORD);
    const message = await makeMessage({ type: 'PKCSReq', transactionId, content, signer: device, recipient: ca });
    const encoded = encodeURIComponent(Buffer.from(message).toString('base64'));
    const response = await fetch(`${profile.url}?operation=PKIOperation&message=${encoded}`);
    const { status } = await readResponse(response, { message, signer: device, ca });
    expect(['success', 'pending']).toContain(status);
  });

  it('holds a request for manual approval, and reveals its status only to the requester', async () => {
    const { url } = await add({ requireManualApproval: true });
    const transactionId = randomUUID();
    expect(await send({ url, transactionId })).toMatchObject({ status: 'pending' });
    const poll = { url, type: 'CertPoll', content: pollOf(device, ca), transactionId } as const;
    expect(await send(poll)).toMatchObject({ status: 'pending' });
    const other = await makeDevice('CN=device.example');
    expect(await send({ ...poll, signer: other })).toMatchObject({ status: 'failure', failInfo: 'badMessageCheck' });
  });

  it('accepts a one-time secret for the RA profile only once', async () => {
    const { url } = await add({ oneTimeChallenges: true });
    const { secret } = await client.enrollmentSecrets.createEnrollmentSecret({
      params: path,
      body: { protocol: 'scep' },
    });
    await enroll({ url, content: requestOf(device, secret) });
    expect(await send({ url, content: requestOf(device, secret) })).toMatchObject({
      status: 'failure',
      failInfo: 'badMessageCheck',
    });
  });

  it('renews a certificate only within its renewal window', async () => {
    const { url } = await add({ challengePassword: PASSWORD, renewalThreshold: 10_000 });
    const certificate = await enroll({ url });
    const signer = { certificate, privateKey: device.privateKey };
    const content = requestOf(device);
    expect(await send({ type: 'RenewalReq', signer, content })).toMatchObject({
      status: 'failure',
      failInfo: 'badTime',
    });
    const next = await enroll({ url, type: 'RenewalReq', signer, content });
    expect(next.serialNumber).not.toBe(certificate.serialNumber);
  });

  it("also renews it under the first request's transaction ID, as devices do that keep their key", async () => {
    const { url } = await add({ renewalThreshold: 10_000 });
    const transactionId = 'derived-from-the-key';
    const content = requestOf(device);
    const first = await enroll({ url, transactionId, content });
    const renewal = { url, transactionId, content, signer: { certificate: first, privateKey: device.privateKey } };
    const second = await enroll({ ...renewal, type: 'RenewalReq' });
    expect(second.serialNumber).not.toBe(first.serialNumber);
    expect((await enroll({ ...renewal, type: 'RenewalReq' })).serialNumber).toBe(second.serialNumber);
    expect((await enroll({ url, transactionId, content })).serialNumber).toBe(first.serialNumber);
  });

  it('returns the next RA certificate, signed with the current one', async () => {
    const present = await makeScepCertificate(client, path);
    const { url } = await add({ caCertificateUuid: present });
    const ask = () => fetch(`${url}?operation=GetNextCACert`);
    const capabilities = async () => (await fetch(`${url}?operation=GetCACaps`)).text();
    expect([(await ask()).status, await capabilities()]).toEqual([400, expect.not.stringContaining('GetNextCACert')]);

    const renewed = { params: { ...path, certificateUuid: present }, body: { replaceInLocations: false } };
    const { uuid } = await client.clientOperations.renewCertificate(renewed);
    expect(await capabilities()).toContain('GetNextCACert');
    const response = await ask();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-x509-next-ca-cert']);
    const signed = parseSignedData(openContentInfo(Buffer.from(await response.arrayBuffer()), OID.pkcs7SignedData));
    const certificate = (await caCertificates(url))[0] ?? expect.fail('no CA certificate');
    const { verify, digest } = nodeCrypto;
    const signer = signed.signers[0] ?? expect.fail('not signed');
    expect(verifySigner(signed, signer, { certificate, verify, digest }).valid).toBe(true);
    const [next] = readPkcs7(signed.content ?? expect.fail('no content'));
    const { certificateContent = '' } = await client.certificates.getCertificate({ params: { uuid } });
    expect(Buffer.from(next ?? []).toString('base64')).toBe(certificateContent);
  });

  it("returns a certificate and its authority's CRL, but nothing from other authorities", async () => {
    const certificate = await enroll();
    const of = (serialBytes: Uint8Array, issuer = certificate.issuerDer) =>
      buildIssuerAndSerialNumber({ issuer, serialBytes });
    const ask = (type: 'GetCert' | 'GetCRL', content: Uint8Array) =>
      send({ type, content, signer: { certificate, privateKey: device.privateKey } });
    const found = await ask('GetCert', of(certificate.serialBytes));
    expect(found.certificates.map(({ serialNumber }) => serialNumber)).toEqual([certificate.serialNumber]);
    await client.clientOperations.revokeCertificate({
      params: { ...path, certificateUuid: await uuidOf(certificate) },
      body: { reason: 'superseded', attributes: [] },
    });
    await vi.waitFor(
      async () => {
        const { crls } = await ask('GetCRL', of(certificate.serialBytes));
        const list = parseCrl(crls[0] ?? expect.fail('no CRL'));
        expect(formatNameRfc4514(list.issuer)).toBe(formatNameRfc4514(certificate.issuer));
        expect(findRevoked(list, certificate.serialBytes)).toBeDefined();
      },
      { timeout: 15_000, interval: 200 },
    );
    for (const type of ['GetCert', 'GetCRL'] as const)
      expect(await ask(type, of(certificate.serialBytes, device.certificate.issuerDer))).toMatchObject({
        status: 'failure',
        failInfo: 'badCertId',
      });
    expect(await ask('GetCert', of(Uint8Array.of(1)))).toMatchObject({ failInfo: 'badCertId' });
    expect(await ask('GetCRL', Buffer.from('garbage'))).toMatchObject({ failInfo: 'badRequest' });
  });

  it("is also available under an RA profile's name", async () => {
    const params = { ...path, scepProfileUuid: profile.uuid };
    const body = { issueCertificateAttributes: [] };
    const { url = '' } = await client.raProfileScep.activateScepForRaProfile({ params, body });
    expect(url).toMatch(/\/raProfile\/default\/pkiclient\.exe$/);
    await enroll({ url });
  });
});

describe('an abusive request', () => {
  it.each([
    ['a wrong challenge', () => ({ content: requestOf(device, 'wrong') }), 'badMessageCheck'],
    ['no challenge', () => ({ content: requestOf(device) }), 'badMessageCheck'],
    ['triple DES', () => ({ cipher: 'des-ede3-cbc' as const }), 'badAlg'],
    ['single DES', () => ({ cipher: 'des-cbc' as const }), 'badAlg'],
    ['SHA-1', () => ({ digest: 'SHA1' as const }), 'badAlg'],
    ['another recipient', () => ({ recipient: device.certificate }), 'badRequest'],
    ['content that is no request', () => ({ content: Buffer.from('garbage') }), 'badRequest'],
    ['RenewalReq by a stranger', () => ({ type: 'RenewalReq' as const }), 'badMessageCheck'],
    ['an unknown transaction', () => ({ type: 'CertPoll' as const, content: pollOf(device, ca) }), 'badCertId'],
  ])('with %s issues nothing', async (_what, wish, failInfo) => {
    const before = await countAll();
    expect(await send(wish())).toMatchObject({ status: 'failure', failInfo, failInfoText: expect.any(String) });
    expect(await countAll()).toBe(before);
  });

  it('that differs but reuses a known transaction ID issues nothing', async () => {
    const transactionId = randomUUID();
    await enroll({ transactionId });
    const before = await countAll();
    const other = await makeDevice('CN=other.example');
    const content = requestOf(other, PASSWORD);
    expect(await send({ transactionId, signer: other, content })).toMatchObject({ failInfo: 'badRequest' });
    expect(await countAll()).toBe(before);
  });

  it('that is altered, truncated or oversized issues nothing', async () => {
    const content = requestOf(device, PASSWORD);
    const wish = { type: 'PKCSReq', content, signer: device, recipient: ca, transactionId: randomUUID() } as const;
    const message = Buffer.from(await makeMessage(wish));
    const before = await countAll();
    const altered = Buffer.from(message);
    altered[400] = (altered[400] ?? 0) ^ 1;
    expect((await post(profile.url, message.subarray(0, 500))).status).toBe(400);
    expect((await post(profile.url, Buffer.alloc(300_000))).status).toBe(413);
    const response = await post(profile.url, altered);
    if (response.status === 200) {
      const answer = await readResponse(response, { message, signer: device, ca });
      expect(answer).toMatchObject({ status: 'failure' });
    } else expect(response.status).toBe(400);
    expect((await fetch(`${profile.url}?operation=PKIOperation&message=%25%25`)).status).toBe(400);
    expect((await fetch(`${profile.url}?operation=GetNextCACert`)).status).toBe(400);
    expect(await countAll()).toBe(before);
  });
});
