import { buildInfo, readDerOrPem, requestInfo } from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeCertificate,
  makeRequest,
  makeRoot,
  type TestCertificate,
} from '../../../areas/certificates/testing/test-certificates.ts';
import { namesOfSecret } from '../../../areas/enrollments/bound-names.ts';
import { sendRequest, createRequester, expectRejected, type TestEnvironment } from '../testing/requesting.ts';
import { macSender, profileWith } from '../testing/calls.ts';
import { certReqMsg } from '../testing/messages.ts';

let root: TestCertificate;
let issuing: TestCertificate;
let device: TestCertificate;

beforeAll(async () => {
  root = await makeRoot('Root');
  issuing = await makeCertificate('Issuing', { ca: true, issuer: root });
  device = await makeCertificate('device-7', { issuer: issuing });
});

describe('a certificate request', () => {
  it('starts a transaction with its content and its sender', async () => {
    const wish = { header: { transactionId: new Uint8Array(16).fill(5) } };
    const { outcome, requests } = await sendRequest('cr', { subject: 'CN=a.example' }, wish);
    await outcome;
    expect(requests).toMatchObject([
      {
        protocol: 'cmp',
        transactionId: '05'.repeat(16),
        kind: 'cr',
        requester: 'shared secret',
        request: { subject_dn: 'CN=a.example', format: 'crmf' },
        predecessorUuid: undefined,
        requireManualApproval: false,
        oneTimeSecretUuid: undefined,
        detail: { answer: 'cp', certReqId: 0, nonce: '07'.repeat(16), implicit: false, sender: 'shared secret' },
      },
    ]);
  });

  it('must request exactly one certificate', async () => {
    const { ask, requests } = createRequester();
    const two = ask({ type: 'ir', requests: [await certReqMsg(), await certReqMsg()] });
    await expectRejected(
      { ask, requests, settled: [], outcome: two },
      'badRequest',
      /A message must request exactly one certificate;/,
    );
  });

  it('is rejected if its transaction already exists', async () => {
    const { outcome } = await sendRequest('ir', {}, {}, { isNew: false });
    await expect(outcome).rejects.toMatchObject({
      failure: 'transactionIdInUse',
      message: 'The transactionID is already in use; start a new transaction.',
    });
  });

  it.each([
    ['CN=device-7', true],
    ['CN=DEVICE-7', true],
    ['CN=device-8', false],
    ['CN=device-7,O=Test', false],
  ])('for %s consumes a one-time secret for CN=device-7: %s', async (subject, isUsed) => {
    const oneTime = { uuid: 'secret-1', names: namesOfSecret('CN=device-7', {}, 'order-7') };
    const asked = await sendRequest('ir', { subject }, { sender: await macSender({ oneTime }) });
    if (!isUsed)
      return expectRejected(
        asked,
        'notAuthorized',
        /contains the subject .*; the one-time secret order-7 does not cover that name/,
      );
    await asked.outcome;
    const [request] = asked.requests;
    expect([request?.oneTimeSecretUuid, request?.detail?.sender]).toEqual(['secret-1', 'secret-1']);
  });

  it.each([
    [2, -1],
    [3, -1],
  ])('in PKCS #10 form with version %i is answered with certReqId %i', async (pvno, certReqId) => {
    const request = readDerOrPem(await makeRequest('a', await generateKeyPair('P-256')), ['CERTIFICATE REQUEST']);
    const { ask, requests } = createRequester({ enrolled: { state: 'waiting' } });
    const reply = await ask({ type: 'p10cr', request }, { header: { pvno } });
    expect(reply.body).toMatchObject({ type: 'cp', responses: [{ certReqId, status: { status: 'waiting' } }] });
    expect(requests).toMatchObject([{ kind: 'p10cr', request: { format: 'pkcs10' }, detail: { certReqId } }]);
  });

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])(
    'is confirmed implicitly if permitted by the profile (%s) and requested (%s): %s',
    async (allowed, asks, implicit) => {
      const header = { generalInfo: asks ? [buildInfo('implicitConfirm', null)] : [requestInfo('caCerts')] };
      const profile = profileWith({ implicitConfirmation: allowed });
      const { outcome, requests } = await sendRequest(
        'ir',
        {},
        { header, profile },
        { enrolled: { certificate: device.der } },
      );
      expect((await outcome).implicitConfirm).toBe(implicit);
      expect(requests).toMatchObject([{ detail: { implicit } }]);
    },
  );
});

describe('a CMP profile for base stations', () => {
  const profile = profileWith({ variant: 'v2_3gpp', requestProtectionMethod: 'signature', centralKeys: true });

  it('issues no certificates until the chain for the response is known', async () => {
    await expectRejected(
      await sendRequest('ir', {}, { profile }),
      'systemUnavail',
      /^Base stations require the chain, .*devices/,
    );
    const { outcome } = await sendRequest('ir', {}, { profile }, { authorities: [root.der] });
    expect((await outcome).body.type).toBe('ip');
  });

  it('generates no keys, even if key generation is enabled', async () => {
    const asked = await sendRequest('ir', { isKeyless: true }, { profile }, { authorities: [root.der] });
    await expectRejected(asked, 'badCertTemplate', /base stations must generate their own keys\./);
  });
});

describe('the response to a certificate request', () => {
  it.each([
    ['ir', 'ip', 1],
    ['cr', 'cp', 0],
  ] as const)('for an issued %s has type %s, the issuers and %i trusted roots', async (type, answer, roots) => {
    const where = { enrolled: { certificate: device.der }, issuers: [issuing.der, root.der] };
    const reply = await (await sendRequest(type, { subject: 'CN=device-7,O=Test' }, {}, where)).outcome;
    expect(reply).toEqual({
      body: {
        type: answer,
        caPubs: [root.der].slice(0, roots),
        responses: [{ certReqId: 0, status: { status: 'accepted' }, certificate: device.der }],
      },
      extraCerts: [issuing.der, root.der],
      implicitConfirm: false,
    });
  });

  it('does not contain a CA certificate as trusted if it is not a root', async () => {
    const where = { enrolled: { certificate: device.der }, issuers: [issuing.der] };
    expect((await (await sendRequest('ir', {}, {}, where)).outcome).body).toMatchObject({ caPubs: [] });
  });

  it("reports a waiting request, and contains the authority's error message for a rejected request", async () => {
    const bodyIn = async (enrolled: TestEnvironment['enrolled']) =>
      (await (await sendRequest('ir', {}, {}, { enrolled })).outcome).body;
    const texts = ['The certificate has not been issued yet; poll for it.'];
    expect(await bodyIn({ state: 'waiting' })).toEqual({
      type: 'ip',
      responses: [{ certReqId: 0, status: { status: 'waiting', texts } }],
    });
    expect(await bodyIn({ state: 'refused', problem: 'The key is too short.' })).toEqual({
      type: 'ip',
      responses: [
        { certReqId: 0, status: { status: 'rejection', failures: ['badRequest'], texts: ['The key is too short.'] } },
      ],
    }); // prettier-ignore
  });
});
