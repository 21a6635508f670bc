import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  parseCertificationRequest,
  requestSignatureProblem,
  readCertificationRequest,
  requestedAlternativeKey,
  requestedAlternativeSignatureAlgorithmName,
  requestedAltNames,
  verifyCertificationRequest,
  type CertificationRequestInput,
} from './csr.ts';
import { buildName, formatName } from './names.ts';
import { defaultSignatureAlgorithm, parsePublicKey } from './keys.ts';
import {
  encodeDer,
  implicitConstructed,
  integerPart,
  nullPart,
  oidPart,
  sequence,
  setOf,
  utf8StringPart,
} from './der/writer.ts';
import { assembleSigned } from './x509/signed.ts';
import { extensionsPart, subjectAltNameExtension } from './x509/extension-parts.ts';
import { formatGeneralName } from './x509/general-names.ts';
import { HAS_OPENSSL, opensslFolder, OPENSSL_NOTE, type OpensslRun } from './testing/openssl.ts';
import { DerError } from './errors.ts';
import { nodeCrypto } from './node/index.ts';
import { OID } from './oids.ts';
import { signatureAlgorithm } from './algorithms.ts';
import { testKeys } from './testing/authority.ts';
import { writePem } from './pem.ts';
import type { KeySpec } from './node/index.ts';

const subject = buildName([
  { type: 'O', value: 'Example' },
  { type: 'CN', value: 'www.example.com' },
]);
const extensions = [
  subjectAltNameExtension([
    { kind: 'dNSName', value: 'www.example.com' },
    { kind: 'dNSName', value: 'example.com' },
  ]),
];

async function makeRequest(spec: KeySpec, input: Partial<CertificationRequestInput> = {}): Promise<Uint8Array> {
  const keys = await testKeys(spec);
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(keys.spki));
  const info = buildCertificationRequestInfo({ subject, spki: keys.spki, ...input });
  return assembleCertificationRequest(info, {
    algorithm,
    signature: nodeCrypto.sign(keys.privateKey, { algorithm, data: info }),
  });
}

/** A request with the given content and a placeholder signature. */
const unsignedRequest = (...parts: Parameters<typeof sequence>[0]): Uint8Array =>
  assembleSigned(sequence(parts), { algorithm: signatureAlgorithm('SHA256withECDSA'), signature: Uint8Array.of(1) });

describe('a request for a hybrid certificate', () => {
  const algorithm = encodeDer(sequence([oidPart('2.16.840.1.101.3.4.3.18')])); // ML-DSA-65

  it.each(['attributes', 'extensions'] as const)(
    'specifies its alternative key and signature algorithm in %s',
    async (where) => {
      const { spki } = await testKeys('ML-DSA-65');
      const named = [
        { oid: OID.subjectAltPublicKeyInfo, part: spki },
        { oid: OID.altSignatureAlgorithm, part: algorithm },
      ];
      const der = await makeRequest('P-256', {
        attributes: where === 'attributes' ? named.map(({ oid, part }) => ({ type: oid, values: [part] })) : [],
        extensions: where === 'extensions' ? named.map((each) => ({ ...each, critical: false })) : [],
      });
      const request = parseCertificationRequest(der);
      expect(requestedAlternativeKey(request)).toMatchObject({ name: 'ML-DSA-65', bits: 65 });
      expect(requestedAlternativeSignatureAlgorithmName(request)).toBe('ML-DSA-65');
    },
  );

  it('is distinguished from an ordinary request', async () => {
    const request = parseCertificationRequest(await makeRequest('P-256', { extensions }));
    expect(requestedAlternativeKey(request)).toBeUndefined();
    expect(requestedAlternativeSignatureAlgorithmName(request)).toBeUndefined();
  });

  it.each([0, 2])('is rejected if it has %d keys instead of one', async (count) => {
    const { spki } = await testKeys('ML-DSA-65');
    const attributes = [{ type: OID.subjectAltPublicKeyInfo, values: Array.from({ length: count }, () => spki) }];
    const request = parseCertificationRequest(await makeRequest('P-256', { attributes }));
    expect(() => requestedAlternativeKey(request)).toThrow(DerError);
  });
});

