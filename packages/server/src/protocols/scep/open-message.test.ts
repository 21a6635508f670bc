// Accepted and rejected messages, on real messages, before a certificate is requested.
import { buildContentInfo, OID, parseCertificationRequest, PkiError } from '@signetry/pki';
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
  type MessageSpec,
} from './testing/scep-messages.ts';

let device: Device;
let own: Device;
let ca: SigningCertificate;

beforeAll(async () => {
  [device, own] = await Promise.all([makeDevice('device.example'), makeDevice('scep.example')]);
  ca = serviceOf(own);
});

const messageOf = (wish: Partial<MessageSpec> = {}) =>
  makeReadMessage({ signer: device, recipient: own.certificate, ...wish });
const oldClients = servedProfile({ allowOldClients: true });
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const UNREADABLE = 'The encrypted content cannot be read; encrypt it for the certificate that GetCACert returns.';

describe('a request body', () => {
  it.each([
    ['empty', Buffer.alloc(0)],
    ['text', Buffer.from('GET / HTTP/1.1')],
    ['an empty sequence', Buffer.from('3000', 'hex')],
    ['zeros', Buffer.alloc(1_000)],
    ['endless nesting', Buffer.from('3080'.repeat(5_000), 'hex')],
    ['unsigned data', buildContentInfo({ contentType: OID.pkcs7Data, content: Buffer.from('0400', 'hex') })],
  ])('is not a message if it is %s', (_what, octets) => {
    expect(readMessage(octets)).toBeUndefined();
  });

  it('is not a message if it is truncated or has trailing data other than padding', async () => {
    const message = await makeMessage({ signer: device, recipient: own.certificate });
    expect(readMessage(message)?.transactionId).toBe('transaction');
    expect(readMessage(message.subarray(0, message.length - 1))).toBeUndefined();
    expect(readMessage(Buffer.concat([message, Buffer.from('x')]))).toBeUndefined();
    expect(readMessage(Buffer.concat([message, message]))).toBeUndefined();
  });

  it.each(['\0', '\n', '\r\n', '\0\0\n'])('is a message if the padding %j follows it', async (padding) => {
    const message = await makeMessage({ signer: device, recipient: own.certificate });
    expect(readMessage(Buffer.concat([message, Buffer.from(padding)]))?.transactionId).toBe('transaction');
  });

  it('is not a message without a transaction identifier', async () => {
    const octets = await makeMessage({ signer: device, recipient: own.certificate, attributes: [] });
    expect(readMessage(octets)).toBeUndefined();
  });
});

describe('a message signature', () => {
  it.each(['SHA256', 'SHA512'] as const)('is accepted with %s', async (digest) => {
    expect(assertSigned(await messageOf({ digest }), servedProfile())).toBeUndefined();
  });

  it('is accepted with SHA-1 only from old clients', async () => {
    const message = await messageOf({ digest: 'SHA1' });
    expect(assertSigned(message, oldClients)).toBeUndefined();
    expect(() => assertSigned(message, servedProfile())).toThrow(
      expect.objectContaining({
        failInfo: 'badAlg',
        message:
          'The message is signed with a weak digest; use SHA-256, or enable allowOldClients in the SCEP profile to ' +
          'accept SHA-1.',
      }),
    );
  });

  it('is rejected if it was computed over different data', async () => {
    const forged = await messageOf({ isForged: true });
    for (const profile of [servedProfile(), oldClients])
      expect(() => assertSigned(forged, profile)).toThrow(
        expect.objectContaining({
          failInfo: 'badMessageCheck',
          message: 'The signature of the message does not match its signer.',
        }),
      );
  });

  it('is rejected if the content was replaced', async () => {
    const [message, other] = [await messageOf(), await messageOf({ content: Buffer.from('other') })];
    const exchanged = { ...message, signedData: { ...message.signedData, content: other.signedData.content } };
    expect(() => assertSigned(exchanged, servedProfile())).toThrow(
      expect.objectContaining({ failInfo: 'badMessageCheck' }),
    );
  });

  it('is rejected if its algorithm does not match the key', async () => {
    const message = await messageOf();
    const ecdsa = { ...message.signer.signatureAlgorithm, oid: ECDSA_WITH_SHA256 };
    const mismatched = { ...message, signer: { ...message.signer, signatureAlgorithm: ecdsa } };
    expect(() => assertSigned(mismatched, servedProfile())).toThrow(
      expect.objectContaining({ failInfo: 'badAlg', message: 'The signature algorithm is not supported.' }),
    );
  });
});

