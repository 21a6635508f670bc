import {
  buildSigningKeyInput,
  defaultSignatureAlgorithm,
  oldCertIdControl,
  parseAlgorithm,
  parseCertificate,
  parsePublicKey,
  passwordMac,
  RA_VERIFIED,
  signatureProof,
  subsequentMessageProof,
  type Control,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, nodeMacFunctions, type KeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeCertificate,
  makeRoot,
  type TestCertificate,
} from '../../../areas/certificates/testing/test-certificates.ts';
import { sendRequest, createRequester, expectRejected } from '../testing/requesting.ts';
import { foundCertificate, signer } from '../testing/calls.ts';
import { certReqMsg, macAlgorithm, SECRET } from '../testing/messages.ts';

type AuthInfo = Parameters<typeof buildSigningKeyInput>[0]['authInfo'];

/** Subject of the signing certificate. */
const SUBJECT = 'CN=device-7,O=Test';

let root: TestCertificate;
let device: TestCertificate;
let other: TestCertificate;

beforeAll(async () => {
  root = await makeRoot('Root');
  device = await makeCertificate('device-7', { issuer: root });
  other = await makeCertificate('device-8', { issuer: root });
});

describe('proof of possession of the key', () => {
  /** Returns a proof over the key and the sender, instead of over the request (RFC 4211 §4.1). */
  function proofOf(keys: KeyPair, authInfo: AuthInfo): Uint8Array {
    const input = buildSigningKeyInput({ authInfo, spki: keys.spki });
    const algorithm = defaultSignatureAlgorithm(parsePublicKey(keys.spki));
    return signatureProof({
      algorithm,
      signature: nodeCrypto.sign(keys.privateKey, { algorithm, data: input }),
      input,
    });
  }
  const senderInfo = ({ der }: TestCertificate): AuthInfo => ({
    sender: { kind: 'directoryName', name: parseCertificate(der).subject },
  });

  it.each([
    ['is not proven', 'none', /does not contain a proof of possession/],
    ['is vouched for by the client', RA_VERIFIED, /Only a registration authority/],
    [
      'is to be proven in subsequent messages',
      subsequentMessageProof('keyEncipherment', 'encrCert'),
      /not issued for keys that cannot sign/,
    ],
  ] as const)('causes a rejection if it %s', async (_what, proof, words) => {
    await expectRejected(await sendRequest('ir', { proof }), 'badPOP', words);
  });

  it('causes a rejection if its signature is incorrect', async () => {
    const request = Buffer.from(await certReqMsg());
    // The last byte is part of the signature.
    request[request.length - 1] = (request.at(-1) ?? 0) ^ 1;
    const asker = createRequester();
    const outcome = asker.ask({ type: 'ir', requests: [request] });
    await expectRejected({ ...asker, outcome }, 'badPOP', /is incorrect \(signature-invalid\)/);
  });

  it('can include the subject of the certificate that signs the message, but not a different name', async () => {
    const keys = await generateKeyPair('P-256');
    const sender = signer(device);
    const subject = SUBJECT;
    const asked = await sendRequest('ir', { keys, subject, proof: proofOf(keys, senderInfo(device)) }, { sender });
    expect((await asked.outcome).body.type).toBe('ip');
    const posing = await sendRequest('ir', { keys, proof: proofOf(keys, senderInfo(other)) }, { sender });
    await expectRejected(posing, 'badPOP', /\(sender-not-authenticated\)/);
  });

  it("can include a MAC of the key under the message's secret, but not under a different secret", async () => {
    const keys = await generateKeyPair('P-256');
    const algorithm = macAlgorithm();
    const requestWithSecret = async (secret: string) => {
      const options = { secret: Buffer.from(secret), functions: nodeMacFunctions, data: keys.spki };
      const value = await passwordMac(parseAlgorithm(algorithm), options);
      return sendRequest('ir', { keys, proof: proofOf(keys, { publicKeyMac: { algorithm, value } }) });
    };
    expect((await (await requestWithSecret(SECRET)).outcome).body.type).toBe('ip');
    await expectRejected(await requestWithSecret('another secret'), 'badPOP', /\(mac-invalid\)/);
  });

  it.each([
    ['a registration authority that signs the request', 0, true, true],
    ['one that forwards it', 1, false, true],
    ['a different signer', 0, false, false],
  ])(
    'can be asserted by %s (level %i, registration authority: %s): accepted: %s',
    async (_who, level, isRegistrationAuthority, isTaken) => {
      const sender = signer(device, isRegistrationAuthority);
      const asked = await sendRequest('ir', { proof: RA_VERIFIED }, { sender, level });
      if (isTaken) expect((await asked.outcome).body.type).toBe('ip');
      else await expectRejected(asked, 'badPOP', /Only a registration authority/);
    },
  );

  it('is required even if a registration authority forwards the request without vouching for it', async () => {
    await expectRejected(
      await sendRequest('ir', { proof: 'none' }, { level: 2 }),
      'badPOP',
      /does not contain a proof of possession/,
    );
  });
});

describe('a key update', () => {
  const idOf = ({ der }: TestCertificate, issuer = parseCertificate(der).issuer): Control =>
    oldCertIdControl({
      issuer: { kind: 'directoryName', name: issuer },
      serialBytes: parseCertificate(der).serialBytes,
    });

  const controlWithHostIssuer = ({ der }: TestCertificate): Control =>
    oldCertIdControl({ issuer: { kind: 'dNSName', value: 'a' }, serialBytes: parseCertificate(der).serialBytes });

  it.each([
    ['contains no oldCertID', () => []],
    ['identifies the signer', () => [idOf(device)]],
  ])('replaces the certificate that signs it if it %s', async (_what, controls) => {
    const where = { known: foundCertificate(device) };
    const { outcome, requests } = await sendRequest(
      'kur',
      { subject: SUBJECT, controls: controls() },
      { sender: signer(device) },
      where,
    );
    expect((await outcome).body.type).toBe('kup');
    expect(requests).toMatchObject([{ kind: 'kur', predecessorUuid: 'certificate-1' }]);
  });

  it.each([
    ['a different serial number', () => idOf(other)],
    ['a different issuer', () => idOf(device, parseCertificate(other.der).subject)],
    ['an issuer that is not a distinguished name',
      () => controlWithHostIssuer(device)],
  ])('is rejected if it contains %s', async (_what, control) => {
    const where = { known: foundCertificate(device) };
    const asked = await sendRequest('kur', { controls: [control()] }, { sender: signer(device) }, where);
    await expectRejected(asked, 'badCertId', /must be signed with the certificate that it updates/);
  }); // prettier-ignore

  it.each([
    ['under a secret', undefined, undefined, 'wrongIntegrity', /must be signed with the certificate that it updates/],
    ['with an unknown certificate', 'signed', undefined, 'badCertId', /not issued under this RA profile/],
    ['with a certificate of a different RA profile', 'signed', 'ra-2', 'badCertId', /not issued under this RA profile/],
  ] as const)('is rejected %s', async (_what, how, raProfileUuid, failure, words) => {
    const known = raProfileUuid && { known: foundCertificate(device, { ra_profile_uuid: raProfileUuid }) };
    const asked = await sendRequest('kur', {}, how ? { sender: signer(device) } : {}, known ?? {});
    await expectRejected(asked, failure, words);
  });
});
