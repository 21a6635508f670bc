import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  assembleSignedData,
  attributeValue,
  buildContentInfo,
  buildSignedAttributes,
  findSignerCertificate,
  issuerAndSerialOf,
  keyIdentifierOf,
  OID,
  openContentInfo,
  parseSignedData,
  readPkcs7,
  signatureAlgorithm,
  subjectKeyIdentifierExtension,
  keyIdentifier,
  parsePublicKey,
  verifySigner,
  type Attribute,
  type CertificateIdentifier,
  type SignedData,
  type SignerVerdict,
  type SignerVerification,
} from '../index.ts';
import {
  encodeDer,
  integerPart,
  octetStringPart,
  oidPart,
  printableStringPart,
  sequence,
  setOf,
} from '../der/writer.ts';
import { exportPrivateKeyPem, nodeCrypto, type KeySpec } from '../node/index.ts';
import { contentBytes, elementBytes, parseDer, readChildren, type DerElement } from '../der/reader.ts';
import { expectOwnErrors, mutations } from '../testing/arbitraries.ts';
import { HAS_OPENSSL, OPENSSL_NOTE, opensslFolder, type OpensslRun } from '../testing/openssl.ts';
import { issue, NOW_MS, testKeys, type TestEntity } from '../testing/authority.ts';
import { writePem } from '../pem.ts';

const { verify, digest } = nodeCrypto;
const CONTENT = new TextEncoder().encode('content of a message\r\n');
/** SCEP messageType (RFC 8894 §3.2.1). */
const MESSAGE_TYPE = '2.16.840.1.113733.1.9.2';

async function signer(spec: KeySpec, algorithm?: string): Promise<TestEntity> {
  const keys = await testKeys(spec);
  const keyId = keyIdentifier(parsePublicKey(keys.spki), digest);
  const extensions = [subjectKeyIdentifierExtension(keyId)];
  return await issue({ subject: `CN=${spec},O=Müller`, keys, extensions, ...(algorithm && { algorithm }) });
}

interface SignSpec {
  readonly identifier?: CertificateIdentifier;
  readonly attributes?: readonly Attribute[] | 'none';
  readonly contentType?: string;
  readonly isDetached?: boolean;
  readonly content?: Uint8Array;
}

function sign(by: TestEntity, wishes: SignSpec = {}): Uint8Array {
  const { identifier = issuerAndSerialOf(by.certificate), attributes = [], contentType, content = CONTENT } = wishes;
  const type = contentType === undefined ? {} : { contentType };
  const { algorithm } = by;
  const signedAttributes =
    attributes === 'none'
      ? undefined
      : buildSignedAttributes({ content, ...type, algorithm, digest, signingTimeMs: NOW_MS, attributes });
  const { signature } = by.sign(signedAttributes ?? content);
  const signedData = assembleSignedData({
    ...type,
    ...(wishes.isDetached ? {} : { content }),
    certificates: [by.certificate.der],
    signers: [{ identifier, algorithm, signature, ...(signedAttributes && { signedAttributes }) }],
  });
  return buildContentInfo({ contentType: OID.pkcs7SignedData, content: signedData });
}

const read = (message: Uint8Array): SignedData => parseSignedData(openContentInfo(message, OID.pkcs7SignedData));

function evaluate(signedData: SignedData, options: Partial<SignerVerification> = {}): SignerVerdict {
  const [first] = signedData.signers;
  if (first === undefined) return { valid: false, refusal: 'signature-invalid' };
  const certificate = options.certificate ?? findSignerCertificate(signedData, first, digest)!;
  return verifySigner(signedData, first, { verify, digest, ...options, certificate });
}

/** Signed data with the changes in `edit`, to test the verifier. */
const alter = (signedData: SignedData, edit: Partial<SignedData['signers'][number]>): SignedData => ({
  ...signedData,
  signers: [{ ...signedData.signers[0]!, ...edit }],
});

