// Intune API client over real connections, against a loopback server with configurable responses.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../../kernel/secret.ts';
import { createEgressGate } from '../../../platform/net/egress.ts';
import { createIntune, type Intune } from './client.ts';

const account = { tenant: 'contoso.example', applicationId: 'app', applicationKey: new Secret('key') };
const request = { transactionId: 'T1', request: 'AQID' };
const named = { transactionId: 'T1', certificateRequest: 'AQID', callerInfo: expect.stringMatching(/^Signetry\/\d/) };

let intune: Intune;
/** Path, version and body of each Intune call. */
let asked: unknown[];
let answer: unknown;

beforeEach(async () => {
  asked = [];
  answer = { code: 'Success' };
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer); // buffers, since no encoding is set
    const reply = (body: unknown) => response.end(JSON.stringify(body));
    const { url = '', headers } = incoming;
    if (url.startsWith('/login')) return reply({ access_token: 'token', expires_in: 3_600 });
    if (url.startsWith('/graph')) return reply({ value: places });
    asked.push([url, headers['api-version'], JSON.parse(Buffer.concat(chunks).toString())]);
    return reply(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on a TCP port
  const places = [
    { providerName: 'ScepRequestValidationFEService', uri: `${base}/scep/` },
    { providerName: 'PkiConnectorFEService', uri: `${base}/pki` },
  ];
  const egress = createEgressGate({ allowLoopback: true, allowedHosts: [], onlyHosts: [], isOwnListener: () => false });
  const clock = { now: () => new Date(0), monotonicMs: () => 0 };
  const addresses = { loginUrl: `${base}/login`, graphUrl: `${base}/graph`, resourceUrl: `${base}/resource` };
  const created = createIntune({ egress, giveUp: new AbortController().signal, clock }, addresses);
  intune = created;
  onTestFinished(async () => {
    await created.close();
    server.closeAllConnections();
    server.close();
  });
});

const scep = (path: string, body: object) => [`/scep/ScepActions/${path}`, '2018-02-20', body];
const pki = (path: string, body: object) => [`/pki/CertificateAuthorityRequests/${path}`, '5019-05-05', body];

describe('a request', () => {
  it('is validated unchanged', async () => {
    await intune.validate(account, request);
    expect(asked).toEqual([scep('validateRequest', { request: named })]);
  });

  it('is reported as fulfilled', async () => {
    const facts = {
      thumbprint: 'AB',
      serialNumber: '0C',
      expiresAt: new Date('2027-01-01T00:00:00Z'),
      issuer: 'CN=CA',
    };
    await intune.tellIssued(account, request, facts);
    const notification = {
      ...named,
      certificateThumbprint: 'AB',
      certificateSerialNumber: '0C',
      certificateExpirationDateUtc: '2027-01-01T00:00:00.000Z',
      issuingCertificateAuthority: 'CN=CA',
    };
    expect(asked).toEqual([scep('successNotification', { notification })]);
  });

  it('is reported as failed, with a text of at most 255 characters', async () => {
    await intune.tellFailed(account, request, { code: 5, words: `${'x'.repeat(255)}y` });
    const notification = { ...named, hResult: 5, errorDescription: 'x'.repeat(255) };
    expect(asked).toEqual([scep('failureNotification', { notification })]);
  });

  it.each([
    [{ code: 'ChallengeExpired' }, 'ChallengeExpired'],
    [{ code: 'success' }, 'success'],
    [{ code: '' }, 'Unknown'],
    [{ code: '<script>' }, 'Unknown'],
    [{ code: 'x'.repeat(80) }, 'x'.repeat(80)],
    [{ code: 'x'.repeat(81) }, 'Unknown'],
  ])('is rejected if the response has a code other than Success: %j', async (refusal, code) => {
    answer = refusal;
    await expect(intune.validate(account, request)).rejects.toMatchObject({
      name: 'IntuneRejection',
      code,
      message: `Microsoft Intune rejected the request: ${code}`,
    });
  });

  it.each([{}, [], { code: 0 }, { code: null }])(
    'is not validated if the response has no code: %j',
    async (useless) => {
      answer = useless;
      await expect(intune.validate(account, request)).rejects.toMatchObject({
        name: 'IntuneFault',
        message: 'Microsoft Intune returned a response without a code',
      });
    },
  );
});

describe('revocation requests', () => {
  it('are fetched, and members that are not strings are treated as empty', async () => {
    answer = {
      value: [
        { requestContext: 'c', serialNumber: '0A', issuerName: 'CN=CA', caConfiguration: 'ignored' },
        { requestContext: 5, serialNumber: null },
        null,
      ],
    };
    const nothing = { requestContext: '', serialNumber: '', issuerName: '' };
    expect(await intune.downloadRevocations(account, 7)).toEqual([
      { requestContext: 'c', serialNumber: '0A', issuerName: 'CN=CA' },
      nothing,
      nothing,
    ]);
    const downloadParameters = { maxRequests: 7, issuerName: null };
    expect(asked).toEqual([pki('downloadRevocationRequests', { downloadParameters })]);
  });

  it('are not accepted from a response that contains no list', async () => {
    await expect(intune.downloadRevocations(account, 7)).rejects.toMatchObject({
      name: 'IntuneFault',
      message: 'Microsoft Intune returned a response without revocation requests',
    });
  });

  it('are answered with results, which Intune must acknowledge', async () => {
    const results = [{ requestContext: 'c', succeeded: true, errorCode: 0, errorMessage: '' }];
    answer = { value: true };
    await intune.uploadResults(account, results);
    expect(asked).toEqual([pki('uploadRevocationResults', { results })]);
    for (answer of [{ value: false }, { value: 'true' }, {}])
      await expect(intune.uploadResults(account, results)).rejects.toMatchObject({
        name: 'IntuneFault',
        message: 'Microsoft Intune did not record the revocation results',
      });
  });
});
