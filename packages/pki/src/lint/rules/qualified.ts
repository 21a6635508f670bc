// EU qualified certificates: ETSI EN 319 412 parts 1 (semantics), 2 (natural persons), 3 (legal persons), 4 (websites)
// and 5 (statements), and TS 119 495 (payment services). The rules apply to certificates that declare themselves
// qualified.
import {
  contentBytes,
  openElement,
  readChildren,
  readOid,
  readSmallInteger,
  type DerElement,
} from '../../der/reader.ts';
import { decodeTextLeniently } from '../../der/text.ts';
import { findExtension } from '../../x509/extensions.ts';
import { isCountry } from '../attribute-problems.ts';
import { OID } from '../../oids.ts';
import { registrationProblem } from '../organization-identifier.ts';
import { rulesFor, type CertificateRules, type CertificateRuleSet, type LintSubject } from '../certificate-rule.ts';
import { TAG } from '../../der/tags.ts';

const rule = rulesFor('qualified');

const STATEMENT = {
  limit: '0.4.0.1862.1.2',
  retention: '0.4.0.1862.1.3',
  disclosure: '0.4.0.1862.1.5',
  type: '0.4.0.1862.1.6',
  legislation: '0.4.0.1862.1.7',
  paymentServices: '0.4.0.19495.2',
} as const;
const TYPE = { signature: '0.4.0.1862.1.6.1', seal: '0.4.0.1862.1.6.2', web: '0.4.0.1862.1.6.3' } as const;
/** OID arc of the statements in EN 319 412-5. */
const STATEMENT_ARC = '0.4.0.1862.1.';
/** Payment service roles registered by ETSI (TS 119 495 annex A); others can be registered nationally. */
const PAYMENT_ROLES: ReadonlyMap<string, string> = new Map([
  ['0.4.0.19495.1.0', 'Unspecified'],
  ['0.4.0.19495.1.1', 'PSP_AS'],
  ['0.4.0.19495.1.2', 'PSP_PI'],
  ['0.4.0.19495.1.3', 'PSP_AI'],
  ['0.4.0.19495.1.4', 'PSP_IC'],
  ['0.4.0.19495.1.5', 'PSP_CB'],
  ['0.4.0.19495.1.6', 'PSP_PA'],
  ['0.4.0.19495.1.51', 'VOP_RS'],
  ['0.4.0.19495.1.52', 'VOP_VS'],
]);
/** Identifiers in nationally defined schemes: two letters and a colon instead of three letters. */
const NATIONAL_IDENTIFIER = /^[A-Z]{2}:[A-Z]{2}-.+$/;
/** QCP-n, QCP-l, QCP-n-qscd, QCP-l-qscd, QEVCP-w, QNCP-w, QNCP-w-gen (EN 319 411-2 §5.3). */
const POLICIES = /^0\.4\.0\.194112\.1\.[0-6]$/;

const textOf = (element: DerElement | undefined): string =>
  element === undefined ? '' : (decodeTextLeniently(element.tag, contentBytes(element)) ?? '');
const infoOf = ({ qcStatements }: LintSubject, oid: string): DerElement | undefined =>
  qcStatements.find((statement) => statement.oid === oid)?.info;
const membersOf = (subject: LintSubject, oid: string): DerElement[] => {
  const info = infoOf(subject, oid);
  return info === undefined ? [] : readChildren(openList(info));
};
function openList(info: DerElement): DerElement {
  openElement(info, TAG.sequence);
  return info;
}
function readRole(role: DerElement): { oid: string; name: string } {
  const cursor = openElement(role, TAG.sequence);
  return { oid: readOid(cursor.next()), name: textOf(cursor.next()) };
}
/**
 * Returns the types in the QcType statement. Without this statement, a certificate is for signatures (EN 319 412-5
 * §4.2.3).
 */
const typesOf = (subject: LintSubject): string[] => membersOf(subject, STATEMENT.type).map((each) => readOid(each));
const hasType = (subject: LintSubject, type: keyof typeof TYPE): boolean => typesOf(subject).includes(TYPE[type]);
const isForPerson = (subject: LintSubject): boolean => typesOf(subject).length === 0 || hasType(subject, 'signature');