const KINDS: readonly (readonly [KeySpec, string | undefined])[] = [
  ['RSA-2048', undefined],
  ['RSA-2048', 'SHA512withRSA'],
  ['RSA-2048', 'SHA256withRSAandMGF1'],
  ['P-256', undefined],
  ['P-384', undefined],
  ['P-521', undefined],
  ['Ed25519', undefined],
  ['Ed448', undefined],
  ['ML-DSA-65', undefined],
];

describe('signed data', () => {
  it.each(KINDS)('with %s %s round-trips and verifies', async (spec, algorithm) => {
    const by = await signer(spec, algorithm);
    const verdict = evaluate(read(sign(by)));
    expect(verdict).toMatchObject({ valid: true, algorithm: { name: by.algorithm.name } });
    expect(verdict.valid && verdict.content).toEqual(CONTENT);
    const damaged = read(sign(by, { content: Uint8Array.of(1) }));
    expect(evaluate({ ...damaged, content: CONTENT })).toEqual({ valid: false, refusal: 'content-differs' });
    const signature = Uint8Array.from(damaged.signers[0]!.signature);
    signature[signature.length >> 1]! ^= 1;
    expect(evaluate(alter(damaged, { signature }))).toEqual({ valid: false, refusal: 'signature-invalid' });
  });

  it('preserves attributes, and returns them by type', async () => {
    const value = encodeDer(printableStringPart('19'));
    const message = read(sign(await signer('P-256'), { attributes: [{ type: MESSAGE_TYPE, values: [value] }] }));
    const { signedAttributes } = message.signers[0]!;
    expect(attributeValue(signedAttributes, MESSAGE_TYPE)).toEqual(value);
    expect(attributeValue(signedAttributes, '1.2.3')).toBeUndefined();
    expect(evaluate(message).valid).toBe(true);
  });

  it('can have multiple signers, certificates and CRLs, and a custom content type', async () => {
    const [first, second] = [await signer('P-256'), await signer('RSA-2048')];
    const signers = [first, second].map((by) => {
      const signedAttributes = buildSignedAttributes({
        content: CONTENT,
        contentType: OID.asymmetricKeyPackage,
        algorithm: by.algorithm,
        digest,
      });
      const identifier = keyIdentifierOf(by.certificate, digest);
      return { identifier, signedAttributes, ...by.sign(signedAttributes) };
    });
    const crl = encodeDer(sequence([integerPart(1)]));
    const certificates = [second.certificate.der, first.certificate.der];
    const input = { contentType: OID.asymmetricKeyPackage, content: CONTENT, certificates, crls: [crl], signers };
    const message = parseSignedData(assembleSignedData(input));
    expect(message.certificates).toEqual(certificates);
    expect(message.crls).toEqual([crl]);
    for (const [at, by] of [first, second].entries()) {
      const info = message.signers.find(({ signature }) => signature.length === signers[at]!.signature.length)!;
      expect(findSignerCertificate(message, info, digest)?.der).toEqual(by.certificate.der);
      expect(verifySigner(message, info, { certificate: by.certificate, verify, digest }).valid).toBe(true);
    }
  });

  it("finds the signer's certificate even if its name uses a different string type", async () => {
    const by = await signer('P-256');
    const { serialBytes } = by.certificate;
    const utf8 = by.certificate.issuerDer.toHex();
    const printable = Uint8Array.fromHex(utf8.replace('0c05502d323536', '1305502d323536'));
    expect(printable.toHex()).not.toBe(utf8);
    const message = read(sign(by, { identifier: { kind: 'issuerAndSerial', issuer: printable, serialBytes } }));
    expect(evaluate(message).valid).toBe(true);
  });

  it('verifies attributes in DER order, regardless of their transmitted order', async () => {
    const by = await signer('P-256');
    const signedData = openContentInfo(sign(by), OID.pkcs7SignedData).toHex();
    const { der } = parseSignedData(Uint8Array.fromHex(signedData)).signers[0]!.signedAttributes!;
    const [first = '', ...others] = parseSet(der);
    const wire = signedData.replace(der.subarray(2).toHex(), [...others, first].join(''));
    expect(wire).not.toBe(signedData);
    expect(evaluate(parseSignedData(Uint8Array.fromHex(wire))).valid).toBe(true);
  });
});

