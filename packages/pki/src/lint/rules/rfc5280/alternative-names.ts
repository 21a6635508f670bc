// Subject alternative names (RFC 5280 §4.2.1.6): presence, criticality, and the syntax of each kind.
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
    demand: 'A certificate with an empty subject must have an alternative name.',
    remedy: 'Add the names that the certificate is for as alternative names.',
    citation: 'RFC 5280 §4.1.2.6',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => isEmptyName(certificate.subject) && certificate.subjectAltNames.length === 0,
  },
  'san-critical-when-subject-empty': {
    demand: 'With an empty subject, the subjectAltName extension must be critical.',
    remedy: 'Mark the extension critical, or give the certificate a subject.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    field: 'extensions.subjectAltName.critical',
    violates: ({ certificate }) =>
      isEmptyName(certificate.subject) && findExtension(certificate.extensions, OID.subjectAltName)?.critical === false,
  },
  'san-not-critical-with-subject': {
    demand: 'With a subject, the subjectAltName extension should not be critical.',
    remedy: 'Mark the extension as not critical.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'warning',
    field: 'extensions.subjectAltName.critical',
    violates: ({ certificate }) =>
      !isEmptyName(certificate.subject) && findExtension(certificate.extensions, OID.subjectAltName)?.critical === true,
  },
  'san-not-empty': {
    demand: 'The subjectAltName extension must not be empty.',
    remedy: 'Add a name, or leave the extension out.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) =>
      certificate.extensionValue(OID.subjectAltName) !== undefined && certificate.subjectAltNames.length === 0,
  },
  'server-san-required': {
    demand: 'A server certificate needs an alternative name: current software ignores the common name.',
    remedy: 'Add every name by which the server is reached as an alternative name.',
    citation: 'RFC 9525 §2',
    severity: 'warning',
    field: 'extensions.subjectAltName',
    appliesTo: ['server'],
    violates: ({ certificate }) => certificate.subjectAltNames.length === 0,
  },
  'server-common-name-in-san': {
    demand: 'The common name of a server certificate should be among its alternative names.',
    remedy: 'Add the common name as an alternative name, or leave it out of the subject.',
    citation: 'CA/Browser Forum BR §7.1.4.3',
    severity: 'warning',
    field: 'subject.commonName',
    appliesTo: ['server'],
    violates: ({ certificate: { subject, subjectAltNames } }) => {
      const name = commonName(subject)?.toLowerCase();
      if (name === undefined || subjectAltNames.length === 0) return false; // `server-san-required` says so
      return !subjectAltNames.some((entry) => formatGeneralName(entry).toLowerCase() === name);
    },
  },
} satisfies CertificateRules;

