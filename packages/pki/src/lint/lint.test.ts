import { beforeAll, describe, expect, it } from 'vitest';
import {
  authorityInfoAccessExtension,
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  certificatePoliciesExtension,
  crlDistributionPointsExtension,
  customExtension,
  extKeyUsageExtension,
  inhibitAnyPolicyExtension,
  keyUsageExtension,
  nameConstraintsExtension,
  ocspNoCheckExtension,
  policyConstraintsExtension,
  subjectAltNameExtension,
  subjectKeyIdentifierExtension,
  type ExtensionInput,
} from '../x509/extension-parts.ts';
import { bmpString, rawName } from '../testing/raw-names.ts';
import { buildName, parseName, type RdnInput } from '../names.ts';
import { buildTbsCertificate, type TbsCertificateInput } from '../x509/builder.ts';
import { caExtensions, DAY_MS, issue, NOW_MS, testKeys, type TestEntity } from '../testing/authority.ts';
import { encodeDer, explicitPart, generalizedTimePart, integerPart, sequence, timePart } from '../der/writer.ts';
import { ipAddressName, type GeneralName } from '../x509/general-names.ts';
import { LINT_RULES, lintTbsCertificate, type LintOptions } from './lint.ts';
import { OID } from '../oids.ts';
import { encodeAscii } from '../der/text.ts';
import { extensionsPart } from '../x509/extension-parts.ts';
import { signatureAlgorithm } from '../algorithms.ts';

let root: TestEntity;
let limited: TestEntity;
beforeAll(async () => {
  root = await issue({ subject: 'CN=Lint Root,C=DE', notAfterMs: NOW_MS + 10 * DAY_MS });
  limited = await issue({ subject: 'CN=Limited', issuer: root, extensions: caExtensions(root.keyId, root.keyId, 0) });
});

const serverUsages = [basicConstraintsExtension({ ca: false }), keyUsageExtension(['digitalSignature'])];
const san = (...names: GeneralName[]): ExtensionInput => subjectAltNameExtension(names);
const dns = (value: string): GeneralName => ({ kind: 'dNSName', value });

function leafExtensions(
  extra: readonly ExtensionInput[] = [san(dns('www.example.com'))],
  usages: readonly ExtensionInput[] = serverUsages,
): ExtensionInput[] {
  return [
    ...usages,
    ...(usages === serverUsages ? [extKeyUsageExtension([OID.serverAuth])] : []),
    subjectKeyIdentifierExtension(root.keyId),
    authorityKeyIdentifierExtension(root.keyId),
    ...extra,
  ];
}

function input(changes: Partial<TbsCertificateInput> = {}): TbsCertificateInput {
  return {
    serialNumber: new Uint8Array(16).fill(0x41),
    signatureAlgorithm: signatureAlgorithm('SHA256withECDSA'),
    issuer: root.name,
    subject: buildName([{ type: 'CN', value: 'www.example.com' }]),
    notBeforeMs: NOW_MS,
    notAfterMs: NOW_MS + DAY_MS,
    spki: root.keys.spki,
    extensions: leafExtensions(),
    ...changes,
  };
}

const found = (changes: Partial<TbsCertificateInput> = {}, options?: LintOptions): string[] =>
  lintTbsCertificate(buildTbsCertificate(input(changes)), options).map(({ rule }) => rule);
const withExtensions = (...extra: ExtensionInput[]): string[] =>
  found({ extensions: leafExtensions([san(dns('www.example.com')), ...extra]) });
const withNames = (...names: GeneralName[]): string[] =>
  found({ extensions: leafExtensions([san(dns('www.example.com'), ...names)]) });
const withSubject = (...rdns: RdnInput[]): string[] =>
  found({ subject: buildName([{ type: 'CN', value: 'www.example.com' }, ...rdns]) });
const authority = (...extensions: ExtensionInput[]): string[] =>
  found({
    extensions: [subjectKeyIdentifierExtension(root.keyId), authorityKeyIdentifierExtension(root.keyId), ...extensions],
  });
const CA = basicConstraintsExtension({ ca: true });
const CA_USAGE = keyUsageExtension(['keyCertSign', 'cRLSign']);
const notCritical = (extension: ExtensionInput): ExtensionInput => ({ ...extension, critical: false });
const critical = (extension: ExtensionInput): ExtensionInput => ({ ...extension, critical: true });

