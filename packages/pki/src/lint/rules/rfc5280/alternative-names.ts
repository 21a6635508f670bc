// Subject alternative names (RFC 5280 §4.2.1.6): presence, criticality, and the syntax of each type.
import { commonName, isEmptyName } from '../../../names.ts';
import { firstProblem, type NameProblem } from '../../alternative-name-problems.ts';
import { findExtension } from '../../../x509/extensions.ts';
import { formatGeneralName } from '../../../x509/general-names.ts';
import { hiddenCharacterOfGeneralName } from '../../../x509/name-characters.ts';
import { OID } from '../../../oids.ts';
import * as problems from '../../alternative-name-problems.ts';
import type { CertificateRule, CertificateRules } from '../../certificate-rule.ts';

const ALTERNATIVE_NAME_PRESENCE = {
  'san-required': {
    demand: 'If the subject is empty, the certificate must contain a SAN.',
    remedy: 'Add the names that the certificate is for as SANs.',
    citation: 'RFC 5280 §4.1.2.6',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => isEmptyName(certificate.subject) && certificate.subjectAltNames.length === 0,
  },
  'san-critical-when-subject-empty': {
    demand: 'If the subject is empty, the subjectAltName extension must be critical.',
    remedy: 'Mark the extension as critical, or add a subject.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    field: 'extensions.subjectAltName.critical',
    violates: ({ certificate }) =>
      isEmptyName(certificate.subject) && findExtension(certificate.extensions, OID.subjectAltName)?.critical === false,
  },
  'san-not-critical-with-subject': {
    demand: 'If the subject is not empty, the subjectAltName extension should not be critical.',
    remedy: 'Mark the extension as non-critical.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'warning',
    field: 'extensions.subjectAltName.critical',
    violates: ({ certificate }) =>
      !isEmptyName(certificate.subject) && findExtension(certificate.extensions, OID.subjectAltName)?.critical === true,
  },
  'san-not-empty': {
    demand: 'The subjectAltName extension must not be empty.',
    remedy: 'Add a name, or omit the extension.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) =>
      certificate.extensionValue(OID.subjectAltName) !== undefined && certificate.subjectAltNames.length === 0,
  },
  'server-san-required': {
    demand: 'A server certificate must contain a SAN: current software ignores the common name.',
    remedy: 'Add every name under which the server can be reached as a SAN.',
    citation: 'RFC 9525 §2',
    severity: 'warning',
    field: 'extensions.subjectAltName',
    appliesTo: ['server'],
    violates: ({ certificate }) => certificate.subjectAltNames.length === 0,
  },
  'server-common-name-in-san': {
    demand: 'The common name of a server certificate should also be a SAN.',
    remedy: 'Add the common name as a SAN, or omit it from the subject.',
    citation: 'CA/Browser Forum BR §7.1.4.3',
    severity: 'warning',
    field: 'subject.commonName',
    appliesTo: ['server'],
    violates: ({ certificate: { subject, subjectAltNames } }) => {
      const name = commonName(subject)?.toLowerCase();
      // The rule `server-san-required` reports this case.
      if (name === undefined || subjectAltNames.length === 0) return false;
      return !subjectAltNames.some((entry) => formatGeneralName(entry).toLowerCase() === name);
    },
  },
} satisfies CertificateRules;

const ALTERNATIVE_NAME_SYNTAX = {
  'san-hidden-character': {
    demand: 'A SAN must not contain invisible characters.',
    remedy: 'Remove the invisible character from the name.',
    citation: 'RFC 4518 §2.4; Unicode UAX #9',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => {
      const character = certificate.subjectAltNames.map(hiddenCharacterOfGeneralName).find(Boolean);
      return (
        character !== undefined &&
        `A SAN contains the invisible character ${character}, which makes it look like a different name.`
      );
    },
  },
  'san-dns-syntax': {
    demand: 'A DNS name must be a valid host name; a wildcard can only be its entire first label.',
    remedy: 'Use letters, digits and hyphens, and Punycode for internationalized names.',
    citation: 'RFC 5280 §4.2.1.6; RFC 1034 §3.5',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.dnsSyntax),
  },
  'san-dns-underscore': {
    demand: 'A DNS name should not contain an underscore.',
    remedy: 'Use a host name without an underscore.',
    citation: 'RFC 1034 §3.5',
    severity: 'warning',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.underscore),
  },
  'san-dns-reserved-label': {
    demand: 'Only Punycode labels should have hyphens as their third and fourth characters.',
    remedy: 'Use a label without hyphens in the third and fourth position, or correct the xn-- prefix.',
    citation: 'RFC 5890 §2.3.1',
    severity: 'warning',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.reservedLabel),
  },
  'san-email-syntax': {
    demand: 'An email address must be an ASCII mailbox and nothing else.',
    remedy: 'Write the address as local@domain, without a display name.',
    citation: 'RFC 5280 §4.2.1.6; RFC 5321 §4.1.2',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.mailboxSyntax),
  },
  'san-utf8-mailbox': {
    demand: 'An internationalized mailbox must be a UTF8String with non-ASCII characters only before the @.',
    remedy: 'Use rfc822Name for ASCII addresses, and SmtpUTF8Mailbox with the domain in A-labels for all others.',
    citation: 'RFC 9598 §3',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.utf8Mailbox),
  },
  'san-uri-syntax': {
    demand: 'A URI must be absolute, and its host, if present, must be well-formed.',
    remedy: 'Use the complete URI, including its scheme and a well-formed host.',
    citation: 'RFC 5280 §4.2.1.6; RFC 3986',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.uriSyntax),
  },
  'san-ip-length': {
    demand: 'An IP address must be 4 or 16 bytes long.',
    remedy: 'Encode IPv4 addresses in 4 bytes and IPv6 addresses in 16.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.addressLength),
  },
  'san-duplicate': {
    demand: 'A SAN should not appear twice.',
    remedy: 'Remove the duplicate.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'warning',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => {
      const seen = new Set<string>();
      return firstProblem(certificate.subjectAltNames, (name) => {
        const known = seen.size;
        return seen.add(`${name.kind}:${formatGeneralName(name).toLowerCase()}`).size === known && 'appears twice';
      });
    },
  },
} satisfies CertificateRules;

