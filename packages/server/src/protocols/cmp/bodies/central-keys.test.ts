import {
  buildCertReqMsg,
  buildCertRequest,
  buildCertTemplate,
  buildName,
  DEFAULT_KEY_POLICY,
  encodeDer,
  findExtension,
  keylessSpki,
  OID,
  oidPart,
  parseCertReqMsg,
  parseNameText,
  RA_VERIFIED,
  sequence,
  subjectAltNameExtension,
  subjectKeyIdentifierExtension,
  type PkiBodyInput,
} from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../areas/certificates/testing/test-certificates.ts';
import { sendRequest, createRequester, expectRejected, type TestEnvironment } from '../testing/requesting.ts';
import { profileWith } from '../testing/calls.ts';

const profile = profileWith({ centralKeys: true });
const P384 = encodeDer(sequence([oidPart(OID.ecPublicKey), oidPart(OID.secp384r1)]));

/** Returns a request without a key, for the specified algorithm if any. */
function keylessBody(algorithm?: Uint8Array, proof?: Uint8Array): PkiBodyInput {
  const template = buildCertTemplate({
    subject: buildName(parseNameText('CN=device-7')),
    spki: algorithm && keylessSpki({ der: algorithm }),
    extensions: [
      subjectAltNameExtension([{ kind: 'dNSName', value: 'device-7.example' }]),
      subjectKeyIdentifierExtension(new Uint8Array(20)),
    ],
  });
  return { type: 'ir', requests: [buildCertReqMsg({ request: buildCertRequest({ certReqId: 0, template }), proof })] };
}

async function issueCentralKey(algorithm?: Uint8Array, where: TestEnvironment = {}) {
  const { der } = await makeCertificate('device-7');
  const { ask, requests } = createRequester({ enrolled: { certificate: der }, ...where });
  const { body } = await ask(keylessBody(algorithm), { profile });
  const [response] = 'responses' in body ? body.responses : expect.fail(body.type);
  return { response, asked: parseCertReqMsg(requests[0]?.request.der ?? expect.fail('nothing was requested')) };
}

describe('a key generated for a client', () => {
  it('is proven, and certified with the names in the request but not with the key identifier in it', async () => {
    const { response, asked } = await issueCentralKey();
    expect(asked.proof?.kind).toBe('signature');
    expect(asked.request.template.publicKey?.curve).toBe('P-256');
    const extensions = asked.request.template.extensions ?? [];
    expect(findExtension(extensions, OID.subjectAltName)).toBeDefined();
    expect(findExtension(extensions, OID.subjectKeyIdentifier)).toBeUndefined();
    expect(response).toMatchObject({ privateKey: { kind: 'envelopedData' } });
  });

  it.each([
    ['as requested', {}, 'P-384', false],
    ['on a curve other than requested', { curves: [OID.secp521r1] }, 'P-521', true],
  ] as const)('is %s, and the client is notified', async (_what, policy, curve, isChanged) => {
    const { response, asked } = await issueCentralKey(P384, { policy: { ...DEFAULT_KEY_POLICY, ...policy } });
    expect(asked.request.template.publicKey?.curve).toBe(curve);
    const text = 'The key has a different type or size than requested, because the RA profile does not accept that.';
    expect(response?.status.texts?.includes(text)).toBe(isChanged);
  });

  it('is not returned if no certificate was issued for the key', async () => {
    const { response } = await issueCentralKey(undefined, { enrolled: { state: 'refused', problem: 'No.' } });
    expect(response).toEqual({
      certReqId: 0,
      status: { status: 'rejection', failures: ['badRequest'], texts: ['No.'] },
    });
  });
});

describe('no key is generated', () => {
  const waits = /^The certificate cannot be issued immediately, and generated keys are not stored;/;
  it.each([
    ['if the profile does not permit it', { profile: profileWith() }, {}, 'badCertTemplate',
      /the CMP profile factory does not generate keys/],
    ['if requests wait for manual approval', { profile: { ...profile, requireManualApproval: true } }, {}, 'badRequest', waits],
    ['under an RA profile that requires approvals', { profile }, { approvalProfileUuid: 'a' }, 'badRequest', waits],
    ['if the RA profile accepts no key type that can be generated', { profile }, { policy: { ...DEFAULT_KEY_POLICY, families: [] } },
      'badAlg', /accepts no key type that the server can generate; generate a key on the client\./],
  ])('%s', async (_what, wish, where, failure, words) => {
    await expectRejected(await sendRequest('ir', { isKeyless: true }, wish, where), failure, words);
  }); // prettier-ignore

  it('for a request with a proof of possession', async () => {
    const asker = createRequester();
    const outcome = asker.ask(keylessBody(undefined, RA_VERIFIED), { profile });
    await expectRejected({ ...asker, outcome }, 'badPOP', /The request contains a proof of possession but no key\./);
  });

  it('if the certificate unexpectedly has to wait, and its transaction ends', async () => {
    const { ask, settled } = createRequester({ enrolled: { state: 'waiting' } });
    await expect(ask(keylessBody(), { profile })).rejects.toMatchObject({
      failure: 'badRequest',
      message: expect.stringMatching(waits),
    });
    expect(settled).toEqual([
      { uuid: 'enrollment-1', from: ['waiting'], state: 'refused', problem: expect.stringMatching(waits) },
    ]);
  });
});
