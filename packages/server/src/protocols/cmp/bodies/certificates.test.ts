import { buildInfo, readDerOrPem, requestInfo } from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeCertificate,
  makeRequest,
  makeRoot,
  type TestCertificate,
} from '../../../areas/certificates/testing/test-certificates.ts';
import { namesOfSecret } from '../../../areas/enrolments/bound-names.ts';
import { askBy, askerIn, expectRefused, type Surroundings } from '../testing/asking.ts';
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

describe('a request for a certificate', () => {
  it('begins a transaction with what was asked for and by whom', async () => {
    const wish = { header: { transactionId: new Uint8Array(16).fill(5) } };
    const { outcome, requests } = await askBy('cr', { subject: 'CN=a.example' }, wish);
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

  it('asks for one certificate', async () => {
    const { ask, requests } = askerIn();
    const two = ask({ type: 'ir', requests: [await certReqMsg(), await certReqMsg()] });
    await expectRefused(
      { ask, requests, settled: [], outcome: two },
      'badRequest',
      /^One message asks for one certificate/,
    );
  });

  it('is refused in a transaction that is known', async () => {
    const { outcome } = await askBy('ir', {}, {}, { isNew: false });
    await expect(outcome).rejects.toMatchObject({
      failure: 'transactionIdInUse',
      message: 'The transaction is known already; begin another one.',
    });
  });

  it.each([
    ['CN=device-7', true],
    ['CN=DEVICE-7', true],
    ['CN=device-8', false],
    ['CN=device-7,O=Test', false],
  ])('for %s uses up a one-time secret for CN=device-7: %s', async (subject, isUsed) => {
    const oneTime = { uuid: 'secret-1', names: namesOfSecret('CN=device-7', {}, 'order-7') };
    const asked = await askBy('ir', { subject }, { sender: await macSender({ oneTime }) });
    if (!isUsed)
      return expectRefused(
        asked,
        'notAuthorized',
        /asks for the subject .* the one-time secret order-7 does not cover that name/,
      );
    await asked.outcome;
    const [request] = asked.requests;
    expect([request?.oneTimeSecretUuid, request?.detail?.sender]).toEqual(['secret-1', 'secret-1']);
  });

  it.each([
    [2, 0],
    [3, -1],
  ])('of PKCS#10 in version %i is answered under the number %i', async (pvno, certReqId) => {
    const request = readDerOrPem(await makeRequest('a', await generateKeyPair('P-256')), ['CERTIFICATE REQUEST']);
    const { ask, requests } = askerIn({ enrolled: { state: 'waiting' } });
    const reply = await ask({ type: 'p10cr', request }, { header: { pvno } });
    expect(reply.body).toMatchObject({ type: 'cp', responses: [{ certReqId, status: { status: 'waiting' } }] });
    expect(requests).toMatchObject([{ kind: 'p10cr', request: { format: 'pkcs10' }, detail: { certReqId } }]);
  });

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])('where the profile allows no confirmation (%s) and it is asked for (%s): %s', async (allowed, asks, implicit) => {
    const header = { generalInfo: asks ? [buildInfo('implicitConfirm', null)] : [requestInfo('caCerts')] };
    const profile = profileWith({ implicitConfirmation: allowed });
    const { outcome, requests } = await askBy('ir', {}, { header, profile }, { enrolled: { certificate: device.der } });
    expect((await outcome).implicitConfirm).toBe(implicit);
    expect(requests).toMatchObject([{ detail: { implicit } }]);
  });
});

describe('a profile for base stations', () => {
  const profile = profileWith({ variant: 'v2_3gpp', requestProtectionMethod: 'signature', centralKeys: true });

  it('issues nothing while the chain for the answer is not known', async () => {
    await expectRefused(
      await askBy('ir', {}, { profile }),
      'systemUnavail',
      /^Base stations need the chain, .*devices/,
    );
    const { outcome } = await askBy('ir', {}, { profile }, { authorities: [root.der] });
    expect((await outcome).body.type).toBe('ip');
  });

  it('makes no keys, whatever it says otherwise', async () => {
    const asked = await askBy('ir', { isKeyless: true }, { profile }, { authorities: [root.der] });
    await expectRefused(asked, 'badCertTemplate', /base stations make their keys/);
  });
});

describe('the answer to a request', () => {
  it.each([
    ['ir', 'ip', 1],
    ['cr', 'cp', 0],
  ] as const)('%s that is issued is an %s with the issuers, and with %i trusted root', async (type, answer, roots) => {
    const where = { enrolled: { certificate: device.der }, issuers: [issuing.der, root.der] };
    const reply = await (await askBy(type, {}, {}, where)).outcome;
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

  it('trusts no issuer that is no root', async () => {
    const where = { enrolled: { certificate: device.der }, issuers: [issuing.der] };
    expect((await (await askBy('ir', {}, {}, where)).outcome).body).toMatchObject({ caPubs: [] });
  });

  it('that waits says so, and one that was refused tells the words of the authority', async () => {
    const bodyIn = async (enrolled: Surroundings['enrolled']) =>
      (await (await askBy('ir', {}, {}, { enrolled })).outcome).body;
    const texts = ['The certificate is not issued yet; ask for it again.'];
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
