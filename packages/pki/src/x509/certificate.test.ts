import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { X509Certificate } from 'node:crypto';
import {
  acmeIdentifierExtension,
  assembleCertificate,
  authorityInfoAccessExtension,
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  buildTbsCertificate,
  certificatePoliciesExtension,
  crlDistributionPointsExtension,
  customExtension,
  describeCertificate,
  extKeyUsageExtension,
  freshestCrlExtension,
  generateSerialNumber,
  inhibitAnyPolicyExtension,
  ipAddressName,
  isSignedBy,
  keyUsageExtension,
  nameConstraintsExtension,
  ocspNoCheckExtension,
  OID,
  parseCertificate,
  parseTbsCertificate,
  policyConstraintsExtension,
  readCertificate,
  signatureAlgorithm,
  subjectAltNameExtension,
  subjectKeyIdentifierExtension,
  textOtherName,
  tlsFeatureExtension,
  writePem,
  type Certificate,
  type GeneralName,
  type TbsCertificateInput,
} from '../index.ts';
import { buildName } from '../names.ts';
import { DAY_MS, issue, NOW_MS, type TestEntity } from '../testing/authority.ts';
import { HAS_OPENSSL, opensslFolder, OPENSSL_NOTE, type OpensslRun } from '../testing/openssl.ts';
import { KEY_SPECS, nodeCrypto } from '../node/index.ts';

const subjectNames: readonly GeneralName[] = [
  { kind: 'dNSName', value: 'www.example.com' },
  { kind: 'dNSName', value: '*.example.org' },
  { kind: 'rfc822Name', value: 'anna@example.com' },
  { kind: 'uniformResourceIdentifier', value: 'https://example.com/a' },
  ipAddressName('192.0.2.1'),
  ipAddressName('2001:db8::1'),
  { kind: 'registeredID', oid: '1.2.3.4' },
  {
    kind: 'directoryName',
    name: buildName([
      { type: 'O', value: 'Example' },
      { type: 'CN', value: 'x, y' },
    ]),
  },
  textOtherName(OID.userPrincipalName, 'anna@corp.example'),
];

let root: TestEntity;
let leaf: TestEntity;

beforeAll(async () => {
  root = await issue({ subject: 'CN=Test Root,O=Müller & Söhne,C=DE' });
  leaf = await issue({
    subject: 'CN=www.example.com,O=Example',
    issuer: root,
    extensions: [
      basicConstraintsExtension({ ca: false }),
      keyUsageExtension(['digitalSignature', 'keyAgreement', 'decipherOnly']),
      extKeyUsageExtension([OID.serverAuth, OID.clientAuth, '1.2.3.4.5']),
      subjectAltNameExtension(subjectNames),
      subjectKeyIdentifierExtension(Uint8Array.of(1, 2, 3)),
      authorityKeyIdentifierExtension(root.keyId),
      crlDistributionPointsExtension(['http://a.example/1.crl', 'ldap://a.example/cn=1']),
      freshestCrlExtension(['http://a.example/delta.crl']),
      authorityInfoAccessExtension({ ocsp: ['http://a.example/ocsp'], caIssuers: ['http://a.example/ca.crt'] }),
      certificatePoliciesExtension([{ oid: '2.23.140.1.2.1' }, { oid: '1.2.3', cpsUrl: 'https://a.example/cps' }]),
      ocspNoCheckExtension(),
      tlsFeatureExtension(),
    ],
  });
});