/** Members of a short SET, in hex. */
function parseSet(der: Uint8Array): string[] {
  const members: string[] = [];
  for (let at = 2; at < der.length; at += 2 + der[at + 1]!)
    members.push(der.subarray(at, at + 2 + der[at + 1]!).toHex());
  return members;
}

describe('a signature is rejected', () => {
  let by: TestEntity;
  beforeAll(async () => {
    by = await signer('RSA-2048');
  });
  const rejectionOf = (signedData: SignedData, options: Partial<SignerVerification> = {}): string => {
    const verdict = evaluate(signedData, options);
    return verdict.valid ? 'accepted' : verdict.refusal;
  };

  it("by a different certificate's key", async () => {
    const { certificate } = await signer('P-256');
    expect(rejectionOf(read(sign(by)), { certificate })).toBe('other-certificate');
  });

  it('with SHA-1 unless it is allowed, and with MD5 always', async () => {
    const sha1 = await signer('RSA-2048', 'SHA1withRSA');
    expect(rejectionOf(read(sign(sha1)))).toBe('weak-digest');
    expect(rejectionOf(read(sign(sha1)), { allowsSha1: true })).toBe('accepted');
    const md5 = await signer('RSA-2048', 'MD5withRSA');
    expect(rejectionOf(read(sign(md5)), { allowsSha1: true })).toBe('weak-digest');
  });

  it('if its digest does not match its signature algorithm', () => {
    const message = read(sign(by));
    const { der, oid } = signatureAlgorithm('SHA512withRSA');
    expect(rejectionOf(alter(message, { signatureAlgorithm: { oid, der } }))).toBe('algorithm-mismatch');
  });

  it('if its algorithm does not match the key or is unknown', () => {
    const message = read(sign(by));
    const { der, oid } = signatureAlgorithm('SHA256withECDSA');
    expect(rejectionOf(alter(message, { signatureAlgorithm: { oid, der } }))).toBe('algorithm-mismatch');
    expect(rejectionOf(alter(message, { signatureAlgorithm: { oid: '1.2.3', der } }))).toBe('unsupported-algorithm');
    expect(rejectionOf(alter(message, { digestName: undefined }))).toBe('unsupported-algorithm');
  });

  it('if the content is missing or different', () => {
    const detached = read(sign(by, { isDetached: true }));
    expect(rejectionOf(detached)).toBe('content-missing');
    expect(rejectionOf(detached, { detachedContent: CONTENT })).toBe('accepted');
    expect(rejectionOf(detached, { detachedContent: Uint8Array.of(1) })).toBe('content-differs');
    expect(rejectionOf(read(sign(by)), { detachedContent: Uint8Array.of(1) })).toBe('content-differs');
  });

  it('if the content type is different', () => {
    const message = read(sign(by, { contentType: OID.asymmetricKeyPackage }));
    expect(rejectionOf(message)).toBe('accepted');
    expect(rejectionOf({ ...message, contentType: OID.pkcs7Data })).toBe('content-type-differs');
  });

  it('without attributes unless this is allowed, and always if its content could be mistaken for signed attributes', () => {
    expect(rejectionOf(read(sign(by, { attributes: 'none' })))).toBe('attributes-missing');
    expect(rejectionOf(read(sign(by, { attributes: 'none' })), { allowsNoAttributes: true })).toBe('accepted');
    const message = read(sign(by));
    const forged = alter(message, { signedAttributes: undefined });
    const content = message.signers[0]!.signedAttributes!.der;
    expect(rejectionOf({ ...forged, content }, { allowsNoAttributes: true })).toBe('attributes-missing');
    expect(() => sign(by, { attributes: 'none', contentType: '1.2.3' })).toThrow('must be signed with attributes.');
  });

  it('if a required attribute is missing or duplicated', () => {
    const message = read(sign(by));
    const { list } = message.signers[0]!.signedAttributes!;
    const withAttributes = (changed: readonly Attribute[]): SignedData =>
      alter(message, { signedAttributes: { der: encodeDer(setOf([])), list: changed } });
    for (const type of [OID.contentType, OID.messageDigest]) {
      expect(rejectionOf(withAttributes(list.filter((each) => each.type !== type)))).toBe('attributes-missing');
      const doubled = list.map((each) =>
        each.type === type ? { type, values: [...each.values, ...each.values] } : each,
      );
      expect(rejectionOf(withAttributes(doubled))).toBe('attributes-missing');
    }
    expect(() => sign(by, { attributes: [{ type: OID.contentType, values: [] }] })).toThrow('must be unique');
  });
});

