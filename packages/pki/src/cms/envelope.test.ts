import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  assembleCertificate,
  assembleSignedData,
  buildAsymmetricKeyPackage,
  buildSignedAttributes,
  buildContentInfo,
  buildTbsCertificate,
  generateSerialNumber,
  isPkiError,
  issuerAndSerialOf,
  keyIdentifier,
  OID,
  openContentInfo,
  openEnvelope,
  parseAsymmetricKeyPackage,
  parseAuthEnvelopedData,
  parseCertificate,
  parseEnvelopedData,
  parseOneAsymmetricKey,
  parsePublicKey,
  parseSignedData,
  sealAuthenticatedEnvelope,
  sealEnvelope,
  subjectKeyIdentifierExtension,
  verifySigner,
  type CbcCipherName,
  type Certificate,
  type EnvelopedData,
  type EnvelopeOpener,
  type GcmCipherName,
  type KeyTransport,
  type NewRecipient,
} from '../index.ts';
import { deriveWrappingKey, unwrapWithPassword, wrapWithPassword } from './key-encryption.ts';
import { encodeDer, explicitPart, integerPart, octetStringPart, oidPart, sequence } from '../der/writer.ts';
import {
  exportPrivateKey,
  exportPrivateKeyPem,
  exportPublicKey,
  nodeCmsCrypto,
  nodeCrypto,
  recipientKeyOf,
} from '../node/index.ts';
import { HAS_OPENSSL, OPENSSL_NOTE, opensslFolder, type OpensslRun } from '../testing/openssl.ts';
import { issue, NOW_MS, DAY_MS, testKeys, type TestEntity } from '../testing/authority.ts';
import { mutations } from '../testing/arbitraries.ts';
import { writePem } from '../pem.ts';
import type { KeyObject } from 'node:crypto';

const CONTENT = new TextEncoder().encode('a private key');
const PKCS1: KeyTransport = { kind: 'rsa-pkcs1' };
const oaep = (digest: 'sha1' | 'sha256' | 'sha512'): KeyTransport => ({
  kind: 'rsa-oaep',
  digest,
  label: new Uint8Array(),
});
const CBC: readonly CbcCipherName[] = ['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc', 'des-ede3-cbc'];
const GCM: readonly GcmCipherName[] = ['aes-128-gcm', 'aes-192-gcm', 'aes-256-gcm'];

interface Holder {
  readonly certificate: Certificate;
  readonly privateKey: KeyObject;
}

let issuer: TestEntity;
const holders = new Map<string, Promise<Holder>>();

/** Certificate for encryption, one per key type. */
function holder(type: string): Promise<Holder> {
  const known = holders.get(type) ?? createHolder(type);
  holders.set(type, known);
  return known;
}

async function createHolder(type: string): Promise<Holder> {
  const privateKey =
    type === 'RSA'
      ? (await testKeys('RSA-2048')).privateKey
      : type === 'X25519'
        ? generateKeyPairSync('x25519').privateKey
        : generateKeyPairSync('ec', { namedCurve: type }).privateKey;
  const spki = exportPublicKey(privateKey);
  const tbs = buildTbsCertificate({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: issuer.algorithm,
    issuer: issuer.name,
    subject: issuer.name,
    notBeforeMs: NOW_MS - DAY_MS,
    notAfterMs: NOW_MS + DAY_MS,
    spki,
    extensions: [subjectKeyIdentifierExtension(keyIdentifier(parsePublicKey(spki), nodeCrypto.digest))],
  });
  return { certificate: parseCertificate(assembleCertificate(tbs, issuer.sign(tbs))), privateKey };
}

beforeAll(async () => {
  issuer = await issue({ subject: 'CN=Issuer' });
});

const openerOf = ({ certificate, privateKey }: Holder): EnvelopeOpener => ({
  certificate,
  key: recipientKeyOf(privateKey),
});

const open = (envelope: EnvelopedData, opener: EnvelopeOpener): Promise<Uint8Array> =>
  openEnvelope(envelope, opener, nodeCmsCrypto);

async function seal(
  recipients: readonly NewRecipient[],
  cipher: CbcCipherName = 'aes-256-cbc',
): Promise<EnvelopedData> {
  return parseEnvelopedData(await sealEnvelope({ content: CONTENT, recipients, cipher }, nodeCmsCrypto));
}