describe('a built certificate', () => {
  it('can be parsed with every field', () => {
    const description = describeCertificate(leaf.certificate);
    expect(description).toMatchObject({
      version: 3,
      issuerDn: 'CN=Test Root, O=Müller & Söhne, C=DE',
      subjectDn: 'CN=www.example.com, O=Example',
      commonName: 'www.example.com',
      issuerCommonName: 'Test Root',
      notBeforeMs: NOW_MS - DAY_MS,
      notAfterMs: NOW_MS + DAY_MS,
      signatureAlgorithm: 'SHA256withECDSA',
      publicKeyFamily: 'ECDSA',
      keySize: 256,
      curve: 'P-256',
      isCa: false,
      isSelfIssued: false,
      keyUsage: ['digitalSignature', 'keyAgreement', 'decipherOnly'],
      extendedKeyUsage: [OID.serverAuth, OID.clientAuth, '1.2.3.4.5'],
      subjectKeyIdentifier: '010203',
      authorityKeyIdentifier: root.keyId.toHex(),
      crlUrls: ['http://a.example/1.crl', 'ldap://a.example/cn=1'],
      ocspUrls: ['http://a.example/ocsp'],
      caIssuersUrls: ['http://a.example/ca.crt'],
    });
    expect(leaf.certificate.freshestCrlUrls).toEqual(['http://a.example/delta.crl']);
    expect(leaf.certificate.certificatePolicies).toMatchObject([
      { oid: '2.23.140.1.2.1', cpsUrls: [] },
      { oid: '1.2.3', cpsUrls: ['https://a.example/cps'], hasOtherQualifiers: false },
    ]);
  });

  it('lists SANs by kind, including kinds without SANs', () => {
    expect(describeCertificate(leaf.certificate).subjectAlternativeNames).toEqual({
      otherName: ['1.3.6.1.4.1.311.20.2.3=anna@corp.example'],
      rfc822Name: ['anna@example.com'],
      dNSName: ['www.example.com', '*.example.org'],
      x400Address: [],
      directoryName: ['CN=x\\, y,O=Example'],
      ediPartyName: [],
      uniformResourceIdentifier: ['https://example.com/a'],
      iPAddress: ['192.0.2.1', '2001:db8::1'],
      registeredID: ['1.2.3.4'],
    });
  });

  it("verifies only with the issuer's key", () => {
    const { verify } = nodeCrypto;
    expect(isSignedBy(leaf.certificate, { issuerSpki: root.keys.spki, verify })).toBe(true);
    expect(isSignedBy(leaf.certificate, { issuerSpki: leaf.keys.spki, verify })).toBe(false);
    expect(root.certificate.isSelfIssued).toBe(true);
  });

  it('can be read from PEM and Base64', () => {
    const { der } = leaf.certificate;
    for (const form of [der, writePem('CERTIFICATE', der), der.toBase64()]) {
      expect(readCertificate(form).serialNumber).toBe(leaf.certificate.serialNumber);
    }
  });

  it('is still described if it has a malformed extension, which is identified', async () => {
    const broken = await issue({
      subject: 'CN=broken',
      extensions: [
        customExtension(OID.subjectAltName, { critical: false, value: Uint8Array.of(1) }),
        keyUsageExtension(['cRLSign']),
      ],
    });
    const description = describeCertificate(broken.certificate);
    expect(description).toMatchObject({ malformedExtensions: [OID.subjectAltName], keyUsage: ['cRLSign'] });
    expect(() => broken.certificate.subjectAltNames).toThrow(expect.objectContaining({ code: 'truncated' }));
  });

  it('has the same description before it is signed', () => {
    const unsigned = parseTbsCertificate(leaf.certificate.tbs);
    expect(describeCertificate(unsigned)).toEqual(describeCertificate(leaf.certificate));
    expect(unsigned.signature.length).toBe(0);
  });
});

describe.each(KEY_SPECS.filter((spec) => !['RSA-3072', 'RSA-4096', 'P-521'].includes(spec)))(
  'Node.js with a %s certificate',
  (spec) => {
    it('reads the same fields and verifies the signature', async () => {
      const entity = await issue({ subject: 'CN=Judge', spec });
      const judge = new X509Certificate(entity.certificate.der);
      expect(judge.verify(judge.publicKey)).toBe(true);
      expect(judge.serialNumber.toLowerCase()).toBe(entity.certificate.serialNumber);
      expect(judge.ca).toBe(true);
      expect(Date.parse(judge.validTo)).toBe(entity.certificate.notAfterMs);
      expect(judge.publicKey.export({ type: 'spki', format: 'der' })).toEqual(Buffer.from(entity.certificate.spki));
      expect(entity.certificate.signatureAlgorithmName).toBe(entity.algorithm.name);
    });
  },
);

describe('PSS signatures', () => {
  it('are verified by Node.js with each digest', async () => {
    for (const algorithm of ['SHA256withRSAandMGF1', 'SHA384withRSAandMGF1', 'SHA512withRSAandMGF1']) {
      const entity = await issue({ subject: 'CN=PSS', spec: 'RSA-2048', algorithm });
      const judge = new X509Certificate(entity.certificate.der);
      expect(judge.verify(judge.publicKey)).toBe(true);
      expect(entity.certificate.signatureAlgorithmName).toBe(algorithm);
      expect(isSignedBy(entity.certificate, { issuerSpki: entity.keys.spki, verify: nodeCrypto.verify })).toBe(true);
    }
  });
});

