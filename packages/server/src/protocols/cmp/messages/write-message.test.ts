import {
  defaultSignatureAlgorithm,
  deriveMac,
  hasInfo,
  macCosts,
  parseAlgorithm,
  parseCertificate,
  parsePkiMessage,
  parsePublicKey,
  verifySignatureProtection,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, nodeMacFunctions } from '@signetry/pki/node';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../areas/certificates/testing/test-certificates.ts';
import type { CmpReply } from '../call.ts';
import { macSender, profileWith, signer } from '../testing/calls.ts';
import {
  headerOf,
  macAlgorithm,
  plainMessage,
  readResponse,
  SECRET,
  type HeaderSpec,
  type MacSpec,
} from '../testing/messages.ts';
import { reachCertificate } from '../testing/signing.ts';
import { signsResponses, writeMessage, type ResponseInput, type WriteParts } from './write-message.ts';

const NOW = new Date('2026-11-20T12:00:00.900Z');
const NONCE = new Uint8Array(16).fill(3);
const DEVICE_KEYS = await generateKeyPair('P-256');
const REPLY: CmpReply = { body: { type: 'pkiconf' } };

const nothingSigns: WriteParts['signingCertificates'] = { reach: () => Promise.reject(new Error('not asked for')) };

async function writeAndRead(
  answered: Partial<ResponseInput> = {},
  signingCertificates = nothingSigns,
  header: HeaderSpec = {},
) {
  const request = parsePkiMessage(plainMessage(REPLY.body, headerOf(header))).header;
  const facts = { request, reply: REPLY, nonce: NONCE, profile: profileWith(), sender: undefined, ...answered };
  return readResponse(
    await writeMessage({ clock: { now: () => NOW, monotonicMs: () => 0 }, signingCertificates }, facts),
  );
}

describe('the header of a response', () => {
  it("repeats the request's transaction and nonce, and contains a new nonce and a time in whole seconds", async () => {
    const [transactionId, senderNonce] = [new Uint8Array(16).fill(1), new Uint8Array(16).fill(2)];
    const { message } = await writeAndRead({}, nothingSigns, { transactionId, senderNonce });
    expect(message.header).toMatchObject({ transactionId, recipientNonce: senderNonce, senderNonce: NONCE });
    expect(message.header.messageTimeMs).toBe(Date.parse('2026-11-20T12:00:00Z'));
  });

  it.each([
    [1, 2],
    [2, 2],
    [3, 3],
  ])('for a request with version %i has version %i', async (pvno, answered) => {
    expect((await writeAndRead({}, nothingSigns, { pvno })).message.header.pvno).toBe(answered);
  });

  it.each([
    [true, true],
    [false, false],
    [undefined, false],
  ])('announces implicit confirmation if the reply specifies it (%s): %s', async (implicitConfirm, isSaid) => {
    const reply = { ...REPLY, ...(implicitConfirm === undefined ? {} : { implicitConfirm }) };
    expect(hasInfo((await writeAndRead({ reply })).message.header.generalInfo, 'implicitConfirm')).toBe(isSaid);
  });
});

describe('the MAC of a response', () => {
  const responseMacCosts = async (mac: MacSpec) => {
    const sender = await macSender({ reference: Buffer.from('device-7') }, mac);
    const { message, isProtectedBy } = await writeAndRead({ sender });
    expect([await isProtectedBy(SECRET), await isProtectedBy('another')]).toEqual([true, false]);
    const algorithm = message.header.protectionAlgorithm ?? expect.fail('not protected');
    expect(algorithm.oid).toBe(sender.mac.algorithm.oid);
    expect(message.header.senderKid).toEqual(new Uint8Array(Buffer.from('device-7')));
    const isSame = Buffer.from(algorithm.der).equals(sender.mac.algorithm.der);
    return [isSame, macCosts(algorithm).saltLength, macCosts(algorithm).iterations];
  };

  it.each([
    ['weak iterations', { iterations: 499 }, [false, 20, 500]],
    ['the least iterations', { iterations: 500 }, [true, 16, 500]],
    ['the most iterations', { iterations: 10_000 }, [true, 16, 10_000]],
    ['slow iterations', { iterations: 10_001 }, [false, 20, 10_000]],
    ['a long salt', { saltLength: 40 }, [true, 40, 500]],
    ['PBMAC1', { kind: 'pbmac1', iterations: 1_000 }, [false, 20, 1_000]],
    ['PBMAC1 with few iterations', { kind: 'pbmac1', iterations: 100 }, [false, 20, 100]],
    ['PBMAC1 with many iterations', { kind: 'pbmac1', iterations: 50_000 }, [false, 20, 50_000]],
    ['PBMAC1 with costly iterations', { kind: 'pbmac1', iterations: 60_000 }, [true, 16, 60_000]],
  ] as const)('for a request with %s has suitable parameters', async (_what, mac, expected) => {
    expect(await responseMacCosts(mac)).toEqual(expected);
  });
});