/** A TBSCertificate that the builder refuses to make. */
function rawTbs(parts: {
  version?: number;
  serial?: Uint8Array;
  validity?: Uint8Array;
  issuer?: Uint8Array;
}): string[] {
  const {
    version = 2,
    serial = encodeDer(integerPart(new Uint8Array(16).fill(0x41))),
    validity,
    issuer = root.name.der,
  } = parts;
  const whole = input();
  const tbs = encodeDer(
    sequence([
      version === 0 ? undefined : explicitPart(0, integerPart(version)),
      serial,
      whole.signatureAlgorithm.der,
      issuer,
      validity ?? sequence([timePart(whole.notBeforeMs), timePart(whole.notAfterMs)]),
      whole.subject instanceof Uint8Array ? whole.subject : whole.subject.der,
      whole.spki,
      explicitPart(3, extensionsPart(whole.extensions)),
    ]),
  );
  return lintTbsCertificate(tbs).map(({ rule }) => rule);
}

describe('sound certificates', () => {
  it('have no findings: server, authority, root, responder, and an end of life without end', () => {
    expect(found({}, { issuer: root.certificate })).toEqual([]);
    expect(authority(CA, CA_USAGE)).toEqual([]);
    expect(lintTbsCertificate(root.certificate.tbs)).toEqual([]);
    const responder = leafExtensions(
      [ocspNoCheckExtension()],
      [keyUsageExtension(['digitalSignature']), extKeyUsageExtension([OID.ocspSigning])],
    );
    expect(found({ extensions: responder })).toEqual([]);
    expect(found({ notAfterMs: Date.UTC(9999, 11, 31, 23, 59, 59) })).toEqual([]);
  });

  it('have no findings with ML-DSA and Ed25519 keys', async () => {
    for (const spec of ['ML-DSA-65', 'Ed25519', 'RSA-2048'] as const)
      expect(found({ spki: (await testKeys(spec)).spki })).toEqual([]);
  });
});

describe('rules', () => {
  it('have unique identifiers, a citation each, and are all tried below', () => {
    const ids = LINT_RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(LINT_RULES.every(({ citation }) => /(?:RFC|X\.|NIST|BR)/.test(citation))).toBe(true);
    expect(ids.filter((id) => !Object.hasOwn(failing, id))).toEqual([]);
  });

  it('can be left out by identifier', () => {
    expect(found({ serialNumber: Uint8Array.of(1) }, { except: ['serial-entropy'] })).toEqual([]);
  });
});

