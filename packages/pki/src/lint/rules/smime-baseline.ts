// CA/Browser Forum Baseline Requirements for S/MIME certificates. They apply to certificates with one of its policies
// 2.23.140.1.5.TYPE.GENERATION: mailbox, organization, sponsor or individual validated; legacy, multipurpose or strict.
// Clauses are those of version 1.0.12.
import { attributeValues } from '../../names.ts';
import { findExtension, type KeyUsage } from '../../x509/extensions.ts';
import { formatGeneralName, type GeneralName } from '../../x509/general-names.ts';
import { mailboxProblem } from '../name-syntax.ts';
import {
  MAILBOX_POLICY,
  rulesFor,
  type CertificateRules,
  type CertificateRuleSet,
  type LintSubject,
} from '../certificate-rule.ts';
import { OID } from '../../oids.ts';
import { registrationProblem } from '../organization-identifier.ts';
import type { KeyFamily } from '../../keys.ts';

const rule = rulesFor('publicMailbox');
const DAY_MS = 86_400_000;

const TYPES = { mailbox: '1', organization: '2', sponsor: '3', individual: '4' } as const;
const GENERATIONS = { legacy: '1', multipurpose: '2', strict: '3' } as const;

const matchesPolicy = (subject: LintSubject, place: 1 | 2, value: string): boolean =>
  subject.policyOids.some((oid) => MAILBOX_POLICY.exec(oid)?.[place] === value);
const isOfType = (subject: LintSubject, type: keyof typeof TYPES): boolean => matchesPolicy(subject, 1, TYPES[type]);
const isStrict = (subject: LintSubject): boolean => matchesPolicy(subject, 2, GENERATIONS.strict);
const isLegacy = (subject: LintSubject): boolean => matchesPolicy(subject, 2, GENERATIONS.legacy);

const FORBIDDEN_PURPOSES: readonly string[] = [
  OID.serverAuth,
  OID.codeSigning,
  OID.timeStamping,
  OID.anyExtendedKeyUsage,
];
const KEYS: readonly KeyFamily[] = ['RSA', 'ECDSA', 'Ed25519', 'Ed448', 'ML-DSA', 'ML-KEM'];
const CURVES: readonly string[] = [OID.secp256r1, OID.secp384r1, OID.secp521r1];
const NAMES: readonly GeneralName['kind'][] = ['rfc822Name', 'otherName', 'directoryName'];
const ORGANIZATION: readonly string[] = [OID.organizationName, OID.organizationalUnitName, OID.organizationIdentifier];
const MAILBOX_ATTRIBUTES: readonly string[] = [OID.commonName, OID.emailAddress, OID.serialNumber];

/** Returns all email addresses in the SANs, including UTF-8 ones. */
const mailboxes = ({ certificate }: LintSubject): string[] =>
  certificate.subjectAltNames.flatMap((name) => {
    if (name.kind === 'rfc822Name') return [name.value];
    const isUtf8 = name.kind === 'otherName' && name.type === OID.smtpUtf8Mailbox;
    return isUtf8 ? [formatGeneralName(name).slice(OID.smtpUtf8Mailbox.length + 1)] : [];
  });

const isLongerThan = ({ certificate: { notBeforeMs, notAfterMs } }: LintSubject, days: number): boolean =>
  notAfterMs - notBeforeMs + 1000 > days * DAY_MS;

const SIGNING: readonly KeyUsage[] = ['digitalSignature', 'nonRepudiation'];
/** §7.1.2.3 (e): allowed usages by key type. */
const KEY_USAGES: Readonly<Partial<Record<KeyFamily, readonly KeyUsage[]>>> = {
  RSA: [...SIGNING, 'keyEncipherment', 'dataEncipherment'],
  ECDSA: [...SIGNING, 'keyAgreement', 'encipherOnly', 'decipherOnly'],
  Ed25519: SIGNING,
  Ed448: SIGNING,
  'ML-DSA': SIGNING,
  'ML-KEM': ['keyEncipherment'],
};
/** Usages that are allowed only together with another usage. */
const COMPANIONS: Readonly<Partial<Record<KeyUsage, KeyUsage>>> = {
  nonRepudiation: 'digitalSignature',
  dataEncipherment: 'keyEncipherment',
  encipherOnly: 'keyAgreement',
  decipherOnly: 'keyAgreement',
};

