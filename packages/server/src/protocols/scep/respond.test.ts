// Responses as clients read them.
import {
  openContentInfo,
  openEnvelope,
  OID,
  parseEnvelopedData,
  parseSignedData,
  readScepMessage,
  verifySigner,
  type ScepFailInfo,
  type ScepMessage,
} from '@signetry/pki';
import { generateKeyPair, nodeCmsCrypto, nodeCrypto, recipientKeyOf } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ResponseEncryption } from './open-message.ts';
import { ScepRejection } from './rejection.ts';
import { respond, respondWithRejection, type Outcome, type ResponseContext } from './respond.ts';
import { makeDevice, makeReadMessage, NONCE, serviceOf, type Device } from './testing/scep-messages.ts';

let device: Device;
let own: Device;
let issuer: Device;
let message: ScepMessage;

beforeAll(async () => {
  device = await makeDevice('device.example');
  issuer = await makeDevice('issuer.example', { ca: true, keys: await generateKeyPair('RSA-2048') });
  own = await makeDevice('scep.example', { issuer });
  message = await makeReadMessage({ signer: device, recipient: own.certificate, transactionId: 'T1' });
});

const responseContext = (encryption: Partial<ResponseEncryption> = {}): ResponseContext => ({
  message,
  ca: serviceOf(own, issuer),
  encryption: { cipher: 'aes-128-cbc', transport: { kind: 'rsa-pkcs1' }, ...encryption },
});
const responseFor = async (outcome: Outcome, encryption?: Partial<ResponseEncryption>) =>
  readScepMessage(await respond(responseContext(encryption), outcome), nodeCrypto.digest);

/** Decrypts a response as a device does. */
async function openResponse({ envelope = new Uint8Array() }: ScepMessage) {
  const sealed = parseEnvelopedData(openContentInfo(envelope, OID.pkcs7EnvelopedData));
  const opener = {
    certificate: device.certificate,
    key: recipientKeyOf(device.keys.privateKey),
    allowsSingleDes: true,
  };
  const content = await openEnvelope(sealed, opener, nodeCmsCrypto);
  const [recipient] = sealed.recipients;
  const transport = recipient?.kind === 'keyTransport' ? recipient.algorithm.oid : undefined;
  return { cipher: sealed.algorithm.oid, transport, ...parseSignedData(openContentInfo(content, OID.pkcs7SignedData)) };
}

describe('every response', () => {
  it.each<[string, () => Promise<Uint8Array>]>([
    ['a success', () => respond(responseContext(), { status: 'success', certificates: [device.der] })],
    ['a pending one', () => respond(responseContext(), { status: 'pending' })],
    ['a refusal', () => respondWithRejection(responseContext(), new ScepRejection('badTime', 'Too early.'))],
  ])("contains the transaction ID, repeats the request's nonce and is signed: %s", async (_what, respondIt) => {
    const [first, second] = [await respondIt(), await respondIt()].map((octets) =>
      readScepMessage(octets, nodeCrypto.digest),
    );
    expect(first).toMatchObject({ messageType: 'CertRep', transactionId: 'T1', recipientNonce: NONCE });
    expect(first?.senderNonce).toHaveLength(16);
    expect(second?.senderNonce).not.toEqual(first?.senderNonce);
    const { verify, digest } = nodeCrypto;
    const signed = first ?? expect.unreachable('no answer');
    expect(verifySigner(signed.signedData, signed.signer, { certificate: own.certificate, verify, digest }).valid).toBe(
      true,
    );
  });

  it("contains only its signer's certificate", async () => {
    const { signedData } = await responseFor({ status: 'pending' });
    expect(signedData.certificates.map((der) => Buffer.from(der).equals(own.der))).toEqual([true]);
  });
});

describe('a success', () => {
  it.each([
    ['aes-128-cbc', OID.aes128Cbc],
    ['aes-192-cbc', OID.aes192Cbc],
    ['aes-256-cbc', OID.aes256Cbc],
    ['des-ede3-cbc', OID.desEde3Cbc],
    ['des-cbc', OID.desCbc],
  ] as const)("contains certificates and CRLs encrypted for the request's signer with %s", async (cipher, oid) => {
    const answer = await responseFor({ status: 'success', certificates: [device.der, issuer.der] }, { cipher });
    const content = await openResponse(answer);
    expect([answer.status, answer.failInfo, content.cipher]).toEqual(['success', undefined, oid]);
    expect(content.certificates.map((der) => Buffer.from(der).toString('hex'))).toEqual(
      [device, issuer].map(({ der }) => Buffer.from(der).toString('hex')),
    );
  });

  it('is encrypted with the key transport of the request', async () => {
    const outcome = { status: 'success', certificates: [device.der] } as const;
    expect((await openResponse(await responseFor(outcome))).transport).toBe(OID.rsaEncryption);
    const transport = { kind: 'rsa-oaep', digest: 'sha256', label: new Uint8Array() } as const;
    expect((await openResponse(await responseFor(outcome, { transport }))).transport).toBe(OID.rsaOaep);
  });

  it("is rejected if the request signer's key does not support encryption", async () => {
    const keys = await generateKeyPair('Ed25519');
    const { certificate } = await makeDevice('ed25519.example', { keys });
    const toOther = { ...responseContext(), message: { ...message, certificate } };
    await expect(respond(toOther, { status: 'success', certificates: [device.der] })).rejects.toMatchObject({
      failInfo: 'badAlg',
      message: expect.stringMatching(/Cannot encrypt for the signer's certificate:/),
    });
  });
});

describe('a rejection', () => {
  const rejectWith = async (failInfo: ScepFailInfo, words: string) => {
    const octets = await respondWithRejection(responseContext(), new ScepRejection(failInfo, words));
    return readScepMessage(octets, nodeCrypto.digest);
  };

  it.each(['badAlg', 'badMessageCheck', 'badRequest', 'badTime', 'badCertId'] as const)(
    'contains failInfo %s, a readable reason and no content',
    async (failInfo) => {
      const refused = await rejectWith(failInfo, 'Für Menschen.');
      expect([refused.status, refused.failInfo, refused.failInfoText]).toEqual(['failure', failInfo, 'Für Menschen.']);
      expect(refused.envelope).toBeUndefined();
    },
  );

  it('truncates a long reason to 255 characters', async () => {
    expect((await rejectWith('badRequest', 'x'.repeat(255))).failInfoText).toBe('x'.repeat(255));
    expect((await rejectWith('badRequest', `${'x'.repeat(255)}y`)).failInfoText).toBe('x'.repeat(255));
    // A surrogate pair split by the limit becomes U+FFFD.
    expect((await rejectWith('badRequest', `${'x'.repeat(254)}😀`)).failInfoText).toBe(`${'x'.repeat(254)}\ufffd`);
  });
});