/** One certificate per rule that breaks it; other rules may complain, too. */
const failing: Record<string, () => string[] | Promise<string[]>> = {
  'serial-positive': () => rawTbs({ serial: encodeDer(integerPart(-5)) }),
  'serial-length': () => rawTbs({ serial: encodeDer(integerPart(new Uint8Array(21).fill(1))) }),
  'serial-entropy': () => found({ serialNumber: Uint8Array.of(1, 2, 3) }),
  'validity-order': () => rawTbs({ validity: encodeDer(sequence([timePart(NOW_MS), timePart(NOW_MS - 1000)])) }),
  'validity-encoding': () =>
    rawTbs({ validity: encodeDer(sequence([generalizedTimePart(NOW_MS), timePart(NOW_MS + 1000)])) }),
  'validity-within-issuer': () => found({ notAfterMs: NOW_MS + 11 * DAY_MS }, { issuer: root.certificate }),
  'version-3': () => rawTbs({ version: 0 }),
  'issuer-not-empty': () => rawTbs({ issuer: encodeDer(sequence([])) }),
  'issuer-matches': () =>
    found({ issuer: buildName([{ type: 'CN', value: 'lint root' }]) }, { issuer: root.certificate }),
  'ca-subject-not-empty': () => found({ subject: buildName([]), extensions: [CA, CA_USAGE] }),
  'subject-country': () => withSubject({ type: 'C', value: 'Germany' }),
  'subject-attribute-length': () => withSubject({ type: 'O', value: 'x'.repeat(65) }),
  'subject-string-type': () => found({ subject: parseName(rawName([[OID.commonName, bmpString('www.example.com')]])) }),
  'subject-duplicate-attribute': () =>
    withSubject([
      { type: 'OU', value: 'a' },
      { type: 'OU', value: 'b' },
    ]),
  'key-policy': () => found({}, { keyPolicy: { families: ['RSA'] } }),
  'signature-digest': () => found({ signatureAlgorithm: signatureAlgorithm('SHA1withRSA') }),
  'subject-hidden-character': () => withSubject({ type: 'O', value: 'Example\u202egnp' }),
  'san-hidden-character': () => withNames({ kind: 'directoryName', name: buildName([{ type: 'O', value: 'a\nb' }]) }),
  'san-required': () => found({ subject: buildName([]), extensions: leafExtensions([]) }),
  'san-critical-when-subject-empty': () => found({ subject: buildName([]) }),
  'san-not-critical-with-subject': () =>
    found({ extensions: leafExtensions([subjectAltNameExtension([dns('www.example.com')], true)]) }),
  'san-not-empty': () =>
    withExtensions2(customExtension(OID.subjectAltName, { critical: false, value: Uint8Array.of(0x30, 0) })),
  'san-dns-syntax': () => withNames(dns('bad..example.com')),
  'san-dns-underscore': () => withNames(dns('_acme.example.com')),
  'san-email-syntax': () => withNames({ kind: 'rfc822Name', value: 'Anna <anna@example.com>' }),
  'san-uri-syntax': () => withNames({ kind: 'uniformResourceIdentifier', value: '/relative' }),
  'san-ip-length': () => withNames({ kind: 'iPAddress', octets: new Uint8Array(8) }),
  'san-duplicate': () => withNames(dns('WWW.example.com')),
  'server-san-required': () => found({ extensions: leafExtensions([]) }),
  'server-common-name-in-san': () => found({ subject: buildName([{ type: 'CN', value: 'other.example.com' }]) }),
  'extension-malformed': () =>
    withExtensions(customExtension(OID.certificatePolicies, { critical: false, value: Uint8Array.of(5, 0) })),
  'basic-constraints-critical': () => authority(notCritical(CA), CA_USAGE),
  'path-length-only-for-ca': () =>
    authority({ oid: OID.basicConstraints, critical: true, part: sequence([integerPart(1)]) }),
  'ca-key-usage': () => authority(CA, keyUsageExtension(['cRLSign'])),
  'key-cert-sign-only-for-ca': () =>
    found({ extensions: leafExtensions(undefined, [keyUsageExtension(['keyCertSign', 'digitalSignature'])]) }),
  'key-usage-not-empty': () =>
    found({
      extensions: leafExtensions(undefined, [
        customExtension(OID.keyUsage, { critical: true, value: Uint8Array.of(3, 1, 0) }),
      ]),
    }),
  'key-usage-critical': () =>
    found({ extensions: leafExtensions(undefined, [notCritical(keyUsageExtension(['digitalSignature']))]) }),
  'key-usage-fits-key': () =>
    found({ extensions: leafExtensions(undefined, [keyUsageExtension(['keyEncipherment'])]) }),
  'encipher-only-needs-key-agreement': () =>
    found({ extensions: leafExtensions(undefined, [keyUsageExtension(['encipherOnly'])]) }),
  'ext-key-usage-not-empty': () =>
    found({
      extensions: leafExtensions(undefined, [
        customExtension(OID.extKeyUsage, { critical: false, value: Uint8Array.of(0x30, 0) }),
      ]),
    }),
  'ext-key-usage-duplicate': () =>
    found({ extensions: leafExtensions(undefined, [extKeyUsageExtension([OID.clientAuth, OID.clientAuth])]) }),
  'any-purpose-not-critical': () =>
    found({ extensions: leafExtensions(undefined, [extKeyUsageExtension([OID.anyExtendedKeyUsage], true)]) }),
  'purpose-fits-key-usage': () =>
    found({
      extensions: leafExtensions(undefined, [
        keyUsageExtension(['keyAgreement']),
        extKeyUsageExtension([OID.codeSigning]),
      ]),
    }),
  'authority-key-identifier': () => found({ extensions: [san(dns('www.example.com'))] }),
  'authority-key-identifier-matches': () =>
    found(
      { extensions: [san(dns('www.example.com')), authorityKeyIdentifierExtension(Uint8Array.of(1))] },
      { issuer: root.certificate },
    ),
  'subject-key-identifier': () => found({ extensions: [CA, CA_USAGE, authorityKeyIdentifierExtension(root.keyId)] }),
  'path-length-of-issuer': () =>
    found({ issuer: limited.name, extensions: [CA, CA_USAGE] }, { issuer: limited.certificate }),
  'name-constraints-only-for-ca': () => withExtensions(nameConstraintsExtension({ permitted: [dns('example.com')] })),
  'name-constraints-not-empty': () =>
    authority(CA, CA_USAGE, customExtension(OID.nameConstraints, { critical: true, value: Uint8Array.of(0x30, 0) })),
  'policies-distinct': () => withExtensions(certificatePoliciesExtension([{ oid: '1.2.3' }, { oid: '1.2.3' }])),
  'policy-constraints-not-empty': () => authority(CA, CA_USAGE, policyConstraintsExtension({})),
  'ocsp-no-check-purpose': () => withExtensions(ocspNoCheckExtension()),
  'distribution-point-urls': () => withExtensions(crlDistributionPointsExtension(['https://a.example/x.crl'])),
  'authority-key-identifier-not-critical': () =>
    found({ extensions: [san(dns('www.example.com')), critical(authorityKeyIdentifierExtension(root.keyId))] }),
  'subject-key-identifier-not-critical': () =>
    found({ extensions: [critical(subjectKeyIdentifierExtension(root.keyId))] }),
  'authority-info-access-not-critical': () =>
    withExtensions(critical(authorityInfoAccessExtension({ ocsp: ['http://a.example'] }))),
  'name-constraints-critical': () =>
    authority(CA, CA_USAGE, notCritical(nameConstraintsExtension({ permitted: [dns('example.com')] }))),
  'policy-constraints-critical': () =>
    authority(CA, CA_USAGE, notCritical(policyConstraintsExtension({ requireExplicitPolicy: 0 }))),
  'inhibit-any-policy-critical': () => authority(CA, CA_USAGE, notCritical(inhibitAnyPolicyExtension(0))),
};