describe('the content of a message', () => {
  const open = async (wish: Partial<MessageSpec>, profile = servedProfile()) =>
    openContent(await messageOf(wish), { profile, ca });

  it.each(['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc'] as const)('is decrypted with %s', async (cipher) => {
    const opened = await open({ cipher, content: Buffer.from('request') });
    expect([Buffer.from(opened.content).toString(), opened.cipher]).toEqual(['request', cipher]);
  });

  it.each([
    { kind: 'rsa-pkcs1' },
    { kind: 'rsa-oaep', digest: 'sha1', label: new Uint8Array() },
    { kind: 'rsa-oaep', digest: 'sha256', label: new Uint8Array() },
  ] as const)('is decrypted if its key is transported with $kind $digest', async (transport) => {
    const opened = await open({ transport, content: Buffer.from('request') });
    expect([Buffer.from(opened.content).toString(), opened.transport]).toEqual(['request', transport]);
  });

  it('is rejected with badAlg if the token does not support its key transport', async () => {
    const decrypt = async () => {
      throw new PkiError('unsupported-algorithm', 'RSAES-OAEP with a label is not supported.');
    };
    await expect(
      openContent(await messageOf(), { profile: servedProfile(), ca: { ...ca, decrypt } }),
    ).rejects.toMatchObject({
      failInfo: 'badAlg',
      message: 'The encryption algorithm is not supported: RSAES-OAEP with a label is not supported.',
    });
  });

  it('can be followed by padding, inside and outside its encryption', async () => {
    const inside = await open({ content: Buffer.concat([requestOf(device), Buffer.from('\0')]) });
    const request = readContent(parseCertificationRequest, inside.content);
    expect(Buffer.from(request.der).equals(requestOf(device))).toBe(true);
    const envelope = Buffer.concat([(await messageOf()).envelope ?? new Uint8Array(), Buffer.from('\n')]);
    expect(Buffer.from((await open({ envelope })).content).toString()).toBe('content');
  });

  it.each([
    ['des-ede3-cbc', 'triple DES'],
    ['des-cbc', 'single DES'],
  ] as const)('is decrypted with %s only for old clients, whose responses use it as well', async (cipher, words) => {
    const opened = await open({ cipher, content: Buffer.from('request') }, oldClients);
    expect([Buffer.from(opened.content).toString(), opened.cipher]).toEqual(['request', cipher]);
    await expect(open({ cipher })).rejects.toMatchObject({
      failInfo: 'badAlg',
      message: `The content is encrypted with ${words}; use AES, or enable allowOldClients in the SCEP profile.`,
    });
  });

  it('is rejected if it is encrypted for a different recipient', async () => {
    await expect(open({ recipient: device.certificate })).rejects.toMatchObject({
      failInfo: 'badRequest',
      message: 'The content is not encrypted for the certificate that GetCACert returns.',
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
  ])('is rejected if it is %s', async (_what, envelope, message) => {
    await expect(open({ envelope })).rejects.toMatchObject({ failInfo: 'badRequest', message });
  });

  it('is rejected with the same error whether it cannot be decrypted or cannot be parsed', async () => {
    const message = await messageOf({ content: requestOf(device) });
    const read = async (service: SigningCertificate) => {
      const { content } = await openContent(message, { profile: servedProfile(), ca: service });
      return readContent(parseCertificationRequest, content);
    };
    expect(Buffer.from((await read(ca)).publicKey.spki).equals(device.keys.spki)).toBe(true);
    const refusal = { failInfo: 'badRequest', message: UNREADABLE };
    // A key that fits by chance produces content that is not a request.
    await expect(read({ ...ca, decrypt: async () => undefined })).rejects.toMatchObject(refusal);
    await expect(read({ ...ca, decrypt: async () => new Uint8Array(16) })).rejects.toMatchObject(refusal);
    await expect(read({ ...ca, decrypt: async () => new Uint8Array(3) })).rejects.toMatchObject(refusal);
    expect(() => readContent(parseCertificationRequest, Buffer.from('garbage'))).toThrow(
      expect.objectContaining(refusal),
    );
  });

  it('is parsed by the specified parser, whose internal errors are not reported as rejections', () => {
    expect(readContent((content) => content.length, Buffer.from('abc'))).toBe(3);
    const fault = new TypeError('broken');
    expect(() =>
      readContent(() => {
        throw fault;
      }, Buffer.from('abc')),
    ).toThrow(fault);
  });
});
