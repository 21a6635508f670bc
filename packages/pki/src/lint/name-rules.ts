// Lint rules on alternative names (RFC 5280 §4.2.1.6): presence, criticality, and the syntax of each kind.
import { commonName, isEmptyName } from '../names.ts';
import { findExtension } from '../x509/extensions.ts';
import { formatGeneralName, type GeneralName } from '../x509/general-names.ts';
import { OID } from '../oids.ts';
import { parseIpAddress } from '../x509/ip-address.ts';
import { hiddenCharacterOfGeneralName, hiddenCharacterOfName } from '../x509/name-characters.ts';
import { when, type LintRule, type LintSubject } from './rule.ts';

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i;

/**
 * Why a text is no DNS name for a certificate: preferred syntax (RFC 1034 §3.5), at most 253 octets, a wildcard only as the whole
 * first label (RFC 6125 §6.4.3). Underscores are taken here; `san-dns-underscore` reports them.
 */
function dnsProblem(name: string): string | undefined {
  if (name === '' || name.length > 253) return 'is empty or longer than 253 characters';
  if (parseIpAddress(name) !== undefined) return 'is an IP address';
  if (name.endsWith('.')) return 'must not end with a dot';
  const labels = name.split('.');
  const hasWildcard = labels[0] === '*';
  const rest = hasWildcard ? labels.slice(1) : labels;
  if (hasWildcard && rest.length === 0) return 'is a wildcard without a domain';
  if (!rest.every((label) => LABEL.test(label))) return 'is not a host name';
  return /^\d+$/.test(rest.at(-1) ?? '') ? 'ends with a number' : undefined;
}

/** Mailbox as RFC 5280 §4.2.1.6 wants it: `local@domain` in ASCII, nothing around it. */
function mailboxProblem(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  if (at <= 0) return 'is not a mailbox';
  const local = address.slice(0, at);
  const isDotAtom = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i.test(local);
  const isQuoted = /^"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/.test(local);
  if (local.length > 64 || !(isDotAtom || isQuoted)) return 'has a malformed local part';
  const domain = address.slice(at + 1);
  if (domain.startsWith('[')) return undefined;
  return dnsProblem(domain) === undefined && !domain.startsWith('*') ? undefined : 'has a malformed domain';
}

/** RFC 5280 §4.2.1.6: absolute, with a scheme and something after it; only characters of RFC 3986. */
function uriProblem(uri: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(uri)) return 'is not an absolute URI';
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(uri)?.[1];
  if (authority === undefined) return undefined;
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  return parseIpAddress(address) !== undefined || dnsProblem(host) === undefined ? undefined : 'has a malformed host';
}

function firstProblem(subject: LintSubject, judge: (name: GeneralName) => string | undefined): string | undefined {
  for (const name of subject.certificate.subjectAltNames) {
    const problem = judge(name);
    if (problem !== undefined) return `The alternative name "${formatGeneralName(name).slice(0, 255)}" ${problem}.`;
  }
  return undefined;
}

function isServerCertificate({ certificate }: LintSubject): boolean {
  return !certificate.isCa && (certificate.extKeyUsage ?? []).includes(OID.serverAuth);
}

const HIDDEN = 'which nobody sees and which makes a name look like another one';