/** Returns the code and message of an error. */
async function rejectionOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (isPkiError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

/**
 * If the key cannot be decrypted, a random key is used for the content, so that the two failures are indistinguishable:
 * one in 256 such keys yields valid padding and meaningless bytes.
 */
async function expectUnreadable(opened: Promise<Uint8Array>): Promise<void> {
  const outcome = await Promise.allSettled([opened]).then(([each]) => each);
  if (outcome.status === 'fulfilled') expect(outcome.value).not.toEqual(CONTENT);
  else expect(await rejectionOf(Promise.reject(outcome.reason))).toBe(CANNOT);
}

const CANNOT = 'cannot-decrypt: Cannot decrypt the content with this key.';

describe('enveloped data', () => {
  it.each(['RSA', 'P-256', 'P-384', 'P-521', 'X25519'])(
    'is opened with the %s key it was encrypted for',
    async (type) => {
      const mine = await holder(type);
      for (const cipher of CBC)
        expect(await open(await seal([{ certificate: mine.certificate }], cipher), openerOf(mine))).toEqual(CONTENT);
    },
  );

  it.each([PKCS1, oaep('sha1'), oaep('sha512')])('can be encrypted for an RSA key with %o', async (transport) => {
    const mine = await holder('RSA');
    const envelope = await seal([{ certificate: mine.certificate, transport }]);
    expect(await open(envelope, openerOf(mine))).toEqual(CONTENT);
  });

  it('preserves the RSAES-OAEP label', async () => {
    const mine = await holder('RSA');
    const transport: KeyTransport = { kind: 'rsa-oaep', digest: 'sha256', label: Uint8Array.of(7) };
    const envelope = await seal([{ certificate: mine.certificate, transport }]);
    expect(await open(envelope, openerOf(mine))).toEqual(CONTENT);
    const decrypt = async (asked: KeyTransport): Promise<undefined> => void expect(asked).toEqual(transport);
    await expectUnreadable(open(envelope, { ...mine, key: { decrypt } }));
  });

  it('can be opened by each recipient, by key identifier or by password', async () => {
    const [rsa, ec] = [await holder('RSA'), await holder('P-256')];
    const envelope = await seal([
      { certificate: rsa.certificate, identifiedBy: 'subjectKeyIdentifier' },
      { certificate: ec.certificate, identifiedBy: 'subjectKeyIdentifier' },
      { password: 'correct', iterations: 1000 },
    ]);
    for (const opener of [openerOf(rsa), openerOf(ec), { password: 'correct' }])
      expect(await open(envelope, opener)).toEqual(CONTENT);
    expect(await rejectionOf(open(envelope, openerOf(await holder('P-384'))))).toMatch(/^no-recipient: .*certificate/);
    const others = await seal([{ certificate: rsa.certificate }]);
    expect(await rejectionOf(open(others, { password: 'x' }))).toMatch(/^no-recipient: .*password/);
  });

  it.each(['aes-wrap', 'pwri-kek'] as const)('can be opened only with its password (%s)', async (wrap) => {
    const envelope = await seal([{ password: 'correct', iterations: 1000, wrap }]);
    expect(await open(envelope, { password: 'correct' })).toEqual(CONTENT);
    await expectUnreadable(open(envelope, { password: 'wrong' }));
  });

  it.each(GCM)('is authenticated with %s', async (cipher) => {
    const mine = await holder('P-256');
    const recipients = [{ certificate: mine.certificate }];
    const der = await sealAuthenticatedEnvelope({ content: CONTENT, recipients, cipher }, nodeCmsCrypto);
    const envelope = parseAuthEnvelopedData(der);
    expect(await open(envelope, openerOf(mine))).toEqual(CONTENT);
    for (const edit of [
      { encryptedContent: Uint8Array.of(...envelope.encryptedContent.with(0, 1 ^ envelope.encryptedContent[0]!)) },
      { authentication: { ...envelope.authentication!, attributes: Uint8Array.of(0x31, 0) } },
      { authentication: { ...envelope.authentication!, tag: envelope.authentication!.tag.subarray(4) } },
    ])
      expect(await rejectionOf(open({ ...envelope, ...edit }, openerOf(mine)))).toBe(CANNOT);
  });

  it('uses a remote key, and passes on the error if that key is unreachable', async () => {
    const mine = await holder('RSA');
    const envelope = await seal([{ certificate: mine.certificate, transport: PKCS1 }]);
    const decrypt = recipientKeyOf(mine.privateKey).decrypt!;
    const elsewhere = {
      decrypt: (...input: Parameters<typeof decrypt>) => Promise.resolve().then(() => decrypt(...input)),
    };
    expect(await open(envelope, { ...mine, key: elsewhere })).toEqual(CONTENT);
    const unreachable = { decrypt: () => Promise.reject(new Error('The token does not respond.')) };
    await expect(open(envelope, { ...mine, key: unreachable })).rejects.toThrow('does not respond');
    expect(await rejectionOf(open(envelope, { ...mine, key: {} }))).toMatch(/^bad-key/);
  });

  it('cannot be created without recipients or for a signing-only key', async () => {
    expect(await rejectionOf(seal([]))).toMatch(/^bad-argument/);
    expect(
      await rejectionOf(seal([{ certificate: (await issue({ subject: 'CN=x', spec: 'Ed25519' })).certificate }])),
    ).toBe('unsupported-algorithm: Cannot encrypt content with a key of type Ed25519.');
  });
});

describe('errors reveal nothing about keys or encrypted bytes', () => {
  it('for RSA, with any encrypted key and any decryption result', async () => {
    const mine = await holder('RSA');
    for (const transport of [PKCS1, oaep('sha256')]) {
      const envelope = await seal([{ certificate: mine.certificate, transport }], 'aes-128-cbc');
      const [recipient] = envelope.recipients;
      if (recipient?.kind !== 'keyTransport') throw new Error('The recipient is of another kind.');
      const { encryptedKey } = recipient;
      // The last byte is cut off, not the first: without a leading zero the key would be the same number.
      for (const octets of [
        encryptedKey.with(9, 1 ^ encryptedKey[9]!),
        encryptedKey.subarray(0, -1),
        new Uint8Array(),
      ]) {
        const recipients = [{ ...recipient, encryptedKey: octets }];
        await expectUnreadable(open({ ...envelope, recipients }, openerOf(mine)));
      }
      for (const answer of [undefined, new Uint8Array(), new Uint8Array(16), new Uint8Array(24)])
        await expectUnreadable(open(envelope, { ...mine, key: { decrypt: async () => answer } }));
    }
  });

  it('for key agreement', async () => {
    const mine = await holder('P-256');
    const envelope = await seal([{ certificate: mine.certificate }]);
    const [recipient] = envelope.recipients;
    if (recipient?.kind !== 'keyAgreement' || !recipient.originator)
      throw new Error('The recipient is of another kind.');
    const { originator, keys } = recipient;
    const other = parsePublicKey(exportPublicKey((await holder('P-384')).privateKey));
    for (const edit of [
      { originator: { ...originator, keyBytes: originator.keyBytes.with(9, 1 ^ originator.keyBytes[9]!) } },
      { originator: { ...originator, keyBytes: other.keyBytes } },
      { originator: { ...originator, algorithm: { ...originator.algorithm, oid: OID.x25519 } } },
      { userKeyingMaterial: Uint8Array.of(1) },
      { keys: keys.map((each) => ({ ...each, encryptedKey: each.encryptedKey.toReversed() })) },
      { keys: keys.map((each) => ({ ...each, encryptedKey: new Uint8Array() })) },
    ])
      await expectUnreadable(open({ ...envelope, recipients: [{ ...recipient, ...edit }] }, openerOf(mine)));
  });

  it('for low-order X25519 points', async () => {
    const mine = await holder('X25519');
    const envelope = await seal([{ certificate: mine.certificate }]);
    const [recipient] = envelope.recipients;
    if (recipient?.kind !== 'keyAgreement' || !recipient.originator)
      throw new Error('The recipient is of another kind.');
    const originator = { ...recipient.originator, keyBytes: new Uint8Array(32) };
    const recipients = [{ ...recipient, originator }];
    await expectUnreadable(open({ ...envelope, recipients }, openerOf(mine)));
  });

  it('for content padding', async () => {
    const mine = await holder('P-256');
    const envelope = await seal([{ certificate: mine.certificate }]);
    const { encryptedContent, algorithm } = envelope;
    expect(encryptedContent.length).toBe(16);
    // Changes to the initialization vector change the only block: 13 bytes of content and three bytes of padding.
    const iv = algorithm.parameters!;
    const outcomes: string[] = [];
    for (let change = 0; change < 256; change++) {
      const source = Uint8Array.from(iv.source);
      source[iv.end - 1]! ^= change;
      const changed = { ...algorithm, parameters: { ...iv, source } };
      const { length = 0 } = await open({ ...envelope, algorithm: changed }, openerOf(mine)).catch(
        () => new Uint8Array(),
      );
      if (length > 0) outcomes.push(`${change}: ${length}`);
    }
    expect(outcomes).toEqual(['0: 13', '2: 15']);
    for (const octets of [new Uint8Array(), encryptedContent.subarray(1)])
      expect(await rejectionOf(open({ ...envelope, encryptedContent: octets }, openerOf(mine)))).toBe(CANNOT);
  });
});

describe('unsupported algorithms are named in the error', () => {
  const withAlgorithm = (envelope: EnvelopedData, oid: string): EnvelopedData => ({
    ...envelope,
    algorithm: { ...envelope.algorithm, oid },
  });

  it.each([
    [OID.desCbc, 'The content is encrypted with single DES, which is broken. Use AES.'],
    [OID.rc2Cbc, 'The content is encrypted with RC2, which is broken. Use AES.'],
    ['1.2.3', 'The content is encrypted with 1.2.3. Use AES.'],
    [OID.aes256Gcm, `The content is encrypted with ${OID.aes256Gcm}. Use AES.`],
  ])('for content encryption %s', async (oid, message) => {
    const envelope = withAlgorithm(await seal([{ password: 'x', iterations: 1 }]), oid);
    expect(await rejectionOf(open(envelope, { password: 'x' }))).toBe(`unsupported-algorithm: ${message}`);
  });

  it('for too many iterations, before any computation', async () => {
    const envelope = await seal([{ password: 'x', iterations: 1 }]);
    const recipients = envelope.recipients.map((each) =>
      each.kind === 'password' ? { ...each, derivation: pbkdf2(2 ** 31) } : each,
    );
    expect(await rejectionOf(open({ ...envelope, recipients }, { password: 'x' }))).toMatch(/^bound-exceeded/);
  });

  function pbkdf2(iterations: number): EnvelopedData['algorithm'] {
    const der = encodeDer(
      sequence([oidPart(OID.pbkdf2), sequence([octetStringPart(new Uint8Array(8)), integerPart(iterations)])]),
    );
    const key = sequence([integerPart(0), der, octetStringPart(new Uint8Array())]);
    return parseOneAsymmetricKey(encodeDer(key)).algorithm;
  }
});

describe('published test vectors', () => {
  // RFC 3211 §3. The first cipher is single DES, equivalent to 3DES with three equal keys.
  it.each([
    [
      'd1daa78615f287e6'.repeat(3),
      'efe598ef21b33d6d',
      'c436f541',
      '8c627c897323a2f8',
      'b81b2565ee373ca6dedca26a178b0c10',
    ],
    [
      '6a8970bf68c92caea84a8df28510858607126380cc47ab2d',
      'baf1ca7931213c4e',
      'fa060a45',
      '8c637d887223a2f965b566eb014b0fa5d52300a3f7ea40fffc577203c71baf3b',
      'c03c514abdb9e2c5aac038572b5e24553876b377aafb82eca5a9d73f8ab143d9ec74e6cad7db260c',
    ],
  ])(
    'match password-based key wrapping of RFC 3211: %s',
    (...[kek = '', iv = '', random = '', secret = '', expected = '']) => {
      const wrappingKey = Uint8Array.fromHex(kek);
      const cipher = { name: 'des-ede3-cbc', keyLength: 24, blockLength: 8, iv: Uint8Array.fromHex(iv) } as const;
      const crypto = { ...nodeCmsCrypto, randomBytes: () => Uint8Array.fromHex(random) };
      const key = Uint8Array.fromHex(secret);
      const wrapped = wrapWithPassword(cipher, { wrappingKey, key }, crypto);
      expect(wrapped.toHex()).toBe(expected);
      expect(unwrapWithPassword(cipher, { wrappingKey, wrapped }, crypto)).toEqual(key);
      expect(unwrapWithPassword(cipher, { wrappingKey, wrapped: wrapped.toReversed() }, crypto)).toBeUndefined();
      expect(unwrapWithPassword(cipher, { wrappingKey, wrapped: wrapped.subarray(0, 12) }, crypto)).toBeUndefined();
    },
  );

  it('match the ANSI X9.63 key derivation for any length, with a counter per block', () => {
    const wrapDer = encodeDer(sequence([oidPart(OID.aes256Wrap)]));
    const secret = Uint8Array.of(1, 2, 3);
    const sharedInfo = encodeDer(sequence([wrapDer, explicitPart(2, octetStringPart(Uint8Array.of(0, 0, 1, 0)))]));
    const block = (counter: number): Uint8Array =>
      nodeCrypto.digest('sha1', Uint8Array.of(...secret, 0, 0, 0, counter, ...sharedInfo));
    const key = deriveWrappingKey({ secret, digestName: 'sha1', wrapDer, keyLength: 32 }, nodeCrypto.digest);
    expect(key).toEqual(Uint8Array.of(...block(1), ...block(2)).subarray(0, 32));
  });
});

describe(`enveloped data exchanged with openssl${OPENSSL_NOTE}`, () => {
  let openssl: OpensslRun;
  beforeAll(() => {
    openssl = opensslFolder();
    openssl.write('content', CONTENT);
  });
  afterAll(() => openssl.remove());

  const readOutput = (name: string): Buffer => readFileSync(join(openssl.folder, name));
  const run = (line: string, ...more: string[]): string => openssl.run(...line.split(' '), ...more);
  const parseOutput = (): EnvelopedData =>
    parseEnvelopedData(openContentInfo(readOutput('message'), OID.pkcs7EnvelopedData));

  async function writeFiles(type: string): Promise<Holder> {
    const mine = await holder(type);
    openssl.write('key.pem', await exportPrivateKeyPem(mine.privateKey));
    openssl.write('certificate.pem', writePem('CERTIFICATE', mine.certificate.der));
    return mine;
  }

  async function expectRead(recipient: NewRecipient, how: string, cipher?: CbcCipherName): Promise<void> {
    const content = await sealEnvelope(
      { content: CONTENT, recipients: [recipient], ...(cipher && { cipher }) },
      nodeCmsCrypto,
    );
    openssl.write('message', buildContentInfo({ contentType: OID.pkcs7EnvelopedData, content }));
    run(`cms -decrypt -inform DER -in message -binary -out read ${how}`);
    expect(readOutput('read')).toEqual(Buffer.from(CONTENT));
  }

  const TYPES = ['RSA', 'P-256', 'P-384', 'P-521'];
  const BY_CERTIFICATE = '-recip certificate.pem -inkey key.pem';

  it.skipIf(!HAS_OPENSSL).each(TYPES)('is opened by openssl for %s keys', async (type) => {
    const { certificate } = await writeFiles(type);
    for (const cipher of CBC) await expectRead({ certificate }, BY_CERTIFICATE, cipher);
    await expectRead({ certificate, identifiedBy: 'subjectKeyIdentifier' }, BY_CERTIFICATE);
  });

  it.skipIf(!HAS_OPENSSL)('is opened by openssl with PKCS #1 v1.5', async () => {
    const { certificate } = await writeFiles('RSA');
    await expectRead({ certificate, transport: PKCS1 }, BY_CERTIFICATE);
    await expectRead({ certificate, transport: oaep('sha1') }, BY_CERTIFICATE);
  });

  it.skipIf(!HAS_OPENSSL)('is opened by openssl with a password', async () => {
    await expectRead({ password: 'secret', wrap: 'pwri-kek', iterations: 1000 }, '-pwri_password secret');
  });

  const ENCRYPT = 'cms -encrypt -binary -outform DER -in content -out message';
  const PADDINGS = [
    '-recip certificate.pem',
    '-recip certificate.pem -keyid',
    '-recip certificate.pem -keyopt rsa_padding_mode:oaep',
    '-recip certificate.pem -keyopt rsa_padding_mode:oaep -keyopt rsa_oaep_md:sha256 -keyopt rsa_mgf1_md:sha256',
  ];

  it.skipIf(!HAS_OPENSSL).each(PADDINGS)('is opened here for RSA keys: %s', async (recipient) => {
    const mine = await writeFiles('RSA');
    for (const cipher of ['-aes128', '-aes192', '-aes256', '-des3']) {
      run(`${ENCRYPT} ${cipher} ${recipient}`);
      expect(await open(parseOutput(), openerOf(mine))).toEqual(CONTENT);
    }
  });

  it.skipIf(!HAS_OPENSSL).each(TYPES.slice(1))('is opened here for %s keys', async (type) => {
    const mine = await writeFiles(type);
    for (const options of [
      '',
      '-keyopt ecdh_kdf_md:sha256',
      '-keyopt ecdh_kdf_md:sha512 -keyopt ecdh_cofactor_mode:1',
    ]) {
      run(`${ENCRYPT} -aes256 -recip certificate.pem ${options}`.trim());
      expect(await open(parseOutput(), openerOf(mine))).toEqual(CONTENT);
    }
    run(`${ENCRYPT} -aes128 -aes128-wrap -keyid -recip certificate.pem`);
    expect(await open(parseOutput(), openerOf(mine))).toEqual(CONTENT);
  });

  it.skipIf(!HAS_OPENSSL)('is opened here with a password', async () => {
    for (const cipher of ['-aes128', '-aes256', '-des3']) {
      run(`${ENCRYPT} ${cipher} -pwri_password secret`);
      expect(await open(parseOutput(), { password: 'secret' })).toEqual(CONTENT);
      await expectUnreadable(open(parseOutput(), { password: 'Secret' }));
    }
  });

  it.skipIf(!HAS_OPENSSL)('is rejected if it uses single DES, unless this is allowed for old devices', async () => {
    const mine = await writeFiles('RSA');
    run(`${ENCRYPT} -des -recip certificate.pem -provider default -provider legacy`);
    expect(await rejectionOf(open(parseOutput(), openerOf(mine)))).toMatch(/^unsupported-algorithm: .* single DES/);
    expect(await open(parseOutput(), { ...openerOf(mine), allowsSingleDes: true })).toEqual(CONTENT);
    const how = '-recip certificate.pem -inkey key.pem -provider default -provider legacy';
    await expectRead({ certificate: mine.certificate }, how, 'des-cbc');
  });

  it.skipIf(!HAS_OPENSSL).each(['cms', 'smime'])(
    'can be opened if OpenSSL %s streamed it as BER, with content in segments',
    async (tool) => {
      const mine = await writeFiles('RSA');
      const content = new Uint8Array(20_000).map((_, at) => at);
      openssl.write('content', content);
      run(`${tool}${ENCRYPT.slice(3)} -aes256 -stream`, 'certificate.pem');
      openssl.write('content', CONTENT);
      expect(readOutput('message')[1]).toBe(0x80);
      expect(await open(parseOutput(), openerOf(mine))).toEqual(content);
    },
  );

  it.skipIf(!HAS_OPENSSL).each(GCM)('is opened with %s', async (cipher) => {
    const mine = await writeFiles('P-256');
    run(`${ENCRYPT} -${cipher} -recip certificate.pem`);
    const theirs = parseAuthEnvelopedData(openContentInfo(readOutput('message'), OID.authEnvelopedData));
    expect(await open(theirs, openerOf(mine))).toEqual(CONTENT);
    const recipients = [{ certificate: mine.certificate }];
    const ours = await sealAuthenticatedEnvelope({ content: CONTENT, recipients, cipher }, nodeCmsCrypto);
    openssl.write('message', buildContentInfo({ contentType: OID.authEnvelopedData, content: ours }));
    run(`cms -decrypt -inform DER -in message -binary -out read ${BY_CERTIFICATE}`);
    expect(readOutput('read')).toEqual(Buffer.from(CONTENT));
  });
});

describe('hostile enveloped data', () => {
  it('causes only our own errors for every truncation and mutation', async () => {
    const [rsa, ec] = [await holder('RSA'), await holder('P-256')];
    const recipients = [
      { certificate: ec.certificate },
      { certificate: rsa.certificate },
      { password: 'x', iterations: 2 },
    ];
    const plain = await sealEnvelope({ content: CONTENT, recipients }, nodeCmsCrypto);
    const authenticated = await sealAuthenticatedEnvelope({ content: CONTENT, recipients }, nodeCmsCrypto);
    const message = buildContentInfo({ contentType: OID.pkcs7EnvelopedData, content: plain });
    for (let length = 0; length < message.length; length++)
      expect(() => parseEnvelopedData(openContentInfo(message.subarray(0, length), OID.pkcs7EnvelopedData))).toThrow(
        '(byte ',
      );
    // Every code path of the opener except RSA private key operations, which take a millisecond.
    const openers = [
      { password: 'x' },
      openerOf(ec),
      { certificate: rsa.certificate, key: { decrypt: async () => undefined } },
    ];
    await fc.assert(
      fc.asyncProperty(mutations([plain, authenticated]), async (bytes) => {
        for (const parse of [parseEnvelopedData, parseAuthEnvelopedData])
          for (const opener of openers) await rejectionOf((async () => open(parse(bytes), opener))());
      }),
      { numRuns: 400 },
    );
  });
});

describe('key packages', () => {
  it('contain PKCS #8 keys', async () => {
    const ec = exportPrivateKey((await testKeys('P-256')).privateKey);
    const [first, second] = parseAsymmetricKeyPackage(buildAsymmetricKeyPackage([ec, ec]));
    expect(first).toMatchObject({ algorithm: { oid: OID.ecPublicKey }, attributes: [], publicKey: undefined });
    expect(second?.der).toEqual(ec);
    expect(createPrivateKey({ key: Buffer.from(first!.der), format: 'der', type: 'pkcs8' }).asymmetricKeyType).toBe(
      'ec',
    );
    expect(() => buildAsymmetricKeyPackage([])).toThrow('at least one key');
    expect(() => parseAsymmetricKeyPackage(Uint8Array.of(0x30, 0))).toThrow('at least one key');
    expect(() => parseAsymmetricKeyPackage(buildAsymmetricKeyPackage(Array.from({ length: 101 }, () => ec)))).toThrow(
      'too many elements',
    );
  });

  it('are signed and enveloped, as for server-side key generation in CMP and EST (RFC 9483 §4.1.6, RFC 7030 §4.4.2)', async () => {
    const pkcs8 = exportPrivateKey((await testKeys('P-256')).privateKey);
    const content = buildAsymmetricKeyPackage([pkcs8]);
    const contentType = OID.asymmetricKeyPackage;
    const { algorithm, certificate } = issuer;
    const signedAttributes = buildSignedAttributes({ content, contentType, algorithm, digest: nodeCrypto.digest });
    const signer = { identifier: issuerAndSerialOf(certificate), signedAttributes, ...issuer.sign(signedAttributes) };
    const signed = assembleSignedData({ content, contentType, certificates: [certificate.der], signers: [signer] });
    const mine = await holder('RSA');
    const envelope = await sealEnvelope(
      { content: signed, contentType: OID.pkcs7SignedData, recipients: [{ certificate: mine.certificate }] },
      nodeCmsCrypto,
    );
    // CMP's EncryptedKey has an IMPLICIT tag (RFC 9810 appendix A).
    const received = parseEnvelopedData(envelope.with(0, 0xa0), 0xa0);
    expect(received.contentType).toBe(OID.pkcs7SignedData);
    const opened = parseSignedData(await open(received, openerOf(mine)));
    const verdict = verifySigner(opened, opened.signers[0]!, { certificate, ...nodeCrypto });
    expect(opened.contentType).toBe(contentType);
    expect(verdict.valid && parseAsymmetricKeyPackage(verdict.content).map(({ der }) => der)).toEqual([pkcs8]);
  });

  it('contain version 2 keys with attributes and the public key (RFC 8410 §10.3)', () => {
    const example =
      'MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhCoB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJz' +
      'gSEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=';
    const key = parseOneAsymmetricKey(Uint8Array.fromBase64(example));
    expect(key.algorithm.oid).toBe(OID.ed25519);
    expect(key.attributes.map(({ type }) => type)).toEqual(['1.2.840.113549.1.9.9.20']);
    expect(key.publicKey?.toHex()).toBe('19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1');
    const version1 = key.der.with(4, 0);
    expect(() => parseOneAsymmetricKey(version1)).toThrow('version 2');
    for (let length = 0; length < key.der.length; length++)
      expect(() => parseOneAsymmetricKey(key.der.subarray(0, length))).toThrow('(byte ');
  });
});