describe.skipIf(!HAS_OPENSSL)(`OpenSSL${OPENSSL_NOTE}`, () => {
  let openssl: OpensslRun;
  beforeAll(() => {
    openssl = opensslFolder();
  });
  afterAll(() => openssl.remove());

  it('prints every extension as text', () => {
    openssl.write('leaf.pem', writePem('CERTIFICATE', leaf.certificate.der));
    const text = openssl.run('x509', '-in', 'leaf.pem', '-noout', '-text');
    for (const line of [
      'CA:FALSE',
      'Digital Signature, Key Agreement, Decipher Only',
      'TLS Web Server Authentication, TLS Web Client Authentication, 1.2.3.4.5',
      'DNS:www.example.com, DNS:*.example.org, email:anna@example.com, URI:https://example.com/a, IP Address:192.0.2.1',
      'Registered ID:1.2.3.4, DirName:/O=Example/CN=x, y, othername: UPN::anna@corp.example',
      'URI:http://a.example/1.crl',
      'X509v3 Freshest CRL',
      'OCSP - URI:http://a.example/ocsp',
      'CPS: https://a.example/cps',
      'OCSP No Check',
      'status_request',
    ]) {
      expect(text).toContain(line);
    }
  });

  it('verifies the chain', () => {
    openssl.write('root.pem', writePem('CERTIFICATE', root.certificate.der));
    openssl.write('leaf.pem', writePem('CERTIFICATE', leaf.certificate.der));
    const at = String(NOW_MS / 1000);
    expect(openssl.run('verify', '-x509_strict', '-attime', at, '-CAfile', 'root.pem', 'leaf.pem')).toContain(
      'leaf.pem: OK',
    );
  });

  it('issues a certificate that is parsed here with the same fields', () => {
    const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-384 -nodes -keyout k.pem -out c.pem -days 9000';
    const constraints = 'nameConstraints=critical,permitted;DNS:example.com,excluded;IP:10.0.0.0/255.0.0.0';
    const names = 'subjectAltName=DNS:a.example,IP:10.0.0.1,otherName:1.2.3.4;UTF8:hello';
    const subject = ['-utf8', '-subj', '/C=CH/O=Örg/CN=made by openssl', '-set_serial', '0x00ff01'];
    openssl.run(...request.split(' '), ...subject, '-addext', names, '-addext', constraints);
    const certificate = readCertificate(openssl.run('x509', '-in', 'c.pem'));
    expect(describeCertificate(certificate)).toMatchObject({
      subjectDn: 'CN=made by openssl, O=Örg, C=CH',
      serialNumber: 'ff01',
      curve: 'P-384',
      isCa: true,
      subjectAlternativeNames: { dNSName: ['a.example'], iPAddress: ['10.0.0.1'], otherName: ['1.2.3.4=hello'] },
    });
    expect(certificate.nameConstraints?.excluded).toEqual([
      { kind: 'iPAddress', octets: Uint8Array.of(10, 0, 0, 0, 255, 0, 0, 0) },
    ]);
    expect(certificate.notAfterMs).toBe(Date.parse(new X509Certificate(certificate.der).validTo));
  });
});