describe(`signed data exchanged with openssl${OPENSSL_NOTE}`, () => {
  let openssl: OpensslRun;
  beforeAll(() => {
    openssl = opensslFolder();
  });
  afterAll(() => openssl.remove());

  const readOutput = (name: string): Uint8Array => readFileSync(join(openssl.folder, name));

  async function writeFiles(by: TestEntity): Promise<void> {
    openssl.write('key.pem', await exportPrivateKeyPem(by.keys.privateKey));
    openssl.write('certificate.pem', writePem('CERTIFICATE', by.certificate.der));
    openssl.write('content', CONTENT);
  }

  const OPENSSL_KINDS = KINDS.filter(([spec]) => !/^(?:ML|Ed)/.test(spec));

  it.skipIf(!HAS_OPENSSL).each(OPENSSL_KINDS)('is verified by openssl with %s %s', async (spec, algorithm) => {
    const by = await signer(spec, algorithm);
    await writeFiles(by);
    for (const identifier of [issuerAndSerialOf(by.certificate), keyIdentifierOf(by.certificate, digest)]) {
      openssl.write('message', sign(by, { identifier }));
      openssl.run('cms', '-verify', '-inform', 'DER', '-in', 'message', '-noverify', '-binary', '-out', 'read');
      expect(readOutput('read')).toEqual(Buffer.from(CONTENT));
    }
    openssl.write('message', sign(by, { isDetached: true }));
    openssl.run(...'cms -verify -inform DER -in message -content content -noverify -binary -out read'.split(' '));
  });

  const SIGN = 'cms -sign -binary -outform DER -in content -signer certificate.pem -inkey key.pem -out message'.split(
    ' ',
  );

  it.skipIf(!HAS_OPENSSL).each(OPENSSL_KINDS)('is verified here with %s %s', async (spec, algorithm) => {
    const by = await signer(spec, algorithm);
    await writeFiles(by);
    const isPss = algorithm?.endsWith('MGF1') ?? false;
    const padding = isPss ? ['-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_pss_saltlen:digest'] : [];
    const md = ['-md', by.algorithm.digest ?? 'sha512', ...padding];
    openssl.run(...SIGN, ...md, '-nodetach');
    expect(evaluate(read(readOutput('message')))).toMatchObject({
      valid: true,
      algorithm: { name: by.algorithm.name },
    });
    openssl.run(...SIGN, ...md, '-nodetach', '-keyid');
    expect(evaluate(read(readOutput('message'))).valid).toBe(true);
    openssl.run(...SIGN, ...md);
    expect(evaluate(read(readOutput('message')), { detachedContent: CONTENT }).valid).toBe(true);
    openssl.run(...SIGN, ...md, '-nodetach', '-noattr');
    expect(evaluate(read(readOutput('message')), { allowsNoAttributes: true }).valid).toBe(true);
  });

  it.skipIf(!HAS_OPENSSL).each([['cms'], ['smime']])(
    'can be verified if OpenSSL %s streamed it as BER, with octet strings in segments',
    async (tool) => {
      const by = await signer('RSA-2048');
      await writeFiles(by);
      const content = new Uint8Array(20_000).map((_, at) => at);
      openssl.write('content', content);
      openssl.run(tool, ...SIGN.slice(1), '-nodetach', '-indef');
      expect(readOutput('message')[1]).toBe(0x80);
      const verdict = evaluate(read(readOutput('message')));
      expect(verdict.valid && verdict.content).toEqual(content);
    },
  );

  it.skipIf(!HAS_OPENSSL)('can contain only certificates, even in BER', async () => {
    const by = await signer('P-256');
    await writeFiles(by);
    openssl.run(...'crl2pkcs7 -nocrl -certfile certificate.pem -outform DER -out message'.split(' '));
    expect(readPkcs7(readOutput('message')).map((der) => der.toHex())).toEqual([by.certificate.der.toHex()]);
    openssl.write('message', sign(by));
    expect(openssl.run(...'pkcs7 -inform DER -in message -print_certs -noout'.split(' '))).toContain('CN = P-256');
  });
});