function hasMailUsages(subject: LintSubject): boolean {
  const { keyUsage = [], publicKey } = subject.certificate;
  const allowed = KEY_USAGES[publicKey.family] ?? [];
  const isAllowed = (usage: KeyUsage): boolean => {
    const companion = COMPANIONS[usage];
    const isAccompanied = companion === undefined || keyUsage.includes(companion);
    return allowed.includes(usage) && isAccompanied && !(usage === 'dataEncipherment' && isStrict(subject));
  };
  return keyUsage.length > 0 && keyUsage.every(isAllowed);
}

const isPersonNamed = (subject: LintSubject): boolean =>
  subject.has(OID.givenName) || subject.has(OID.surname) || subject.has(OID.pseudonym);

const PROFILE = {
  'smime-policy': rule({
    demand: 'The certificate must contain exactly one of the policies reserved for S/MIME.',
    remedy: 'Specify only the policy that matches how the subject was validated.',
    citation: 'CA/Browser Forum SMBR §7.1.2.3 (a), §7.1.6.4',
    field: 'extensions.certificatePolicies',
    violates: ({ policyOids }) => policyOids.filter((oid) => MAILBOX_POLICY.test(oid)).length !== 1,
  }),
  'smime-legacy': rule({
    demand: 'The legacy generation must no longer be used.',
    remedy: 'Have the certificate issued under the multipurpose or strict generation.',
    citation: 'CA/Browser Forum SMBR §7.1.6.1',
    field: 'extensions.certificatePolicies',
    effective: { from: '2025-07-15' },
    violates: isLegacy,
  }),
  'smime-validity-825-days': rule({
    demand: 'A certificate of the multipurpose or strict generation must not be valid for more than 825 days.',
    remedy: 'Request a validity period of 825 days or fewer.',
    citation: 'CA/Browser Forum SMBR §6.3.2',
    field: 'validity',
    violates: (subject) => !isLegacy(subject) && isLongerThan(subject, 825),
  }),
  'smime-validity-1185-days': rule({
    demand: 'A certificate of the legacy generation must not be valid for more than 1185 days.',
    remedy: 'Request a validity period of 1185 days or fewer.',
    citation: 'CA/Browser Forum SMBR §6.3.2',
    field: 'validity',
    violates: (subject) => isLegacy(subject) && isLongerThan(subject, 1185),
  }),
  'smime-key': rule({
    demand:
      'The key must be RSA with 2048 bits or more (a multiple of 8), P-256, P-384, P-521, Ed25519, Ed448, ML-DSA or ML-KEM.',
    remedy: 'Request the certificate with one of these keys.',
    citation: 'CA/Browser Forum SMBR §6.1.5',
    field: 'subjectPublicKeyInfo',
    violates: ({ certificate: { publicKey } }) => {
      if (publicKey.family === 'RSA') return publicKey.bits < 2048 || publicKey.bits % 8 !== 0;
      return publicKey.family === 'ECDSA'
        ? !CURVES.includes(publicKey.curveOid ?? '')
        : !KEYS.includes(publicKey.family);
    },
  }),
  'smime-issuer-key': rule({
    demand: "The issuer's RSA key must have 3072 bits or more.",
    remedy: 'Have the certificate issued by a CA with a larger key.',
    citation: 'CA/Browser Forum SMBR §6.1.5',
    field: 'signature',
    effective: { from: '2027-09-15' },
    violates: ({ issuer }) => issuer?.publicKey.family === 'RSA' && issuer.publicKey.bits < 3072,
  }),
  'smime-purpose': rule({
    demand: 'The extended key usages must include emailProtection.',
    remedy: 'Add the extended key usage emailProtection.',
    citation: 'CA/Browser Forum SMBR §7.1.2.3 (f)',
    field: 'extensions.extKeyUsage',
    violates: ({ certificate }) => certificate.extKeyUsage?.includes(OID.emailProtection) !== true,
  }),
  'smime-forbidden-purpose': rule({
    demand: 'The extended key usages must not include serverAuth, codeSigning, timeStamping or anyExtendedKeyUsage.',
    remedy: 'Request a separate certificate for each of these purposes.',
    citation: 'CA/Browser Forum SMBR §7.1.2.3 (f)',
    field: 'extensions.extKeyUsage',
    violates: ({ certificate: { extKeyUsage = [] } }) =>
      extKeyUsage.some((purpose) => FORBIDDEN_PURPOSES.includes(purpose)),
  }),
  'smime-strict-purpose': rule({
    demand: 'A certificate of the strict generation must not have an extended key usage other than emailProtection.',
    remedy: 'Omit the other extended key usages, or use the multipurpose generation.',
    citation: 'CA/Browser Forum SMBR §7.1.2.3 (f)',
    field: 'extensions.extKeyUsage',
    violates: (subject) => isStrict(subject) && (subject.certificate.extKeyUsage?.length ?? 0) > 1,
  }),
  'smime-other-purpose': rule({
    demand: 'The only extended key usages must be emailProtection and, if needed, clientAuth.',
    remedy: 'Request a separate certificate for each of the other purposes.',
    citation: 'CA/Browser Forum SMBR §7.1.2.3 (f)',
    field: 'extensions.extKeyUsage',
    effective: { from: '2027-07-01' },
    violates: ({ certificate: { extKeyUsage = [] } }) =>
      extKeyUsage.some((purpose) => purpose !== OID.emailProtection && purpose !== OID.clientAuth),
  }),
  'smime-key-usage': rule({
    demand:
      'The key usages must be present, and must be those for signing mail or exchanging keys with this type of key.',
    remedy:
      'Specify digitalSignature, nonRepudiation, and keyEncipherment (RSA, ML-KEM) or keyAgreement (EC), as needed.',
    citation: 'CA/Browser Forum SMBR §7.1.2.3 (e)',
    field: 'extensions.keyUsage',
    violates: (subject) => !hasMailUsages(subject),
  }),
  'smime-crl': rule({
    demand:
      'The certificate must contain an http CRL URL and, unless it is of the legacy generation, only http CRL URLs.',
    remedy: 'Add the http URL of the CRL.',
    citation: 'CA/Browser Forum SMBR §7.1.2.3 (b)',
    field: 'extensions.crlDistributionPoints',
    violates: (subject) => {
      const { crlUrls } = subject.certificate;
      const isHttp = (url: string): boolean => /^http:\/\//i.test(url);
      return !crlUrls.some(isHttp) || (!isLegacy(subject) && !crlUrls.every(isHttp));
    },
  }),
  'smime-policies-not-critical': rule({
    demand: 'The certificatePolicies extension should not be critical.',
    remedy: 'Mark the extension as non-critical.',
    citation: 'CA/Browser Forum SMBR §7.1.2.3 (a)',
    severity: 'warning',
    field: 'extensions.certificatePolicies.critical',
    violates: ({ certificate }) => findExtension(certificate.extensions, OID.certificatePolicies)?.critical === true,
  }),
} satisfies CertificateRules;