const STATEMENTS = {
  'qc-statements-not-critical': rule({
    demand: 'The qcStatements extension must not be critical.',
    remedy: 'Mark the extension as not critical.',
    citation: 'ETSI EN 319 412-5 §4.1',
    field: 'extensions.qcStatements.critical',
    violates: ({ certificate }) => findExtension(certificate.extensions, OID.qcStatements)?.critical === true,
  }),
  'qc-statements-distinct': rule({
    demand: 'A statement defined by ETSI must not occur more than once.',
    remedy: 'Include each statement only once.',
    citation: 'ETSI EN 319 412-5 §4.1',
    field: 'extensions.qcStatements',
    violates: ({ qcStatements }) => {
      const made = qcStatements.map(({ oid }) => oid).filter((oid) => oid.startsWith(STATEMENT_ARC));
      return new Set(made).size < made.length;
    },
  }),
  'qc-type': rule({
    demand: 'The certificate must declare exactly one type: for signatures, for seals or for websites.',
    remedy: 'Declare the one type that matches the purpose of the certificate.',
    citation: 'ETSI EN 319 412-5 §4.2.3',
    field: 'extensions.qcStatements',
    violates: (subject) => {
      const types = typesOf(subject);
      const isStated = subject.qcStatements.some(({ oid }) => oid === STATEMENT.type);
      return isStated && (types.length !== 1 || !Object.values<string>(TYPE).includes(types[0] ?? ''));
    },
  }),
  'qc-disclosure-https': rule({
    demand: 'The URL of a PKI disclosure statement must use https.',
    remedy: 'Use an https URL.',
    citation: 'ETSI EN 319 412-5 §4.3.4',
    field: 'extensions.qcStatements',
    violates: (subject) => {
      const urls = membersOf(subject, STATEMENT.disclosure).map((location) => textOf(readChildren(location)[0]));
      const wrong = urls.find((url) => !/^https:\/\/[^/]/i.test(url));
      return wrong === undefined ? undefined : { value: wrong };
    },
  }),
  'qc-disclosure-english': rule({
    demand: 'One of the PKI disclosure statements must be in English.',
    remedy: 'Add the URL of the English statement.',
    citation: 'ETSI EN 319 412-5 §4.3.4',
    field: 'extensions.qcStatements',
    violates: (subject) => {
      const locations = membersOf(subject, STATEMENT.disclosure);
      return (
        locations.length > 0 && !locations.some((location) => textOf(readChildren(location)[1]).toLowerCase() === 'en')
      );
    },
  }),
  'qc-limit': rule({
    demand: 'The currency of the transaction limit must be an ISO 4217 code.',
    remedy: 'Use the three-letter uppercase code, such as EUR, or the numeric code.',
    citation: 'ETSI EN 319 412-5 §4.3.2',
    field: 'extensions.qcStatements',
    violates: (subject) => {
      const [currency] = membersOf(subject, STATEMENT.limit);
      return currency !== undefined && currency.tag !== TAG.integer && !/^[A-Z]{3}$/.test(textOf(currency));
    },
  }),
  'qc-retention': rule({
    demand: 'The retention period must not be negative.',
    remedy: 'Specify the number of years after the certificate expires.',
    citation: 'ETSI EN 319 412-5 §4.3.3',
    field: 'extensions.qcStatements',
    violates: (subject) => {
      const years = infoOf(subject, STATEMENT.retention);
      return years !== undefined && readSmallInteger(years) < 0;
    },
  }),
  'qc-legislation': rule({
    demand: 'Countries of legislation must be ISO 3166-1 codes.',
    remedy: 'Use the two-letter country code in uppercase.',
    citation: 'ETSI EN 319 412-5 §4.2.4',
    field: 'extensions.qcStatements',
    violates: (subject) => {
      const wrong = membersOf(subject, STATEMENT.legislation)
        .map(textOf)
        .find((code) => !isCountry(code));
      return wrong === undefined ? undefined : { value: wrong };
    },
  }),
  'qc-payment-roles': rule({
    demand:
      'A payment service provider must have a role, and roles registered by ETSI must use their registered names.',
    remedy: 'Specify the roles granted by the competent authority, such as PSP_AI with 0.4.0.19495.1.3.',
    citation: 'ETSI TS 119 495 §5.2.2',
    field: 'extensions.qcStatements',
    violates: (subject) => {
      const [roles] = membersOf(subject, STATEMENT.paymentServices);
      if (roles === undefined) return false;
      const stated = readChildren(roles).map((role) => readRole(role));
      const wrong = stated.find(({ oid, name }) => (PAYMENT_ROLES.get(oid) ?? name) !== name);
      return wrong === undefined ? stated.length === 0 : { value: `${wrong.oid} ${wrong.name}` };
    },
  }),
  'qc-policy': rule({
    demand: 'A qualified certificate should contain the ETSI policy under which it was issued.',
    remedy: 'Add policy QCP-n, QCP-l, QCP-w or one of their variants.',
    citation: 'ETSI EN 319 411-2 §5.3',
    severity: 'warning',
    field: 'extensions.certificatePolicies',
    violates: ({ policyOids }) => !policyOids.some((oid) => POLICIES.test(oid)),
  }),
} satisfies CertificateRules;

const has = (subject: LintSubject, ...oids: readonly string[]): boolean => oids.every((oid) => subject.has(oid));