describe("the MAC of a response to Siemens' CMP component", () => {
  it('uses the PBMAC1 parameters of its recorded ir', async () => {
    const der = await readFile(new URL('../testing/recorded/ir-siemens-pbmac1.der', import.meta.url));
    const { header } = parsePkiMessage(der);
    const algorithm = header.protectionAlgorithm ?? expect.fail('not protected');
    const limits = { maxIterations: 1_280_000 };
    const input = { secret: Buffer.from(SECRET), functions: nodeMacFunctions, limits };
    const sender = { ...(await macSender()), mac: await deriveMac(algorithm, input) };
    const { message, isProtectedBy } = await writeAndRead({ sender, request: header });
    expect(message.header.protectionAlgorithm?.der).toEqual(algorithm.der);
    expect(await isProtectedBy(SECRET, limits)).toBe(true);
  });
});

describe('the signature of a response', () => {
  const signing = profileWith({ responseProtectionMethod: 'signature', signingCertificateUuid: 'c' });

  it("is created with the profile's certificate, which comes first in extraCerts, for any sender", async () => {
    const [certificate, other] = [await makeCertificate('cmp.example'), await makeCertificate('issuer')];
    const reply = { ...REPLY, extraCerts: [other.der] };
    for (const sender of [await macSender(), undefined]) {
      const { message } = await writeAndRead(
        { profile: signing, sender, reply },
        { reach: reachCertificate(certificate) },
      );
      const { spki, subject, subjectKeyIdentifier } = parseCertificate(certificate.der);
      expect(verifySignatureProtection(message, { spki, verify: nodeCrypto.verify })).toBe(true);
      expect(message.header).toMatchObject({
        sender: { kind: 'directoryName', name: { der: subject.der } },
        senderKid: subjectKeyIdentifier,
      });
      expect(message.extraCerts.map((der) => Buffer.from(der))).toEqual(
        [certificate.der, other.der].map((der) => Buffer.from(der)),
      );
    }
  });

  const SIGNATURE = defaultSignatureAlgorithm(parsePublicKey(DEVICE_KEYS.spki));
  const MAC = parseAlgorithm(macAlgorithm());
  it.each([
    ['signature', 'c', 'signed', SIGNATURE, true],
    ['signature', 'c', 'MAC-protected', MAC, true],
    ['signature', 'c', 'unprotected', undefined, true],
    ['signature', undefined, 'signed', SIGNATURE, false],
    ['sharedSecret', 'c', 'signed', SIGNATURE, true],
    ['sharedSecret', undefined, 'signed', SIGNATURE, false],
    ['sharedSecret', 'c', 'MAC-protected', MAC, false],
    ['sharedSecret', 'c', 'unprotected', undefined, false],
  ] as const)(
    'with the method %s and the certificate %s, in the response to a %s request: %#',
    (method, uuid, _request, algorithm, isThere) => {
      const profile = profileWith({ responseProtectionMethod: method, signingCertificateUuid: uuid });
      const protectionAlgorithm = algorithm && parseAlgorithm(algorithm.der);
      expect(signsResponses(profile, { protectionAlgorithm })).toBe(isThere);
    },
  );
});

describe('an unprotected response', () => {
  it('is sent to unauthenticated senders, and to signers if the profile does not sign responses', async () => {
    const device = await makeCertificate('device');
    for (const sender of [undefined, signer(device)]) {
      const { message } = await writeAndRead({ sender });
      expect([message.protection, message.header.protectionAlgorithm]).toEqual([undefined, undefined]);
    }
    expect((await writeAndRead({ profile: undefined })).message.protection).toBeUndefined();
  });
});