function withExtensions2(...extra: ExtensionInput[]): string[] {
  return found({ extensions: leafExtensions(extra) });
}

describe('each rule', () => {
  it.each(Object.keys(failing))('%s finds its sample', async (id) => {
    expect(await failing[id]?.()).toContain(id);
  });
});

describe('names', () => {
  it.each(['a.example', '*.example.com', 'xn--mller-kva.example', 'a1.b-c.d', `${'a'.repeat(63)}.example`])(
    'the DNS name %s is fine',
    (name) => {
      expect(withNames(dns(name))).toEqual([]);
    },
  );

  it.each([
    '',
    '*',
    '*.',
    'a*.example.com',
    'a.*.example.com',
    '-a.example',
    'a-.example',
    'a..b',
    '.a',
    'a.',
    '192.0.2.1',
    '::1',
    'a b',
    'ä.example',
    'a.1',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}a`,
    'http://a',
  ])('the DNS name "%s" is not', (name) => {
    // The builder refuses characters outside ASCII; DEL stands in for them.
    const value = encodeAscii(name) === undefined ? '\u007f' : name;
    expect(withNames(dns(value))).toContain('san-dns-syntax');
  });

  it.each(['a@example.com', '"a b"@example.com', 'a+b.c@example.com', 'a@[192.0.2.1]'])(
    'the mailbox %s is fine',
    (value) => {
      expect(withNames({ kind: 'rfc822Name', value })).toEqual([]);
    },
  );

  it.each([
    '',
    '@',
    'a@',
    '@b.example',
    'a b@example.com',
    '.a@example.com',
    'a@-b',
    'a@*.example.com',
    `${'a'.repeat(65)}@b.example`,
  ])('the mailbox "%s" is not', (value) => {
    expect(withNames({ kind: 'rfc822Name', value })).toContain('san-email-syntax');
  });

  it.each([
    'https://a.example/x',
    'urn:uuid:1',
    'spiffe://trust.example/w',
    'ldap://[2001:db8::1]:389/x',
    'https://u@a.example:1/',
  ])('the URI %s is fine', (value) => {
    expect(withNames({ kind: 'uniformResourceIdentifier', value })).toEqual([]);
  });

  it.each(['', 'a', '//a', 'https://', 'https://a b', 'https://-a.example'])('the URI "%s" is not', (value) => {
    expect(withNames({ kind: 'uniformResourceIdentifier', value })).toContain('san-uri-syntax');
  });

  it('addresses are fine', () => {
    expect(withNames(ipAddressName('192.0.2.1'), ipAddressName('2001:db8::1'))).toEqual([]);
  });
});
