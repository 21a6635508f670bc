// What is opened and what is refused before anything is asked for, on real messages.
import { buildContentInfo, OID, parseCertificationRequest } from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SigningCertificate } from '../../areas/signing-certificates/index.ts';
import { assertSigned, openContent, readContent, readMessage } from './open-message.ts';
import { servedProfile } from './testing/served-profile.ts';
import {
  makeDevice,
  makeMessage,
  makeReadMessage,
  requestOf,
  serviceOf,
  type Device,
  type MessageWish,
} from './testing/scep-messages.ts';

let device: Device;
let own: Device;
let ca: SigningCertificate;

beforeAll(async () => {
  [device, own] = await Promise.all([makeDevice('device.example'), makeDevice('scep.example')]);
  ca = serviceOf(own);
});

const messageOf = (wish: Partial<MessageWish> = {}) =>
  makeReadMessage({ signer: device, recipient: own.certificate, ...wish });
const oldClients = servedProfile({ allowOldClients: true });
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const UNREADABLE = 'The encrypted content cannot be read; encrypt it to the certificate that GetCACert answers with.';

describe('octets', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('GET / HTTP/1.1')],
    ['an empty sequence', Buffer.from('3000', 'hex')],
    ['zeros', Buffer.alloc(1_000)],
    ['nesting without end', Buffer.from('3080'.repeat(5_000), 'hex')],
    ['data that nobody signed', buildContentInfo({ contentType: OID.pkcs7Data, content: Buffer.from('0400', 'hex') })],
  ])('that are %s are no message', (_what, octets) => {
    expect(readMessage(octets)).toBeUndefined();
  });

  it('are no message where one is cut, or something follows it', async () => {
    const message = await makeMessage({ signer: device, recipient: own.certificate });
    expect(readMessage(message)?.transactionId).toBe('transaction');
    expect(readMessage(message.subarray(0, message.length - 1))).toBeUndefined();
    expect(readMessage(Buffer.concat([message, Buffer.alloc(1)]))).toBeUndefined();
  });

  it('are no message without an identifier of the transaction', async () => {
    const octets = await makeMessage({ signer: device, recipient: own.certificate, attributes: [] });
    expect(readMessage(octets)).toBeUndefined();
  });
});

describe('the signature of a message', () => {
  it.each(['SHA256', 'SHA512'] as const)('is accepted with %s', async (digest) => {
    expect(assertSigned(await messageOf({ digest }), servedProfile())).toBeUndefined();
  });

  it('is accepted with SHA-1 from old clients only', async () => {
    const message = await messageOf({ digest: 'SHA1' });
    expect(assertSigned(message, oldClients)).toBeUndefined();
    expect(() => assertSigned(message, servedProfile())).toThrow(
      expect.objectContaining({
        failInfo: 'badAlg',
        message:
          'The message is signed with an old digest; use SHA-256, or with SHA-1, the setting allowOldClients of the ' +
          'SCEP profile allows it.',
      }),
    );
  });

  it('is refused where it is over other octets', async () => {
    const forged = await messageOf({ isForged: true });
    for (const profile of [servedProfile(), oldClients])
      expect(() => assertSigned(forged, profile)).toThrow(
        expect.objectContaining({
          failInfo: 'badMessageCheck',
          message: 'The signature of the message is not that of its signer.',
        }),
      );
  });

  it('is refused where the content was exchanged behind it', async () => {
    const [message, other] = [await messageOf(), await messageOf({ content: Buffer.from('other') })];
    const exchanged = { ...message, signedData: { ...message.signedData, content: other.signedData.content } };
    expect(() => assertSigned(exchanged, servedProfile())).toThrow(
      expect.objectContaining({ failInfo: 'badMessageCheck' }),
    );
  });

  it('is refused where its algorithm is not that of the key', async () => {
    const message = await messageOf();
    const ecdsa = { ...message.signer.signatureAlgorithm, oid: ECDSA_WITH_SHA256 };
    const mismatched = { ...message, signer: { ...message.signer, signatureAlgorithm: ecdsa } };
    expect(() => assertSigned(mismatched, servedProfile())).toThrow(
      expect.objectContaining({ failInfo: 'badAlg', message: 'The algorithm of the signature is not supported.' }),
    );
  });
});

describe('the content of a message', () => {
  const open = async (wish: Partial<MessageWish>, profile = servedProfile()) =>
    openContent(await messageOf(wish), { profile, ca });

  it.each(['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc'] as const)('is opened with %s', async (cipher) => {
    const opened = await open({ cipher, content: Buffer.from('request') });
    expect([Buffer.from(opened.content).toString(), opened.cipher]).toEqual(['request', 'aes-128-cbc']);
  });

  it.each([
    ['des-ede3-cbc', 'triple DES'],
    ['des-cbc', 'single DES'],
  ] as const)('is opened with %s of old clients only, who are answered with it', async (cipher, words) => {
    const opened = await open({ cipher, content: Buffer.from('request') }, oldClients);
    expect([Buffer.from(opened.content).toString(), opened.cipher]).toEqual(['request', cipher]);
    await expect(open({ cipher })).rejects.toMatchObject({
      failInfo: 'badAlg',
      message: `The content is encrypted with ${words}; use AES, or the setting allowOldClients of the SCEP profile allows it.`,
    });
  });

  it('is refused for another recipient', async () => {
    await expect(open({ recipient: device.certificate })).rejects.toMatchObject({
      failInfo: 'badRequest',
      message: 'The content is encrypted to another certificate than GetCACert answers with.',
    });
  });

  it.each([
    ['missing', new Uint8Array(), 'The message has no content.'],
    ['text', Buffer.from('garbage'), UNREADABLE],
    [
      'an empty envelope',
      buildContentInfo({ contentType: OID.pkcs7EnvelopedData, content: Buffer.from('3000', 'hex') }),
      UNREADABLE,
    ],
    [
      'not an envelope',
      buildContentInfo({ contentType: OID.pkcs7Data, content: Buffer.from('0400', 'hex') }),
      UNREADABLE,
    ],
  ])('is refused where it is %s', async (_what, envelope, message) => {
    await expect(open({ envelope })).rejects.toMatchObject({ failInfo: 'badRequest', message });
  });

  it('is refused alike whether it does not decrypt or makes no sense once it is decrypted', async () => {
    const message = await messageOf({ content: requestOf(device) });
    const read = async (service: SigningCertificate) => {
      const { content } = await openContent(message, { profile: servedProfile(), ca: service });
      return readContent(parseCertificationRequest, content);
    };
    expect(Buffer.from((await read(ca)).publicKey.spki).equals(device.keys.spki)).toBe(true);
    const refusal = { failInfo: 'badRequest', message: UNREADABLE };
    // With a key that fits by chance, what comes out is no request.
    await expect(read({ ...ca, decrypt: async () => undefined })).rejects.toMatchObject(refusal);
    await expect(read({ ...ca, decrypt: async () => new Uint8Array(16) })).rejects.toMatchObject(refusal);
    await expect(read({ ...ca, decrypt: async () => new Uint8Array(3) })).rejects.toMatchObject(refusal);
    expect(() => readContent(parseCertificationRequest, Buffer.from('garbage'))).toThrow(
      expect.objectContaining(refusal),
    );
  });

  it('is read by whoever knows its form, whose own faults are not refusals', () => {
    expect(readContent((content) => content.length, Buffer.from('abc'))).toBe(3);
    const fault = new TypeError('broken');
    expect(() =>
      readContent(() => {
        throw fault;
      }, Buffer.from('abc')),
    ).toThrow(fault);
  });
});