describe('generated requests', () => {
  it.each(['P-256', 'RSA-2048', 'Ed25519', 'Ed448', 'ML-DSA-44', 'ML-DSA-87'] as const)(
    'verify and round-trip with a %s key',
    async (spec) => {
      const request = parseCertificationRequest(await makeRequest(spec, { extensions, challengePassword: 'geheim-é' }));
      expect(verifyCertificationRequest(request, nodeCrypto.verify)).toBe(true);
      expect(formatName(request.subject)).toBe('CN=www.example.com, O=Example');
      expect(requestedAltNames(request).map(formatGeneralName)).toEqual(['www.example.com', 'example.com']);
      expect(request.challengePassword).toBe('geheim-é');
    },
  );

  it('have an empty attribute list by default', async () => {
    const request = parseCertificationRequest(await makeRequest('P-256'));
    expect(request).toMatchObject({ attributes: [], extensions: [], challengePassword: undefined });
    expect(requestedAltNames(request)).toEqual([]);
  });

  it('include additional attributes unchanged', async () => {
    const value = encodeDer(utf8StringPart('x'));
    const request = parseCertificationRequest(
      await makeRequest('P-256', { attributes: [{ type: '1.2.3', values: [value] }], extensions }),
    );
    expect(request.attributes.find(({ type }) => type === '1.2.3')?.values).toEqual([value]);
  });
});

