// Subject alternative names (RFC 5280 §4.2.1.6): presence, criticality, and the syntax of each kind.
import { commonName, isEmptyName } from '../../names.ts';
import { dnsProblem, mailboxProblem, uriProblem } from '../name-syntax.ts';
import { findExtension } from '../../x509/extensions.ts';
import { formatGeneralName, type GeneralName } from '../../x509/general-names.ts';
import { hiddenCharacterOfGeneralName } from '../../x509/name-characters.ts';
import { OID } from '../../oids.ts';
import { TAG } from '../../der/tags.ts';
import type { CertificateRuleGroup, LintSubject } from '../certificate-rule.ts';

/** A sentence about the first alternative name that has a problem. */
function firstProblem(
  { certificate }: LintSubject,
  problemOf: (name: GeneralName) => string | false | undefined,
): string | undefined {
  for (const name of certificate.subjectAltNames) {
    const problem = problemOf(name);
    if (problem !== undefined && problem !== false)
      return `The alternative name "${formatGeneralName(name).slice(0, 255)}" ${problem}.`;
  }
  return undefined;
}

const labelsOf = (name: GeneralName): string[] => (name.kind === 'dNSName' ? name.value.split('.') : []);

/** RFC 9598 §3: a UTF8String whose local part rfc822Name could not hold, at a domain in ASCII. */
function utf8MailboxProblem(der: Uint8Array): string | undefined {
  if (der[0] !== TAG.utf8String) return 'must be a UTF8String';
  const text = new TextDecoder().decode(der);
  const at = text.lastIndexOf('@');
  const isAscii = (part: string): boolean => /^[\x20-\x7e]*$/.test(part);
  if (!isAscii(text.slice(at + 1))) return 'must write its domain in ASCII';
  return isAscii(text.slice(2, at)) ? 'belongs in an rfc822Name, since its local part is ASCII' : undefined;
}

const ALTERNATIVE_NAME_PRESENCE = {
  'san-required': {
    demand: 'A certificate with an empty subject must have an alternative name.',
    citation: 'RFC 5280 §4.1.2.6',
    severity: 'error',
    violates: ({ certificate }) => isEmptyName(certificate.subject) && certificate.subjectAltNames.length === 0,
  },
  'san-critical-when-subject-empty': {
    demand: 'With an empty subject, the subjectAltName extension must be critical.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    violates: ({ certificate }) =>
      isEmptyName(certificate.subject) && findExtension(certificate.extensions, OID.subjectAltName)?.critical === false,
  },
  'san-not-critical-with-subject': {
    demand: 'With a subject, the subjectAltName extension should not be critical.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'warning',
    violates: ({ certificate }) =>
      !isEmptyName(certificate.subject) && findExtension(certificate.extensions, OID.subjectAltName)?.critical === true,
  },
  'san-not-empty': {
    demand: 'The subjectAltName extension must not be empty.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    violates: ({ certificate }) =>
      certificate.extensionValue(OID.subjectAltName) !== undefined && certificate.subjectAltNames.length === 0,
  },
  'server-san-required': {
    demand: 'A server certificate needs an alternative name: current software ignores the common name.',
    citation: 'RFC 9525 §2',
    severity: 'warning',
    appliesTo: ['server'],
    violates: ({ certificate }) => certificate.subjectAltNames.length === 0,
  },
  'server-common-name-in-san': {
    demand: 'The common name of a server certificate should be among its alternative names.',
    citation: 'CA/Browser Forum BR §7.1.4.3',
    severity: 'warning',
    appliesTo: ['server'],
    violates: ({ certificate: { subject, subjectAltNames } }) => {
      const name = commonName(subject)?.toLowerCase();
      if (name === undefined || subjectAltNames.length === 0) return false; // `server-san-required` says so
      return !subjectAltNames.some((entry) => formatGeneralName(entry).toLowerCase() === name);
    },
  },
} satisfies CertificateRuleGroup['rules'];

const ALTERNATIVE_NAME_SYNTAX = {
  'san-hidden-character': {
    demand: 'An alternative name must not contain invisible characters.',
    citation: 'RFC 4518 §2.4; Unicode UAX #9',
    severity: 'error',
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
    citation: 'RFC 5280 §4.2.1.6; RFC 1034 §3.5',
    severity: 'error',
    violates: (subject) => firstProblem(subject, (name) => name.kind === 'dNSName' && dnsProblem(name.value)),
  },
  'san-dns-underscore': {
    demand: 'A DNS name should not have an underscore.',
    citation: 'RFC 1034 §3.5',
    severity: 'warning',
    violates: (subject) =>
      firstProblem(
        subject,
        (name) =>
          name.kind === 'dNSName' && name.value.includes('_') && 'has an underscore, which host names must not have',
      ),
  },
  'san-dns-reserved-label': {
    demand: 'Only labels in Punycode should have hyphens as their third and fourth characters.',
    citation: 'RFC 5890 §2.3.1',
    severity: 'warning',
    violates: (subject) =>
      firstProblem(
        subject,
        (name) => labelsOf(name).some((label) => /^(?!xn)..--/i.test(label)) && 'has a reserved label',
      ),
  },
  'san-email-syntax': {
    demand: 'An e-mail address must be a mailbox in ASCII and nothing else.',
    citation: 'RFC 5280 §4.2.1.6; RFC 5321 §4.1.2',
    severity: 'error',
    violates: (subject) => firstProblem(subject, (name) => name.kind === 'rfc822Name' && mailboxProblem(name.value)),
  },
  'san-utf8-mailbox': {
    demand: 'An internationalized mailbox must be a UTF8String with non-ASCII characters only before the @.',
    citation: 'RFC 9598 §3',
    severity: 'error',
    violates: (subject) =>
      firstProblem(
        subject,
        (name) => name.kind === 'otherName' && name.type === OID.smtpUtf8Mailbox && utf8MailboxProblem(name.value),
      ),
  },
  'san-uri-syntax': {
    demand: 'A URI must be absolute, and its host, if any, must be well-formed.',
    citation: 'RFC 5280 §4.2.1.6; RFC 3986',
    severity: 'error',
    violates: (subject) =>
      firstProblem(subject, (name) => name.kind === 'uniformResourceIdentifier' && uriProblem(name.value)),
  },
  'san-ip-length': {
    demand: 'An IP address must be 4 or 16 octets long.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    violates: (subject) =>
      firstProblem(
        subject,
        (name) => name.kind === 'iPAddress' && ![4, 16].includes(name.octets.length) && 'is not 4 or 16 octets long',
      ),
  },
  'san-duplicate': {
    demand: 'An alternative name should not appear twice.',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'warning',
    violates: (subject) => {
      const seen = new Set<string>();
      return firstProblem(subject, (name) => {
        const known = seen.size;
        return seen.add(`${name.kind}:${formatGeneralName(name).toLowerCase()}`).size === known && 'appears twice';
      });
    },
  },
} satisfies CertificateRuleGroup['rules'];

export const ALTERNATIVE_NAMES = {
  name: 'Alternative names',
  description: 'Presence and syntax of subject alternative names',
  rules: { ...ALTERNATIVE_NAME_PRESENCE, ...ALTERNATIVE_NAME_SYNTAX },
} satisfies CertificateRuleGroup;