export const NAME_RULES: readonly LintRule[] = [
  {
    id: 'subject-hidden-character',
    citation: 'RFC 4518 §2.4; Unicode UAX #9',
    severity: 'error',
    check: ({ certificate }) => {
      const character = hiddenCharacterOfName(certificate.subject);
      return when(character !== undefined, `The subject has the character ${character}, ${HIDDEN}.`);
    },
  },
  {
    id: 'san-hidden-character',
    citation: 'RFC 4518 §2.4; Unicode UAX #9',
    severity: 'error',
    check: ({ certificate }) => {
      const character = certificate.subjectAltNames.map(hiddenCharacterOfGeneralName).find(Boolean);
      return when(character !== undefined, `An alternative name has the character ${character}, ${HIDDEN}.`);
    },
  },
  {
    id: 'san-required',
    citation: 'RFC 5280 §4.1.2.6',
    severity: 'error',
    check: ({ certificate }) =>
      when(
        isEmptyName(certificate.subject) && certificate.subjectAltNames.length === 0,
        'A certificate with an empty subject needs an alternative name.',
      ),
  },
  {
    id: 'san-critical-when-subject-empty',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    check: ({ certificate }) => {
      const extension = findExtension(certificate.extensions, OID.subjectAltName);
      const isWrong = isEmptyName(certificate.subject) && extension?.critical === false;
      return when(isWrong, 'With an empty subject the subjectAltName extension must be critical.');
    },
  },
  {
    id: 'san-not-critical-with-subject',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'warning',
    check: ({ certificate }) => {
      const extension = findExtension(certificate.extensions, OID.subjectAltName);
      const isWrong = !isEmptyName(certificate.subject) && extension?.critical === true;
      return when(isWrong, 'With a subject the subjectAltName extension should not be critical.');
    },
  },
  {
    id: 'san-not-empty',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    check: ({ certificate }) => {
      const isPresent = certificate.extensionValue(OID.subjectAltName) !== undefined;
      return when(
        isPresent && certificate.subjectAltNames.length === 0,
        'The subjectAltName extension must not be empty.',
      );
    },
  },
  {
    id: 'san-dns-syntax',
    citation: 'RFC 5280 §4.2.1.6; RFC 1034 §3.5',
    severity: 'error',
    check: (subject) => firstProblem(subject, (name) => (name.kind === 'dNSName' ? dnsProblem(name.value) : undefined)),
  },
  {
    id: 'san-dns-underscore',
    citation: 'RFC 1034 §3.5',
    severity: 'warning',
    check: (subject) =>
      firstProblem(subject, (name) =>
        when(name.kind === 'dNSName' && name.value.includes('_'), 'has an underscore, which host names must not have'),
      ),
  },
  {
    id: 'san-email-syntax',
    citation: 'RFC 5280 §4.2.1.6; RFC 5321 §4.1.2',
    severity: 'error',
    check: (subject) =>
      firstProblem(subject, (name) => (name.kind === 'rfc822Name' ? mailboxProblem(name.value) : undefined)),
  },
  {
    id: 'san-uri-syntax',
    citation: 'RFC 5280 §4.2.1.6; RFC 3986',
    severity: 'error',
    check: (subject) =>
      firstProblem(subject, (name) => (name.kind === 'uniformResourceIdentifier' ? uriProblem(name.value) : undefined)),
  },
  {
    id: 'san-ip-length',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    check: (subject) =>
      firstProblem(subject, (name) =>
        when(name.kind === 'iPAddress' && ![4, 16].includes(name.octets.length), 'is not 4 or 16 octets long'),
      ),
  },
  {
    id: 'san-duplicate',
    citation: 'RFC 5280 §4.2.1.6',
    severity: 'warning',
    check: (subject) => {
      const seen = new Set<string>();
      return firstProblem(subject, (name) => {
        const key = `${name.kind}:${formatGeneralName(name).toLowerCase()}`;
        const isRepeated = seen.has(key);
        seen.add(key);
        return when(isRepeated, 'appears twice');
      });
    },
  },
  {
    id: 'server-san-required',
    citation: 'RFC 9525 §6.1',
    severity: 'warning',
    check: (subject) =>
      when(
        isServerCertificate(subject) && subject.certificate.subjectAltNames.length === 0,
        'A server certificate without alternative names is refused by current software.',
      ),
  },
  {
    id: 'server-common-name-in-san',
    citation: 'CA/Browser Forum BR §7.1.4.3',
    severity: 'warning',
    check: (subject) => {
      const name = commonName(subject.certificate.subject);
      if (name === undefined || !isServerCertificate(subject) || subject.certificate.subjectAltNames.length === 0)
        return undefined;
      const texts = subject.certificate.subjectAltNames.map((entry) => formatGeneralName(entry).toLowerCase());
      return when(
        !texts.includes(name.toLowerCase()),
        'The common name of a server certificate should be among its alternative names.',
      );
    },
  },
];