const SUBJECT = {
  'smime-mailbox': rule({
    demand: 'The SANs must include a mailbox.',
    remedy: 'Add the address as an rfc822Name, or as SmtpUTF8Mailbox if its local part is not ASCII.',
    citation: 'CA/Browser Forum SMBR §7.1.4.2.1',
    field: 'extensions.subjectAltName',
    violates: (subject) => mailboxes(subject).length === 0,
  }),
  'smime-host-name': rule({
    demand: 'The SANs must only be of the types rfc822Name, otherName and directoryName.',
    remedy: 'Omit DNS names, IP addresses and URIs; request a separate certificate for a server.',
    citation: 'CA/Browser Forum SMBR §7.1.4.2.1',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => certificate.subjectAltNames.some(({ kind }) => !NAMES.includes(kind)),
  }),
  'smime-subject-mailbox': rule({
    demand: 'Every mailbox in the subject must also be a SAN.',
    remedy: 'Add the address to the SANs.',
    citation: 'CA/Browser Forum SMBR §7.1.4.2.1',
    field: 'subject',
    violates: (subject) => {
      const known = mailboxes(subject).map((each) => each.toLowerCase());
      const named = [
        ...attributeValues(subject.certificate.subject, OID.emailAddress),
        ...subject.valuesOf(OID.commonName).filter((name) => name.includes('@') && mailboxProblem(name) === undefined),
      ];
      const missing = named.find((each) => !known.includes(each.toLowerCase()));
      return missing === undefined ? undefined : { value: missing };
    },
  }),
  'smime-mailbox-validated-name': rule({
    demand: 'The common name of a mailbox-validated certificate must be a mailbox.',
    remedy: 'Use the email address, or omit the common name.',
    citation: 'CA/Browser Forum SMBR §7.1.4.2.2 (a)',
    field: 'subject.commonName',
    violates: (subject) =>
      isOfType(subject, 'mailbox') && subject.valuesOf(OID.commonName).some((name) => !name.includes('@')),
  }),
  'smime-mailbox-validated-subject': rule({
    demand:
      'The subject of a mailbox-validated certificate must only contain common name, email address and serial number.',
    remedy: 'Omit the other attributes, or have them validated.',
    citation: 'CA/Browser Forum SMBR §7.1.4.2.3',
    field: 'subject',
    violates: (subject) =>
      isOfType(subject, 'mailbox') && subject.attributes.some(({ type }) => !MAILBOX_ATTRIBUTES.includes(type)),
  }),
  'smime-organization': rule({
    demand:
      'An organization-validated or sponsor-validated certificate must contain an organization and organization identifier.',
    remedy: 'Add organizationName and organizationIdentifier.',
    citation: 'CA/Browser Forum SMBR §7.1.4.2.4, §7.1.4.2.5',
    field: 'subject',
    violates: (subject) =>
      (isOfType(subject, 'organization') || isOfType(subject, 'sponsor')) &&
      !(subject.has(OID.organizationName) && subject.has(OID.organizationIdentifier)),
  }),
  'smime-organization-identifier': rule({
    demand: 'An organization identifier must consist of a scheme, a country and, except for GOV and INT, a number.',
    remedy: 'Use a form like NTRGB-12345678, with NTR, VAT, PSD or LEI as the scheme, or like GOVUS or INTXG.',
    citation: 'CA/Browser Forum SMBR §7.1.4.2.2 (d), appendix A',
    field: 'subject.organizationIdentifier',
    violates: (subject) =>
      subject
        .valuesOf(OID.organizationIdentifier)
        .map((id) => registrationProblem(id, ['NTR', 'VAT', 'PSD', 'LEI', 'GOV', 'INT']))
        .find(Boolean),
  }),
  'smime-person': rule({
    demand:
      'A sponsor- or individual-validated certificate, unless legacy, must contain a given name, surname or pseudonym.',
    remedy: 'Add the validated name of the individual.',
    citation: 'CA/Browser Forum SMBR §7.1.4.2.5, §7.1.4.2.6',
    field: 'subject',
    violates: (subject) =>
      (isOfType(subject, 'sponsor') || isOfType(subject, 'individual')) &&
      !isLegacy(subject) &&
      !isPersonNamed(subject),
  }),
  'smime-pseudonym': rule({
    demand: 'A subject with a pseudonym must not contain a given name or surname.',
    remedy: 'Use either the pseudonym or the name.',
    citation: 'CA/Browser Forum SMBR §7.1.4.2.2 (e), (f)',
    field: 'subject.pseudonym',
    violates: (subject) => subject.has(OID.pseudonym) && (subject.has(OID.givenName) || subject.has(OID.surname)),
  }),
  'smime-individual-organization': rule({
    demand: 'An individual-validated certificate must not contain an organization.',
    remedy: 'Omit the organization, or use a sponsor-validated certificate.',
    citation: 'CA/Browser Forum SMBR §7.1.4.2.6',
    field: 'subject.organizationName',
    violates: (subject) => isOfType(subject, 'individual') && ORGANIZATION.some((attribute) => subject.has(attribute)),
  }),
} satisfies CertificateRules;

export const SMIME_BASELINE = {
  code: 'smime-baseline',
  name: 'S/MIME Baseline Requirements (CA/Browser Forum)',
  description: 'Requirements of the CA/Browser Forum for email certificates with one of its S/MIME policies.',
  rules: { ...PROFILE, ...SUBJECT },
} satisfies CertificateRuleSet;