/** Re-encodes an element with indefinite lengths, and octet strings in two segments. */
function asBer(element: DerElement): Uint8Array {
  const wrap = (tag: number, parts: readonly Uint8Array[]): Uint8Array =>
    Uint8Array.from([tag, 0x80, ...parts.flatMap((part) => [...part]), 0, 0]);
  if (element.tag === 0x04) {
    const octets = contentBytes(element);
    const pieces = [octets.subarray(0, 3), octets.subarray(3)];
    return wrap(
      0x24,
      pieces.map((piece) => encodeDer(octetStringPart(piece))),
    );
  }
  return element.tag & 0x20 ? wrap(element.tag, readChildren(element).map(asBer)) : elementBytes(element);
}

describe('hostile signed data', () => {
  it('causes only our own errors for every truncation and mutation, and never verifies different content', async () => {
    const by = await signer('P-256');
    const value = encodeDer(octetStringPart(Uint8Array.of(1, 2)));
    const message = sign(by, { attributes: [{ type: MESSAGE_TYPE, values: [value] }] });
    for (let length = 0; length < message.length; length++)
      expect(() => read(message.subarray(0, length))).toThrow('(byte ');
    fc.assert(
      fc.property(mutations([message, openContentInfo(message, OID.pkcs7SignedData)]), (bytes) => {
        expectOwnErrors(() => {
          const signedData = bytes[4] === 6 ? read(bytes) : parseSignedData(bytes);
          for (const info of signedData.signers) {
            findSignerCertificate(signedData, info, digest);
            attributeValue(info.signedAttributes, MESSAGE_TYPE);
            const verdict = verifySigner(signedData, info, { certificate: by.certificate, verify, digest });
            if (verdict.valid) expect(verdict.content).toEqual(CONTENT);
          }
        });
      }),
      { numRuns: 1500 },
    );
  });

  it('in BER is accepted only if it is complete, and causes only our own errors for mutations', async () => {
    const by = await signer('P-256');
    const signedAttributes = buildSignedAttributes({ content: CONTENT, algorithm: by.algorithm, digest });
    const identifier = issuerAndSerialOf(by.certificate);
    const signers = [{ identifier, signedAttributes, ...by.sign(signedAttributes) }];
    const content = assembleSignedData({ content: CONTENT, signers });
    const message = asBer(parseDer(buildContentInfo({ contentType: OID.pkcs7SignedData, content })));
    expect(evaluate(read(message), { certificate: by.certificate })).toMatchObject({ valid: true, content: CONTENT });
    for (let length = 0; length < message.length; length++)
      expect(() => read(message.subarray(0, length))).toThrow('The encoding is malformed:');
    fc.assert(
      fc.property(mutations([message]), (bytes) => {
        expectOwnErrors(() => {
          const verdict = evaluate(read(bytes), { certificate: by.certificate });
          if (verdict.valid) expect(verdict.content).toEqual(CONTENT);
        });
      }),
      { numRuns: 1500 },
    );
  });

  it('is limited in the number of its elements', () => {
    const withDigests = (count: number): Uint8Array =>
      encodeDer(
        sequence([
          integerPart(1),
          setOf(Array.from({ length: count }, (_, at) => sequence([oidPart(`1.2.${at}`)]))),
          sequence([oidPart(OID.pkcs7Data)]),
          setOf([]),
        ]),
      );
    expect(parseSignedData(withDigests(32)).signers).toEqual([]);
    expect(() => parseSignedData(withDigests(33))).toThrow('too many elements');
  });
});