const ALTERNATIVE_NAME_SYNTAX = {
  'san-hidden-character': {
    demand: 'An alternative name must not contain invisible characters.',
    remedy: 'Write the name without the invisible character.',
    citation: 'RFC 4518 §2.4; Unicode UAX #9',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => {
      const character = certificate.subjectAltNames.map(hiddenCharacterOfGeneralName).find(Boolean);
      return (
        character !== undefined &&
        `An alternative name contains the invisible character ${character}, which makes it look like another one.`
      );
    },
  },
  'san-dns-syntax': {
    demand: 'A DNS name must be a host name; a wildcard may only be its whole first label.',
    remedy: 'Write the host name in letters, digits and hyphens, international names in Punycode.',
    citation: 'RFC 5280 §4.2.1.6; RFC 1034 §3.5',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.dnsSyntax),
  },
  'san-dns-underscore': {
    demand: 'A DNS name should not have an underscore.',
    remedy: 'Use a host name without an underscore.',
    citation: 'RFC 1034 §3.5',
    severity: 'warning',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.underscore),
  },
  'san-dns-reserved-label': {
    demand: 'Only labels in Punycode should have hyphens as their third and fourth characters.',
    remedy: 'Use a label without two hyphens in the third and fourth place, or correct the prefix xn--.',
    citation: 'RFC 5890 §2.3.1',
    severity: 'warning',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.reservedLabel),
  },
  'san-email-syntax': {
    demand: 'An e-mail address must be a mailbox in ASCII and nothing else.',
    remedy: 'Write the address as local@domain, without a display name.',
    citation: 'RFC 5280 §4.2.1.6; RFC 5321 §4.1.2',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.mailboxSyntax),
  },
  'san-utf8-mailbox': {
    demand: 'An internationalized mailbox must be a UTF8String with non-ASCII characters only before the @.',
    remedy: 'Use rfc822Name for addresses in ASCII, and SmtpUTF8Mailbox with the domain in A-labels for others.',
    citation: 'RFC 9598 §3',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.utf8Mailbox),
  },
  'san-uri-syntax': {
    demand: 'A URI must be absolute, and its host, if any, must be well-formed.',
    remedy: 'Write the whole URI, with its scheme and a well-formed host.',
    citation: 'RFC 5280 §4.2.1.6; RFC 3986',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.uriSyntax),
  },
  'san-ip-length': {
    demand: 'An IP address must be 4 or 16 octets long.',
    remedy: 'Encode IPv4 addresses in 4 octets and IPv6 addresses in 16.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    field: 'extensions.subjectAltName',
    violates: ({ certificate }) => firstProblem(certificate.subjectAltNames, problems.addressLength),
  },
  'san-duplicate': {
    demand: 'An alternative name should not appear twice.',
    remedy: 'Name it once.',
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

/** A rule about each alternative name. */
function eachName(
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
  'san-dns-a-label': eachName(
    {
      demand: 'A label that begins with xn-- must be Punycode.',
      remedy: 'Convert the international name to A-labels again (IDNA 2008).',
      citation: 'RFC 9549 §2.3; RFC 3492 §6.2',
      severity: 'error',
    },
    problems.aLabel(true),
  ),
  'san-dns-look-alike': eachName(
    {
      demand: 'An international label should have only characters of IDNA 2008, and not look like another name.',
      remedy: 'Make sure that the name is the one that is meant, and not one that imitates it.',
      citation: 'RFC 5891 §4.2; Unicode UTS #39 §5.2',
      severity: 'warning',
    },
    problems.aLabel(false),
  ),
  'san-dns-a-label-case': eachName(
    {
      demand: 'An A-label should be in lower case.',
      remedy: 'Write the label in lower case.',
      citation: 'RFC 9549 §2.3; RFC 5890 §2.3.2.1',
      severity: 'notice',
    },
    problems.aLabelCase,
  ),
  'san-directory-name': eachName(
    {
      demand: 'A directory name among the alternative names must not be empty.',
      remedy: 'Give the name an attribute, or leave it out.',
      citation: 'RFC 5280 §4.2.1.6',
      severity: 'error',
    },
    problems.emptyDirectoryName,
  ),
  'san-obsolete-kind': eachName(
    {
      demand: 'Addresses of X.400 and names of EDI parties should not be used any more.',
      remedy: 'Name the subject by a DNS name, a mailbox, a URI or a directory name.',
      citation: 'RFC 5280 §4.2.1.6',
      severity: 'notice',
    },
    problems.obsoleteKind,
  ),
  'san-service-name': eachName(
    {
      demand: 'The name of a service must be an IA5String of the form _service.domain.',
      remedy: 'Write an underscore, the service, a dot and the domain.',
      citation: 'RFC 4985 §2',
      severity: 'error',
    },
    problems.serviceName,
  ),
  'san-utf8-mailbox-mark': eachName(
    {
      demand: 'An internationalized mailbox must not begin with a byte order mark.',
      remedy: 'Leave the byte order mark out.',
      citation: 'RFC 9598 §3',
      severity: 'error',
    },
    problems.byteOrderMark,
  ),
  'issuer-alt-name-syntax': {
    demand: 'The alternative names of the issuer must be well-formed host names, mailboxes and URIs.',
    remedy: 'Correct the name, or leave the extension out.',
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