describe('the certificate builder', () => {
  const input = (changes: Partial<TbsCertificateInput>): TbsCertificateInput => ({
    serialNumber: Uint8Array.of(1),
    signatureAlgorithm: signatureAlgorithm('SHA256withECDSA'),
    issuer: root.name,
    subject: root.name,
    notBeforeMs: NOW_MS,
    notAfterMs: NOW_MS,
    spki: root.keys.spki,
    extensions: [],
    ...changes,
  });

  it.each([
    ['a serial number of zero', { serialNumber: new Uint8Array(3) }],
    ['a serial number of 21 octets', { serialNumber: new Uint8Array(21).fill(1) }],
    ['a serial number whose sign octet makes it 21', { serialNumber: new Uint8Array(20).fill(0x80) }],
    ['an end before the start', { notAfterMs: NOW_MS - 1000 }],
    ['an extension twice', { extensions: [ocspNoCheckExtension(), ocspNoCheckExtension()] }],
  ])('rejects %s', (_, changes) => {
    expect(() => buildTbsCertificate(input(changes))).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });

  it('rejects extensions that would be empty or contradictory', () => {
    for (const make of [
      () => keyUsageExtension([]),
      () => extKeyUsageExtension([]),
      () => subjectAltNameExtension([]),
      () => basicConstraintsExtension({ ca: false, pathLength: 0 }),
      () => authorityInfoAccessExtension({}),
      () => nameConstraintsExtension({}),
      () => crlDistributionPointsExtension([]),
      () => certificatePoliciesExtension([]),
      () => ipAddressName('1.2.3'),
    ]) {
      expect(make).toThrow(expect.objectContaining({ code: 'bad-argument' }));
    }
  });

  it('omits the extensions field if there are no extensions', () => {
    expect(parseTbsCertificate(buildTbsCertificate(input({}))).extensions).toEqual([]);
  });

  it('encodes the remaining extensions so that they parse back', () => {
    const certificate = parseTbsCertificate(
      buildTbsCertificate(
        input({
          extensions: [
            policyConstraintsExtension({ requireExplicitPolicy: 0, inhibitPolicyMapping: 3 }),
            inhibitAnyPolicyExtension(2),
            acmeIdentifierExtension(new Uint8Array(32)),
            nameConstraintsExtension({
              permitted: [{ kind: 'dNSName', value: 'a' }],
              excluded: [{ kind: 'rfc822Name', value: 'b' }],
            }),
            customExtension('1.2.3', { critical: true, value: Uint8Array.of(9) }),
          ],
        }),
      ),
    );
    expect(certificate.policyConstraints).toEqual({ requireExplicitPolicy: 0, inhibitPolicyMapping: 3 });
    expect(certificate.inhibitAnyPolicy).toBe(2);
    expect(certificate.nameConstraints).toEqual({
      permitted: [{ kind: 'dNSName', value: 'a' }],
      excluded: [{ kind: 'rfc822Name', value: 'b' }],
    });
    expect(certificate.extensions.at(-1)).toEqual({ oid: '1.2.3', critical: true, value: Uint8Array.of(9) });
    expect(certificate.extensionValue(OID.acmeIdentifier)?.length).toBe(34);
  });
});

describe('the certificate parser', () => {
  const reassemble = (tbs: Uint8Array, name: string): Certificate =>
    parseCertificate(assembleCertificate(tbs, { algorithm: signatureAlgorithm(name), signature: Uint8Array.of(1) }));

  it('rejects different inner and outer signature algorithms (RFC 5280 §4.1.1.2)', () => {
    expect(() => reassemble(leaf.certificate.tbs, 'SHA384withECDSA')).toThrow(
      /The inner and outer signature algorithms differ/,
    );
  });

  it('rejects trailing bytes', () => {
    const longer = Uint8Array.from([...leaf.certificate.der, 0]);
    expect(() => parseCertificate(longer)).toThrow(expect.objectContaining({ code: 'trailing-bytes' }));
  });

  it('rejects a duplicate extension', () => {
    const at = leaf.certificate.der.toHex();
    // Turns subjectKeyIdentifier (551d0e) into a second keyUsage (551d0f).
    const twice = Uint8Array.fromHex(at.replace('0603551d0e', '0603551d0f'));
    expect(() => parseCertificate(twice)).toThrow(expect.objectContaining({ code: 'duplicate-element' }));
  });
});

describe('serial numbers', () => {
  it('are positive and have 16 bytes by default, and never more than 20', () => {
    const ones = (length: number): Uint8Array => new Uint8Array(length).fill(0xff);
    const zeros = (length: number): Uint8Array => new Uint8Array(length);
    expect(generateSerialNumber(ones).toHex()).toBe(`7f${'ff'.repeat(15)}`);
    expect(generateSerialNumber(zeros, 20).toHex()).toBe(`40${'00'.repeat(19)}`);
    for (const octets of [8, 21, 1.5]) expect(() => generateSerialNumber(ones, octets)).toThrow(/9 to 20/);
    expect(() => generateSerialNumber(() => new Uint8Array(3))).toThrow(/too few/);
  });

  it('are unique', () => {
    const seen = new Set(Array.from({ length: 1000 }, () => generateSerialNumber(nodeCrypto.randomBytes).toHex()));
    expect(seen.size).toBe(1000);
  });

  it('are shown as encoded in certificates from other issuers', async () => {
    const { formatSerialNumber } = await import('./certificate.ts');
    expect(formatSerialNumber(Uint8Array.of(0))).toBe('0');
    expect(formatSerialNumber(Uint8Array.of(0, 0x8f))).toBe('8f');
    expect(formatSerialNumber(Uint8Array.of(0x0a, 0x01))).toBe('a01');
    expect(formatSerialNumber(Uint8Array.of(0xff, 0x01))).toBe('-ff');
  });
});