/** Returns a rule for each subject alternative name. */
function nameRule(
  facts: Pick<CertificateRule, 'demand' | 'remedy' | 'citation' | 'severity'>,
  problemOf: NameProblem,
): CertificateRule {
  return {
    ...facts,
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problemOf),
  };
}

const INTERNATIONAL_AND_OTHER_NAMES = {
  'san-dns-a-label': nameRule(
    {
      demand: 'A label that begins with xn-- must be valid Punycode.',
      remedy: 'Convert the internationalized name to A-labels again (IDNA 2008).',
      citation: 'RFC 9549 §2.3; RFC 3492 §6.2',
      severity: 'error',
    },
    problems.aLabel(true),
  ),
  'san-dns-look-alike': nameRule(
    {
      demand:
        'An internationalized label should contain only IDNA 2008 characters and should not resemble a different name.',
      remedy: 'Check that the name is the intended one and not an imitation.',
      citation: 'RFC 5891 §4.2; Unicode UTS #39 §5.2',
      severity: 'warning',
    },
    problems.aLabel(false),
  ),
  'san-dns-a-label-case': nameRule(
    {
      demand: 'An A-label should be lowercase.',
      remedy: 'Write the label in lowercase.',
      citation: 'RFC 9549 §2.3; RFC 5890 §2.3.2.1',
      severity: 'notice',
    },
    problems.aLabelCase,
  ),
  'san-directory-name': nameRule(
    {
      demand: 'A directory name in the SANs must not be empty.',
      remedy: 'Add an attribute to the name, or omit it.',
      citation: 'RFC 5280 §4.2.1.6',
      severity: 'error',
    },
    problems.emptyDirectoryName,
  ),
  'san-obsolete-kind': nameRule(
    {
      demand: 'X.400 addresses and EDI party names should no longer be used.',
      remedy: 'Identify the subject by a DNS name, mailbox, URI or directory name.',
      citation: 'RFC 5280 §4.2.1.6',
      severity: 'notice',
    },
    problems.obsoleteKind,
  ),
  'san-service-name': nameRule(
    {
      demand: 'A service name must be an IA5String of the form _service.domain.',
      remedy: 'Use an underscore, the service, a dot and the domain.',
      citation: 'RFC 4985 §2',
      severity: 'error',
    },
    problems.serviceName,
  ),
  'san-utf8-mailbox-mark': nameRule(
    {
      demand: 'An internationalized mailbox must not begin with a byte order mark.',
      remedy: 'Omit the byte order mark.',
      citation: 'RFC 9598 §3',
      severity: 'error',
    },
    problems.byteOrderMark,
  ),
  'issuer-alt-name-syntax': {
    demand: "The issuer's alternative names must be well-formed host names, mailboxes and URIs.",
    remedy: 'Correct the name, or omit the extension.',
    citation: 'RFC 5280 §4.2.1.7',
    severity: 'error',
    field: 'extensions.issuerAltName',
    violates: ({ certificate: { issuerAltNames } }) =>
      firstProblem(issuerAltNames, problems.dnsSyntax) ??
      firstProblem(issuerAltNames, problems.mailboxSyntax) ??
      firstProblem(issuerAltNames, problems.uriSyntax),
  },
} satisfies CertificateRules;

export const ALTERNATIVE_NAMES = {
  ...ALTERNATIVE_NAME_PRESENCE,
  ...ALTERNATIVE_NAME_SYNTAX,
  ...INTERNATIONAL_AND_OTHER_NAMES,
} satisfies CertificateRules;
