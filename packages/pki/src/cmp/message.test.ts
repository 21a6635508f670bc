import { beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { algIdControl, controlValue, oldCertIdControl, rsaKeyLenControl, textControl } from '../crmf/controls.ts';
import { assemblePkiMessage, buildProtectedPart, parsePkiMessage, readPkiBody } from './message.ts';
import { buildCertReqMsg, buildCertRequest, parseCertReqMessages } from '../crmf/request.ts';
import { buildCertTemplate, keylessSpki, parseCertTemplate } from '../crmf/template.ts';
import { buildInfo, infoName, infosPart, infoValue, readInfos, requestInfo, type InfoTypeAndValue } from './info.ts';
import {
  buildSigningKeyInput,
  RA_VERIFIED,
  signatureProof,
  subsequentMessageProof,
  verifyProofOfPossession,
} from '../crmf/possession.ts';
import { certificateHash, confirmationHash, confirmsCertificate } from './certificate-hash.ts';
import { concatBytes } from '../bytes.ts';
import { DAY_MS, issue, NOW_MS, type TestEntity } from '../testing/authority.ts';
import { encodeDer, integerPart, octetStringPart, oidPart, sequence } from '../der/writer.ts';
import { expectOwnErrors, mutations } from '../testing/arbitraries.ts';
import { failureOfError, PKI_FAILURES } from './status.ts';
import { macProtection, protectionCertificate, protectionKind } from './protection.ts';
import { MESSAGE_MACS, passwordBasedMacAlgorithm, passwordMac, pbmac1Algorithm } from '../crmf/password-mac.ts';
import { nodeCrypto, nodeMacFunctions, shake256 } from '../node/index.ts';
import { parseAlgorithm, signatureAlgorithm } from '../algorithms.ts';
import { openDer, parseDer } from '../der/reader.ts';
import { PkiError } from '../errors.ts';
import { readMembers } from '../der/members.ts';
import { replyFields, type PkiHeaderInput } from './header.ts';
import { subjectAltNameExtension, extensionValue } from '../x509/extension-parts.ts';
import { OID } from '../oids.ts';
import { verifyMacProtection, verifySignatureProtection } from './protection.ts';
import type { PkiBodyInput } from './body-builder.ts';

const { verify, digest } = nodeCrypto;
const secret = new TextEncoder().encode('pässword');
const salt = Uint8Array.from({ length: 16 }, (_, index) => index);
const mac = { secret, functions: nodeMacFunctions };
let root: TestEntity;
let device: TestEntity;
let header: PkiHeaderInput;
let template: Uint8Array;
let samples: Uint8Array[];

beforeAll(async () => {
  root = await issue({ subject: 'CN=Root,O=Example' });
  device = await issue({ subject: 'CN=device', issuer: root });
  header = {
    pvno: 3,
    sender: { kind: 'directoryName', name: device.name },
    recipient: { kind: 'directoryName', name: root.name },
    messageTimeMs: NOW_MS,
    senderKid: device.keyId,
    transactionId: salt,
    senderNonce: salt.map((octet) => octet + 1),
    recipientNonce: salt.map((octet) => octet + 2),
    freeText: ['Grüße'],
    generalInfo: [buildInfo('implicitConfirm', null), buildInfo('confirmWaitTime', NOW_MS)],
  };
  const names = subjectAltNameExtension([{ kind: 'dNSName', value: 'device.example' }]);
  template = buildCertTemplate({
    version: 2,
    serialBytes: Uint8Array.of(0, 0x81),
    signingAlgorithm: signatureAlgorithm('SHA256withECDSA'),
    issuer: root.name,
    validity: { notBeforeMs: NOW_MS, notAfterMs: NOW_MS + DAY_MS },
    subject: device.name,
    spki: device.keys.spki,
    extensions: [{ oid: OID.subjectAltName, critical: false, value: extensionValue(names) }],
  });
  samples = bodies().map((body) => {
    const signed = buildProtectedPart({ ...header, protectionAlgorithm: device.algorithm }, body);
    return assemblePkiMessage(signed, {
      protection: device.sign(signed).signature,
      extraCerts: [device.certificate.der],
    });
  });
});

function requestMessage(): Uint8Array {
  const request = buildCertRequest({ certReqId: 0, template, controls: [oldCertIdControl(certId())] });
  const regInfo = [textControl('utf8Pairs', 'a?b%')];
  return buildCertReqMsg({ request, proof: signatureProof(device.sign(request)), regInfo });
}

const certId = () =>
  ({ issuer: { kind: 'directoryName', name: root.name }, serialBytes: device.certificate.serialBytes }) as const;

/** A body of every type that can be parsed, with as many fields as possible. */
function bodies(): PkiBodyInput[] {
  const status = { status: 'rejection', texts: ['no'], failures: ['badAlg', 'duplicateCertReq'] } as const;
  const certificate = device.certificate.der;
  const envelopedData = encodeDer(sequence([integerPart(2), sequence([])]));
  const encryptedValue = {
    kind: 'encryptedValue',
    value: { symmetricAlgorithm: parseAlgorithm(device.algorithm.der), encryptedValue: salt },
  } as const;
  const responses = [
    { certReqId: 0, status: { status: 'accepted' }, certificate } as const,
    {
      certReqId: 1,
      status: { status: 'grantedWithMods' },
      certificate,
      privateKey: { kind: 'envelopedData', envelopedData },
    },
    { certReqId: 2, status: { status: 'accepted' }, encryptedCertificate: encryptedValue, rspInfo: salt },
    { certReqId: 3, status },
  ] as const;
  const crlEntryDetails = [{ oid: OID.reasonCode, critical: false, value: Uint8Array.of(10, 1, 1) }];
  return [
    { type: 'ir', requests: [requestMessage()] },
    { type: 'kup', caPubs: [root.certificate.der], responses },
    { type: 'rr', details: [{ template: parseCertTemplate(template), crlEntryDetails }] },
    { type: 'rp', statuses: [status], certIds: [certId()], crls: [certificate] },
    { type: 'genp', infos: infos() },
    {
      type: 'certConf',
      confirmations: [{ certReqId: 0, status, ...confirmationHash(device.certificate, { digest, shake256 }) }],
    },
    { type: 'pkiconf' },
    { type: 'pollReq', certReqIds: [0, -1] },
    { type: 'pollRep', waits: [{ certReqId: 0, checkAfterSeconds: 60, reason: ['busy'] }] },
    { type: 'nested', messages: [assemblePkiMessage(buildProtectedPart(header, { type: 'pkiconf' }))] },
    { type: 'error', status, errorCode: 7, details: ['more'] },
    { type: 'popdecc', value: encodeDer(sequence([])) },
  ];
}

function infos(): InfoTypeAndValue[] {
  const algorithm = { oid: device.algorithm.oid, der: device.algorithm.der };
  const certificate = root.certificate.der;
  const issuer = [{ kind: 'directoryName', name: root.name }] as const;
  return [
    buildInfo('caCerts', [certificate]),
    buildInfo('rootCaCert', certificate),
    buildInfo('rootCaKeyUpdate', { newWithNew: certificate, newWithOld: certificate, oldWithNew: certificate }),
    buildInfo('certReqTemplate', {
      template: parseCertTemplate(template),
      keySpec: [algIdControl(algorithm), rsaKeyLenControl(3072)],
    }),
    buildInfo('crlStatusList', [{ source: { issuer }, thisUpdateMs: NOW_MS }]),
    buildInfo('crls', [certificate]),
    buildInfo('signKeyPairTypes', [algorithm]),
    buildInfo('preferredSymmAlg', algorithm),
    buildInfo('caProtEncCert', certificate),
    buildInfo('keyPairParamReq', OID.ecPublicKey),
    buildInfo('suppLangTags', ['de', 'en']),
    buildInfo('certProfile', ['tls']),
    requestInfo('currentCRL'),
    { type: '1.2.3', value: Uint8Array.of(5, 0) },
  ];
}

describe('CMP messages', () => {
  it('of every type round-trip in both directions', () => {
    for (const [index, body] of bodies().entries()) {
      const message = parsePkiMessage(samples[index] ?? new Uint8Array());
      const read = readPkiBody(message);
      expect(read.type).toBe(body.type);
      expect(verifySignatureProtection(message, { spki: device.keys.spki, verify })).toBe(true);
      expect(message.header).toMatchObject({ ...header, protectionAlgorithm: { oid: device.algorithm.oid } });
      if ('requests' in read || read.type === 'p10cr') continue; // These are written from what the client signed.
      const again = buildProtectedPart(message.header, read);
      expect(again).toEqual(message.protectedPart);
    }
  });

  it('can contain requests with controls and regInfo', () => {
    const read = readPkiBody(parsePkiMessage(samples[0] ?? new Uint8Array()));
    if (read.type !== 'ir') throw new Error(read.type);
    const [message] = read.requests;
    expect(controlValue(message?.request.controls ?? [], 'oldCertID')).toMatchObject({
      serialNumber: device.certificate.serialNumber,
    });
    expect(controlValue(message?.regInfo ?? [], 'utf8Pairs')).toBe('a?b%');
    expect(controlValue(message?.regInfo ?? [], 'regToken')).toBeUndefined();
    const twice = [textControl('regToken', 'a'), textControl('regToken', 'b')];
    expect(() => controlValue(twice, 'regToken')).toThrow(expect.objectContaining({ code: 'duplicate-element' }));
  });

  it('can contain InfoTypeAndValue items that are looked up by name', () => {
    const list = readInfos(parseDer(encodeDer(infosPart(infos()))));
    expect(infoValue(list, 'certProfile')).toEqual(['tls']);
    expect(infoValue(list, 'rootCaKeyUpdate')?.oldWithNew).toEqual(root.certificate.der);
    expect(infoValue(list, 'crlStatusList')).toMatchObject([{ thisUpdateMs: NOW_MS }]);
    const proposal = infoValue(list, 'certReqTemplate');
    expect(proposal?.template.der).toEqual(template);
    expect(controlValue(proposal?.keySpec ?? [], 'rsaKeyLen')).toBe(3072);
    expect([infoValue(list, 'currentCRL'), infoName('1.2.3'), infoName('1.3.6.1.5.5.7.4.17')]).toEqual([
      undefined,
      undefined,
      'caCerts',
    ]);
  });

  it('preserve bit 26 of PKIFailureInfo', () => {
    const read = readPkiBody(parsePkiMessage(samples[10] ?? new Uint8Array()));
    expect(read).toMatchObject({ type: 'error', status: { failures: ['badAlg', 'duplicateCertReq'] }, errorCode: 7 });
    expect(PKI_FAILURES.indexOf('duplicateCertReq')).toBe(26);
  });

  it('expose their transaction ID even if their version is unknown', () => {
    const bytes = Uint8Array.from(samples[6] ?? []);
    bytes[openDer(bytes).next().content + 2] = 9; // The version is the first INTEGER of the header.
    const message = parsePkiMessage(bytes);
    expect(message.header).toMatchObject({ pvno: 9, transactionId: salt });
    expect(() => readPkiBody(message)).toThrow(expect.objectContaining({ code: 'unsupported-version' }));
    expect(replyFields(message.header)).toMatchObject({ transactionId: salt, recipientNonce: header.senderNonce });
  });

  it('are limited in size and in number of elements', () => {
    const sample = samples[0] ?? new Uint8Array();
    expect(() => parsePkiMessage(sample, { maxOctets: 100 })).toThrow(
      expect.objectContaining({ code: 'bound-exceeded' }),
    );
    const many = Array.from({ length: 65 }, () => 0);
    const message = parsePkiMessage(
      assemblePkiMessage(buildProtectedPart(header, { type: 'pollReq', certReqIds: many })),
    );
    expect(() => readPkiBody(message)).toThrow(expect.objectContaining({ code: 'too-many-elements' }));
    expect(() => buildProtectedPart({ ...header, pvno: 4 }, { type: 'pkiconf' })).toThrow(/version 4/);
  });
});

describe('message protection', () => {
  const protect = async (algorithm: Uint8Array): Promise<Uint8Array> => {
    const part = buildProtectedPart({ ...header, protectionAlgorithm: { der: algorithm } }, { type: 'pkiconf' });
    return assemblePkiMessage(part, { protection: await macProtection(part, { ...mac, algorithm }) });
  };

  it('with PasswordBasedMac is the HMAC keyed with the iterated digest of secret and salt (RFC 4211 §4.4)', async () => {
    const algorithm = passwordBasedMacAlgorithm({ salt, iterations: 500, digest: 'sha384', hmacDigest: 'sha512' });
    let key = createHash('sha384').update(secret).update(salt).digest();
    for (let i = 1; i < 500; i++) key = createHash('sha384').update(key).digest();
    const message = parsePkiMessage(await protect(algorithm));
    expect(message.protection).toEqual(
      Uint8Array.from(createHmac('sha512', key).update(message.protectedPart).digest()),
    );
    expect(await verifyMacProtection(message, mac)).toBe(true);
    expect(await verifyMacProtection(message, { ...mac, secret: salt })).toBe(false);
    expect(verifySignatureProtection(message, { spki: device.keys.spki, verify })).toBe(false);
  });

  it('with PBMAC1 is the HMAC keyed with the output of PBKDF2 (RFC 8018)', async () => {
    const algorithm = pbmac1Algorithm({ salt, iterations: 1000, digest: 'sha512', hmacDigest: 'sha256' });
    const message = parsePkiMessage(await protect(algorithm));
    const key = pbkdf2Sync(secret, salt, 1000, 32, 'sha512');
    expect(message.protection).toEqual(
      Uint8Array.from(createHmac('sha256', key).update(message.protectedPart).digest()),
    );
    expect(protectionKind(message)).toBe('pbmac1');
    expect(await verifyMacProtection(message, mac)).toBe(true);
  });

  it('is rejected if it is truncated or modified anywhere', async () => {
    const bytes = await protect(passwordBasedMacAlgorithm({ salt, iterations: 100 }));
    const message = parsePkiMessage(bytes);
    const { protection = salt } = message;
    for (const changed of [protection.slice(1), concatBytes([protection, Uint8Array.of(0)]), new Uint8Array()])
      expect(await verifyMacProtection({ ...message, protection: changed }, mac)).toBe(false);
    for (const at of protection.keys())
      expect(
        await verifyMacProtection(
          { ...message, protection: protection.map((octet, i) => octet ^ (i === at ? 1 : 0)) },
          mac,
        ),
      ).toBe(false);
  });

  it.each([
    [passwordBasedMacAlgorithm({ salt, iterations: 100_001 }), {}],
    [passwordBasedMacAlgorithm({ salt, iterations: 2001 }), { maxIterations: 2000 }],
    [passwordBasedMacAlgorithm({ salt, iterations: 2 ** 31 }), {}],
    [pbmac1Algorithm({ salt, iterations: 1_000_001 }), {}],
    [pbmac1Algorithm({ salt, iterations: 600_000, hmacDigest: 'sha512' }), {}],
  ])('is rejected before any computation if it has too many iterations (%#)', async (algorithm, limits) => {
    const unexpectedCall = () => expect.unreachable();
    const functions = { hmac: unexpectedCall, repeatDigest: unexpectedCall, pbkdf2: unexpectedCall };
    await expect(
      passwordMac(parseAlgorithm(algorithm), { secret, data: salt, functions, limits }),
    ).rejects.toMatchObject({ code: 'bound-exceeded' });
  });

  it.each([
    ['DHBasedMac', MESSAGE_MACS.dhBasedMac],
    ['KEM', MESSAGE_MACS.kemBasedMac],
    ['1.2.3', '1.2.3'],
  ])('is rejected if it uses %s, which the error names', async (word, oid) => {
    const algorithm = parseAlgorithm(encodeDer(sequence([oidPart(oid), sequence([octetStringPart(salt)])])));
    await expect(passwordMac(algorithm, { ...mac, data: salt })).rejects.toMatchObject({
      code: 'unsupported-algorithm',
      message: expect.stringContaining(word),
    });
  });

  it('requires both the algorithm and the value', () => {
    const part = buildProtectedPart(header, { type: 'pkiconf' });
    expect(protectionKind(parsePkiMessage(assemblePkiMessage(part)))).toBe('none');
    const half = parsePkiMessage(assemblePkiMessage(part, { protection: salt }));
    expect(() => protectionKind(half)).toThrow(expect.objectContaining({ code: 'bad-value' }));
  });

  it("with a signature includes the sender's certificate", () => {
    const message = parsePkiMessage(samples[0] ?? new Uint8Array());
    expect(protectionCertificate(message)?.der).toEqual(device.certificate.der);
    expect(protectionCertificate({ ...message, extraCerts: [root.certificate.der] })).toBeUndefined();
    expect(protectionCertificate({ ...message, header: { ...message.header, senderKid: salt } })).toBeUndefined();
  });

  it('with a signature is rejected if its digest is broken, which the error names', async () => {
    const signer = await issue({ subject: 'CN=signer', spec: 'RSA-2048', algorithm: 'SHA1withRSA' });
    const part = buildProtectedPart({ ...header, protectionAlgorithm: signer.algorithm }, { type: 'pkiconf' });
    const message = parsePkiMessage(assemblePkiMessage(part, { protection: signer.sign(part).signature }));
    expect(() => verifySignatureProtection(message, { spki: signer.keys.spki, verify })).toThrow(/SHA1withRSA/);
  });

  it.each(['RSA-2048', 'P-384', 'Ed25519', 'Ed448', 'ML-DSA-65'] as const)(
    'with a signature verifies with a %s key',
    async (spec) => {
      const signer = await issue({ subject: 'CN=signer', spec });
      const part = buildProtectedPart({ ...header, protectionAlgorithm: signer.algorithm }, { type: 'pkiconf' });
      const message = parsePkiMessage(assemblePkiMessage(part, { protection: signer.sign(part).signature }));
      expect(verifySignatureProtection(message, { spki: signer.keys.spki, verify })).toBe(true);
      const changed = {
        ...message,
        protectedPart: message.protectedPart.map((octet, i) => (i === 40 ? octet ^ 1 : octet)),
      };
      expect(verifySignatureProtection(changed, { spki: signer.keys.spki, verify })).toBe(false);
    },
  );
});

describe('certificate templates', () => {
  it('round-trip', () => {
    const read = parseCertTemplate(template);
    expect(buildCertTemplate(read)).toEqual(template);
    expect(read).toMatchObject({ version: 2, validity: { notBeforeMs: NOW_MS }, publicKey: { family: 'ECDSA' } });
    for (const empty of [{}, { validity: {} }, { validity: { notAfterMs: NOW_MS } }, { subject: device.name }])
      expect(buildCertTemplate(parseCertTemplate(buildCertTemplate(empty)))).toEqual(buildCertTemplate(empty));
    expect(parseCertTemplate(buildCertTemplate({}))).toMatchObject({ subject: undefined, extensions: undefined });
  });

  it('can let the CA generate the key (RFC 9483 §4.1.6)', () => {
    const der = buildCertTemplate({ spki: keylessSpki({ der: encodeDer(sequence([oidPart(OID.rsaEncryption)])) }) });
    const read = parseCertTemplate(der);
    expect([read.publicKey, read.keyAlgorithm?.oid]).toEqual([undefined, OID.rsaEncryption]);
    expect(buildCertTemplate(read)).toEqual(der);
  });
});

describe('proof of possession', () => {
  const evaluate = async (changes: { proof?: Uint8Array; bare?: boolean }, options: object = {}) => {
    const { spki } = device.keys;
    const request = buildCertRequest({
      certReqId: 0,
      template: buildCertTemplate(changes.bare ? { spki } : { spki, subject: device.name }),
    });
    const proof = changes.proof ?? signatureProof(device.sign(request));
    const [message] = parseCertReqMessages(encodeDer(sequence([buildCertReqMsg({ request, proof })])));
    return message && (await verifyProofOfPossession(message, { verify, ...options }));
  };
  const withInput = (input: Uint8Array) => signatureProof({ ...device.sign(input), input });

  it('can be a signature over the request', async () => {
    expect(await evaluate({})).toEqual({ proven: true, spki: device.keys.spki });
    const forged = signatureProof(root.sign(salt));
    expect(await evaluate({ proof: forged })).toEqual({ proven: false, refusal: 'signature-invalid' });
  });

  it('can be a signature over input with an authenticated sender name', async () => {
    const sender = { kind: 'directoryName', name: device.name } as const;
    const proof = withInput(buildSigningKeyInput({ authInfo: { sender }, spki: device.keys.spki }));
    expect(await evaluate({ proof, bare: true }, { senderNames: [device.name] })).toMatchObject({ proven: true });
    for (const senderNames of [[], [root.name]])
      expect(await evaluate({ proof, bare: true }, { senderNames })).toMatchObject({
        refusal: 'sender-not-authenticated',
      });
    const other = withInput(buildSigningKeyInput({ authInfo: { sender }, spki: root.keys.spki }));
    expect(await evaluate({ proof: other }, { senderNames: [device.name] })).toMatchObject({ refusal: 'key-differs' });
  });

  it('can be a signature over input with a MAC of the key', async () => {
    const algorithm = passwordBasedMacAlgorithm({ salt, iterations: 100 });
    const { spki } = device.keys;
    const value = await passwordMac(parseAlgorithm(algorithm), { ...mac, data: spki });
    const proof = withInput(buildSigningKeyInput({ authInfo: { publicKeyMac: { algorithm, value } }, spki }));
    expect(await evaluate({ proof, bare: true }, { mac })).toMatchObject({ proven: true });
    expect(await evaluate({ proof, bare: true }, { mac: { ...mac, secret: salt } })).toMatchObject({
      refusal: 'mac-invalid',
    });
    expect(await evaluate({ proof, bare: true })).toMatchObject({ refusal: 'mac-invalid' });
  });

  it('is distinguished from the other kinds of proof', async () => {
    expect(await evaluate({ proof: RA_VERIFIED })).toMatchObject({ refusal: 'ra-verified' });
    for (const message of ['encrCert', 'challengeResp'] as const)
      for (const kind of ['keyEncipherment', 'keyAgreement'] as const) {
        const proof = subsequentMessageProof(kind, message);
        expect(await evaluate({ proof })).toMatchObject({ refusal: 'needs-dialogue' });
        const der = sequence([buildCertReqMsg({ request: buildCertRequest({ certReqId: 0, template }), proof })]);
        expect(parseCertReqMessages(encodeDer(der))[0]?.proof).toMatchObject({ kind, subsequentMessage: message });
      }
  });
});

describe('the confirmation hash', () => {
  it.each([
    ['P-384', 'sha384', 48],
    ['Ed25519', 'sha512', 64],
    ['Ed448', 'shake256', 64],
  ] as const)('of a certificate signed with %s is %s', async (spec, name, outputLength) => {
    const { certificate } = await issue({ subject: 'CN=x', spec });
    const options = name === 'shake256' ? { outputLength } : {};
    const expected = createHash(name, options).update(certificate.der).digest();
    expect(certificateHash(certificate, { digest, shake256 })).toEqual(Uint8Array.from(expected));
  });

  it('of a certificate signed with ML-DSA requires a digest that is specified in the confirmation', async () => {
    const { certificate } = await issue({ subject: 'CN=x', spec: 'ML-DSA-44' });
    expect(() => certificateHash(certificate, { digest, shake256 })).toThrow(
      /with ML-DSA-44 must specify a hash algorithm/,
    );
    const { certHash, hashAlgorithm } = confirmationHash(certificate, { digest, shake256 });
    const confirmation = {
      certHash,
      certReqId: 0,
      status: undefined,
      hashAlgorithm: hashAlgorithm && parseAlgorithm(hashAlgorithm.der),
    };
    expect(confirmsCertificate(confirmation, { certificate, digest, shake256 })).toBe(true);
    const weak = { ...confirmation, hashAlgorithm: { oid: OID.sha1, der: salt } };
    expect(() => confirmsCertificate(weak, { certificate, digest, shake256 })).toThrow(/not accepted/);
  });
});

describe('hostile bytes', () => {
  const readAll = (bytes: Uint8Array): void => {
    const message = parsePkiMessage(bytes);
    protectionKind(message);
    protectionCertificate(message);
    const { generalInfo } = message.header;
    infoValue(generalInfo, 'confirmWaitTime');
    const body = readPkiBody(message);
    const list = body.type === 'genp' ? body.infos : [];
    for (const { type } of list) {
      const name = infoName(type);
      if (name !== undefined) infoValue(list, name);
    }
    if ('requests' in body) for (const { request } of body.requests) controlValue(request.controls, 'oldCertID');
    verifySignatureProtection(message, { spki: device.keys.spki, verify: () => false });
  };

  it('truncated anywhere are rejected with our own errors', () => {
    for (const sample of samples)
      for (let length = 0; length < sample.length; length++) {
        const cut = sample.subarray(0, length);
        expect(() => readAll(cut)).toThrow(PkiError);
      }
  });

  it('modified anywhere are parsed or rejected with our own errors', () => {
    const random = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(fc.oneof({ weight: 5, arbitrary: mutations(samples) }, { weight: 1, arbitrary: random }), (bytes) =>
        expectOwnErrors(() => readAll(bytes)),
      ),
      { numRuns: 3000 },
    );
  });

  it('as MAC parameters are rejected with our own errors', async () => {
    const algorithms = [
      passwordBasedMacAlgorithm({ salt, iterations: 100 }),
      pbmac1Algorithm({ salt, iterations: 100 }),
    ];
    await fc.assert(
      fc.asyncProperty(mutations(algorithms), async (bytes) => {
        const limits = { maxIterations: 200 };
        const attempt = async () => passwordMac(parseAlgorithm(bytes), { ...mac, data: salt, limits });
        const error = await attempt().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expectOwnErrors(() => {
          if (error !== undefined) throw error;
        });
      }),
      { numRuns: 500 },
    );
  });

  it('result in the appropriate PKIFailureInfo bit', () => {
    const failure = (run: () => unknown): string => {
      try {
        run();
      } catch (error) {
        return failureOfError(error);
      }
      return 'none';
    };
    expect(failure(() => parsePkiMessage(Uint8Array.of(0x30)))).toBe('badDataFormat');
    expect(failure(() => parsePkiMessage(new Uint8Array(200), { maxOctets: 100 }))).toBe('badRequest');
    expect(failure(() => signatureAlgorithm('x'))).toBe('badAlg');
    expect(failure(() => readMembers(parseDer(Uint8Array.of(0x30, 2, 5, 0)), { max: 0, read: () => 0 }))).toBe(
      'badRequest',
    );
    expect(failureOfError(new Error('x'))).toBe('systemFailure');
  });
});