const SUBJECTS = {
  'qc-person-subject': rule({
    demand: 'The subject of a certificate for signatures must contain country, common name, and a name or a pseudonym.',
    remedy: 'Add countryName, commonName, and givenName, surname or pseudonym.',
    citation: 'ETSI EN 319 412-2 §4.2.4',
    field: 'subject',
    violates: (subject) =>
      isForPerson(subject) &&
      !(
        has(subject, OID.countryName, OID.commonName) &&
        (subject.has(OID.givenName) || subject.has(OID.surname) || subject.has(OID.pseudonym))
      ),
  }),
  'qc-pseudonym': rule({
    demand: 'A subject with a given name and a surname must not contain a pseudonym.',
    remedy: 'Identify the person by either name or pseudonym, not both.',
    citation: 'ETSI EN 319 412-2 §4.2.4',
    field: 'subject.pseudonym',
    violates: (subject) => has(subject, OID.pseudonym, OID.givenName, OID.surname),
  }),
  'qc-organization-subject': rule({
    demand:
      'The subject of a certificate for seals must contain country, organization, organization identifier and common name.',
    remedy: 'Add countryName, organizationName, organizationIdentifier and commonName.',
    citation: 'ETSI EN 319 412-3 §4.2.1',
    field: 'subject',
    violates: (subject) =>
      hasType(subject, 'seal') &&
      !has(subject, OID.countryName, OID.organizationName, OID.organizationIdentifier, OID.commonName),
  }),
  'qc-organization-identifier': rule({
    demand: 'An organization identifier must consist of a scheme, a country and a number, such as VATDE-123456789.',
    remedy:
      'Use VAT, NTR, PSD or LEI, or two letters and a colon (EI:SE-200007292386), then the country and the number.',
    citation: 'ETSI EN 319 412-1 §5.1.4',
    field: 'subject.organizationIdentifier',
    violates: (subject) =>
      subject
        .valuesOf(OID.organizationIdentifier)
        .filter((id) => !NATIONAL_IDENTIFIER.test(id))
        .map((id) => registrationProblem(id, ['VAT', 'NTR', 'PSD', 'LEI', 'EOR', 'EXC']))
        .find(Boolean),
  }),
  'qc-issuer': rule({
    demand: 'The issuer name must contain country, organization and common name.',
    remedy: 'Issue the certificate from a CA whose name has these attributes.',
    citation: 'ETSI EN 319 412-2 §4.2.3.1',
    field: 'issuer',
    violates: ({ certificate }) => {
      const types = new Set(certificate.issuer.rdns.flat().map(({ type }) => type));
      return ![OID.countryName, OID.organizationName, OID.commonName].every((oid) => types.has(oid));
    },
  }),
  'qc-key-usage': rule({
    demand: 'The key usage must be one of the combinations of types A to F, preferably nonRepudiation alone.',
    remedy: 'Use nonRepudiation alone for binding signatures, and separate certificates for other purposes.',
    citation: 'ETSI EN 319 412-2 §4.3.2; EN 319 412-3 §4.3.1',
    field: 'extensions.keyUsage',
    violates: (subject) => {
      const { keyUsage = [] } = subject.certificate;
      const usages = [...keyUsage].toSorted().join(' ');
      return !hasType(subject, 'web') && !USAGES.has(usages);
    },
  }),
  'qc-access': rule({
    demand: 'The certificate must contain the URL of its issuer certificate.',
    remedy: 'Add the URL of the issuer certificate to authorityInfoAccess.',
    citation: 'ETSI EN 319 412-2 §4.4.1',
    field: 'extensions.authorityInfoAccess',
    violates: ({ certificate }) => certificate.caIssuersUrls.length === 0,
  }),
  'qc-web-names': rule({
    demand: "A certificate for websites must have the extended key usage serverAuth and contain the website's name.",
    remedy: "Add the extended key usage and the website's DNS names.",
    citation: 'ETSI EN 319 412-4 §4.1',
    field: 'extensions.subjectAltName',
    violates: (subject) =>
      hasType(subject, 'web') &&
      (subject.certificate.extKeyUsage?.includes(OID.serverAuth) !== true ||
        subject.certificate.subjectAltNames.length === 0),
  }),
} satisfies CertificateRules;

/** Types A to F from EN 319 412-2 §4.3.2, sorted. */
const USAGES: ReadonlySet<string> = new Set([
  'nonRepudiation',
  'digitalSignature nonRepudiation',
  'digitalSignature',
  'digitalSignature keyEncipherment',
  'digitalSignature keyAgreement',
  'keyEncipherment',
  'keyAgreement',
  'digitalSignature keyEncipherment nonRepudiation',
  'digitalSignature keyAgreement nonRepudiation',
]);

export const QUALIFIED = {
  code: 'qualified',
  name: 'Qualified certificates (ETSI EN 319 412)',
  description: 'ETSI requirements for certificates that declare themselves EU qualified certificates.',
  rules: { ...STATEMENTS, ...SUBJECTS },
} satisfies CertificateRuleSet;