describe('parsing', () => {
  it('accepts DER, both PEM labels, PEM without line breaks, and Base64 without a label', async () => {
    const der = await makeRequest('P-256', { extensions });
    const forms = [
      der,
      writePem('CERTIFICATE REQUEST', der),
      writePem('NEW CERTIFICATE REQUEST', der),
      new TextEncoder().encode(writePem('CERTIFICATE REQUEST', der)),
      `-----BEGIN CERTIFICATE REQUEST-----${der.toBase64()}-----END CERTIFICATE REQUEST-----`,
      der.toBase64(),
      der.toBase64().replace(/.{64}/g, '$&\r\n'),
    ];
    for (const form of forms) expect(readCertificationRequest(form).der).toEqual(der);
  });

  it('reports what the input contains if it is not a request', async () => {
    const der = await makeRequest('P-256');
    expect(() => readCertificationRequest(writePem('CERTIFICATE', der))).toThrow(
      /contains "CERTIFICATE".*"CERTIFICATE REQUEST" was expected/,
    );
    expect(() => readCertificationRequest('')).toThrow(/empty/);
    expect(() => readCertificationRequest('not base64!')).toThrow(expect.objectContaining({ code: 'bad-base64' }));
  });

  it("accepts a missing attribute list, and Microsoft's OID for extension requests", async () => {
    const { spki } = await testKeys('P-256');
    expect(parseCertificationRequest(unsignedRequest(integerPart(0), subject.der, spki)).attributes).toEqual([]);
    const attribute = sequence([oidPart(OID.msExtensionRequest), setOf([extensionsPart(extensions)])]);
    const request = parseCertificationRequest(
      unsignedRequest(integerPart(0), subject.der, spki, implicitConstructed(0, [attribute])),
    );
    expect(requestedAltNames(request)).toHaveLength(2);
  });

  it.each([1, 2, 3])('accepts a request with version %i, which old clients send', async (version) => {
    const { spki } = await testKeys('P-256');
    expect(parseCertificationRequest(unsignedRequest(integerPart(version), subject.der, spki)).attributes).toEqual([]);
  });

  it.each([
    [
      'an attribute without values',
      'missing-element',
      (attribute: (...values: Uint8Array[]) => Uint8Array) => [integerPart(0), attribute()],
    ],
    [
      'an attribute with two values',
      'duplicate-element',
      (attribute: (...values: Uint8Array[]) => Uint8Array) => [
        integerPart(0),
        attribute(encodeDer(extensionsPart(extensions)), encodeDer(sequence([]))),
      ],
    ],
  ])('rejects %s', async (_, code, parts) => {
    const { spki } = await testKeys('P-256');
    const attribute = (...values: Uint8Array[]): Uint8Array =>
      encodeDer(implicitConstructed(0, [sequence([oidPart(OID.extensionRequest), setOf(values)])]));
    const [version, attributes] = parts(attribute);
    expect(() => parseCertificationRequest(unsignedRequest(version, subject.der, spki, attributes))).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('verification', () => {
  it('fails for a modified request', async () => {
    const der = await makeRequest('P-256', { extensions });
    const changed = Uint8Array.from(der);
    const at = der.toHex().indexOf(Buffer.from('www.example.com').toString('hex')) / 2;
    changed[at] = 0x78;
    expect(verifyCertificationRequest(parseCertificationRequest(changed), nodeCrypto.verify)).toBe(false);
  });

  it('fails if the algorithm does not match the key type, so that an RSA signature cannot pass as ECDSA', async () => {
    const keys = await testKeys('RSA-2048');
    const info = buildCertificationRequestInfo({ subject, spki: keys.spki });
    const signature = nodeCrypto.sign(keys.privateKey, { algorithm: signatureAlgorithm('SHA256withRSA'), data: info });
    const der = assembleCertificationRequest(info, { algorithm: signatureAlgorithm('SHA256withECDSA'), signature });
    expect(verifyCertificationRequest(parseCertificationRequest(der), nodeCrypto.verify)).toBe(false);
  });

  it.each([
    ['MD5withRSA', 'RSA-2048', /^it is signed with MD5, .* sign it with SHA-256/],
    ['SHA1withRSA', 'RSA-2048', /^it is signed with SHA-1, /],
    ['SHA1withECDSA', 'P-256', /^it is signed with SHA-1, /],
    ['SHA224withECDSA', 'P-256', /^it is signed with SHA-224, which is too short; sign it with SHA-256/],
  ] as const)('reports %s as broken or too short', async (name, spec, problem) => {
    const keys = await testKeys(spec);
    const algorithm = signatureAlgorithm(name);
    const info = buildCertificationRequestInfo({ subject, spki: keys.spki });
    const signature = nodeCrypto.sign(keys.privateKey, { algorithm, data: info });
    const request = parseCertificationRequest(assembleCertificationRequest(info, { algorithm, signature }));
    expect(requestSignatureProblem(request)).toMatch(problem);
  });

  it('reports MD2 and RSASSA-PSS with its default digest as broken, but not SHA-256 or EdDSA', async () => {
    const { spki } = await testKeys('RSA-2048');
    const signedWith = (...algorithm: Parameters<typeof sequence>[0]) =>
      parseCertificationRequest(
        encodeDer(
          sequence([sequence([integerPart(0), subject.der, spki]), sequence(algorithm), Uint8Array.of(3, 2, 0, 1)]),
        ),
      );
    expect(requestSignatureProblem(signedWith(oidPart('1.2.840.113549.1.1.2'), nullPart()))).toMatch(/MD2/);
    expect(requestSignatureProblem(signedWith(oidPart(OID.rsaPss), sequence([])))).toMatch(/SHA-1/);
    for (const spec of ['RSA-2048', 'P-256', 'Ed25519'] as const)
      expect(requestSignatureProblem(parseCertificationRequest(await makeRequest(spec)))).toBeUndefined();
  });

  it('reports an unknown algorithm', async () => {
    const { spki } = await testKeys('P-256');
    const der = encodeDer(
      sequence([
        sequence([integerPart(0), subject.der, spki]),
        sequence([oidPart('1.2.3')]),
        Uint8Array.of(3, 2, 0, 1),
      ]),
    );
    expect(() => verifyCertificationRequest(parseCertificationRequest(der), nodeCrypto.verify)).toThrow(
      expect.objectContaining({ code: 'unsupported-algorithm' }),
    );
  });
});

describe.skipIf(!HAS_OPENSSL)(`requests exchanged with openssl${OPENSSL_NOTE}`, () => {
  let openssl: OpensslRun;
  beforeAll(() => {
    openssl = opensslFolder();
  });
  afterAll(() => openssl.remove());

  it.each(['P-256', 'RSA-2048', 'Ed25519'] as const)('are verified by openssl if generated here: %s', async (spec) => {
    openssl.write(
      'r.pem',
      writePem('CERTIFICATE REQUEST', await makeRequest(spec, { extensions, challengePassword: 'abc' })),
    );
    const text = openssl.run('req', '-in', 'r.pem', '-noout', '-text', '-verify');
    expect(text).toContain('DNS:www.example.com, DNS:example.com');
    expect(text).toMatch(/challengePassword\s*:abc/);
  });

  it.each([
    ['rsa', ['-newkey', 'rsa:2048', '-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:32']],
    ['ec', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-521', '-sha512']],
    ['ed448', ['-newkey', 'ed448']],
  ])('are parsed and verified here if generated by openssl: %s', (name, options) => {
    openssl.run(
      'req',
      '-new',
      '-nodes',
      '-keyout',
      'k.pem',
      '-out',
      `${name}.pem`,
      '-subj',
      '/CN=x',
      '-addext',
      'subjectAltName=DNS:y',
      ...options,
    );
    const request = readCertificationRequest(openssl.run('req', '-in', `${name}.pem`));
    expect(verifyCertificationRequest(request, nodeCrypto.verify)).toBe(true);
    expect(requestedAltNames(request)).toEqual([{ kind: 'dNSName', value: 'y' }]);
  });
});
