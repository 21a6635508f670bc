// CA status and what a CA may certify: basic constraints (RFC 5280 §4.2.1.9) and name constraints (§4.2.1.10).
import { compileConstraints, prepareNames, violatedConstraint } from '../../../path/name-constraints.ts';
import { createBudget } from '../../../path/budget.ts';
import { dnsProblem, mailboxProblem } from '../../name-syntax.ts';
import { findExtension } from '../../../x509/extensions.ts';
import { OID } from '../../../oids.ts';
import { parseIpAddress } from '../../../x509/ip-address.ts';
import type { CertificateRules, LintSubject } from '../../certificate-rule.ts';
import type { GeneralName, GeneralNameKind } from '../../../x509/general-names.ts';

function subtrees({ certificate }: LintSubject): readonly GeneralName[] {
  const { permitted = [], excluded = [] } = certificate.nameConstraints ?? {};
  return [...permitted, ...excluded];
}

/** Returns whether the second half of the bytes is not a valid netmask because a one bit follows a zero bit. */
function hasGaps(octets: Uint8Array): boolean {
  const bits = [...octets.subarray(octets.length / 2)].map((octet) => octet.toString(2).padStart(8, '0')).join('');
  return bits.includes('01');
}

const UNUSUAL_FORMS: readonly GeneralNameKind[] = ['x400Address', 'ediPartyName', 'registeredID'];

const BASIC = {
  'basic-constraints-critical': {
    demand: 'The basicConstraints extension of a CA must be critical.',
    remedy: 'Mark the extension as critical.',
    citation: 'RFC 5280 §4.2.1.9',
    severity: 'error',
    field: 'extensions.basicConstraints.critical',
    appliesTo: ['authority'],
    violates: ({ certificate }) => findExtension(certificate.extensions, OID.basicConstraints)?.critical === false,
  },
  'path-length-only-for-ca': {
    demand: 'Only a CA with the key usage keyCertSign can have a path length.',
    remedy: 'Omit the path length.',
    citation: 'RFC 5280 §4.2.1.9',
    severity: 'error',
    field: 'extensions.basicConstraints',
    violates: ({ certificate }) => {
      const { ca, pathLength } = certificate.basicConstraints ?? {};
      const maySign = certificate.keyUsage?.includes('keyCertSign') ?? true;
      return pathLength !== undefined && !(ca === true && maySign);
    },
  },
  'path-length-of-issuer': {
    demand: 'A CA with a path length of 0 must not issue CA certificates.',
    remedy: 'Issue the CA certificate from a CA whose path length permits it.',
    citation: 'RFC 5280 §6.1.4 (l)',
    severity: 'error',
    field: 'extensions.basicConstraints',
    appliesTo: ['authority'],
    violates: ({ certificate, issuer }) => !certificate.isSelfIssued && issuer?.basicConstraints?.pathLength === 0,
  },
  'path-length-below-issuer': {
    demand: "A CA's path length should be smaller than that of its issuer, which limits it in any case.",
    remedy: 'Issue the CA certificate with a smaller path length.',
    citation: 'RFC 5280 §6.1.4 (m)',
    severity: 'warning',
    field: 'extensions.basicConstraints',
    appliesTo: ['authority'],
    violates: ({ certificate, issuer }) => {
      const above = issuer?.basicConstraints?.pathLength;
      const own = certificate.basicConstraints?.pathLength;
      return !certificate.isSelfIssued && above !== undefined && own !== undefined && own >= above;
    },
  },
  'ca-crl-sign': {
    demand: 'A CA whose key signs CRLs must have the key usage cRLSign.',
    remedy: 'Add the key usage cRLSign, unless a different key signs the CRLs.',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'notice',
    field: 'extensions.keyUsage',
    appliesTo: ['authority'],
    violates: ({ certificate }) => certificate.keyUsage?.includes('cRLSign') === false,
  },
} satisfies CertificateRules;

const CONSTRAINED_NAMES = {
  'names-within-constraints': {
    demand: "The certificate's names must be within the name constraints of its issuer.",
    remedy: 'Omit the name, or have a different CA issue the certificate.',
    citation: 'RFC 5280 §4.2.1.10; §6.1.3 (b), (c)',
    severity: 'error',
    field: 'extensions.subjectAltName',
    appliesTo: ['issued'],
    violates: ({ certificate, issuer }) => {
      if (issuer?.nameConstraints === undefined) return false;
      const budget = createBudget();
      const constraints = compileConstraints(issuer, budget);
      return constraints && violatedConstraint(prepareNames(certificate, budget), [constraints], budget);
    },
  },
  'name-constraints-dns': {
    demand: 'A DNS name subtree must be a domain, without a leading dot or a wildcard.',
    remedy: 'Specify only the domain: it covers itself and all its subdomains.',
    citation: 'RFC 5280 §4.2.1.10',
    severity: 'error',
    field: 'extensions.nameConstraints',
    violates: (subject) =>
      subtrees(subject).some(
        (base) =>
          base.kind === 'dNSName' &&
          base.value !== '' &&
          (/^[.*]/.test(base.value) || dnsProblem(base.value) !== undefined),
      ),
  },
  'name-constraints-mailbox': {
    demand: 'A mailbox subtree must be a mailbox, a host, or a domain with a leading dot.',
    remedy: 'Specify local@host, only the host, or the domain with a leading dot.',
    citation: 'RFC 5280 §4.2.1.10',
    severity: 'error',
    field: 'extensions.nameConstraints',
    violates: (subject) =>
      subtrees(subject).some((base) => {
        if (base.kind !== 'rfc822Name' || base.value === '') return false;
        if (base.value.includes('@')) return mailboxProblem(base.value) !== undefined;
        return dnsProblem(base.value.replace(/^\./, '')) !== undefined;
      }),
  },
  'name-constraints-only-for-ca': {
    demand: 'Only a CA certificate can contain name constraints.',
    remedy: 'Omit the extension.',
    citation: 'RFC 5280 §4.2.1.10',
    severity: 'error',
    field: 'extensions.nameConstraints',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => certificate.nameConstraints !== undefined,
  },
  'name-constraints-not-empty': {
    demand: 'The nameConstraints extension must contain a subtree.',
    remedy: 'Add a permitted or excluded subtree, or omit the extension.',
    citation: 'RFC 5280 §4.2.1.10',
    severity: 'error',
    field: 'extensions.nameConstraints',
    violates: (subject) => subject.certificate.nameConstraints !== undefined && subtrees(subject).length === 0,
  },
  'name-constraints-network': {
    demand: 'An IP address subtree must be an address and a contiguous netmask of the same length.',
    remedy: 'Specify an address followed by a netmask of the same length, with all one bits first.',
    citation: 'RFC 5280 §4.2.1.10; RFC 4632 §3.1',
    severity: 'error',
    field: 'extensions.nameConstraints',
    violates: (subject) =>
      subtrees(subject).some(
        (base) => base.kind === 'iPAddress' && (![8, 32].includes(base.octets.length) || hasGaps(base.octets)),
      ),
  },
  'name-constraints-uri': {
    demand: 'A URI subtree must be a host name or a domain with a leading dot, not a URI.',
    remedy: 'Specify only the host name, or the domain with a leading dot.',
    citation: 'RFC 5280 §4.2.1.10',
    severity: 'error',
    field: 'extensions.nameConstraints',
    violates: (subject) =>
      subtrees(subject).some(
        (base) =>
          base.kind === 'uniformResourceIdentifier' &&
          (/[/:@]/.test(base.value) || parseIpAddress(base.value) !== undefined),
      ),
  },
  'name-constraints-form': {
    demand: 'Names of type x400Address, ediPartyName and registeredID should not be constrained.',
    remedy: 'Constrain only DNS names, IP addresses, mailboxes, URIs and directory names.',
    citation: 'RFC 5280 §4.2.1.10',
    severity: 'warning',
    field: 'extensions.nameConstraints',
    violates: (subject) => subtrees(subject).some(({ kind }) => UNUSUAL_FORMS.includes(kind)),
  },
} satisfies CertificateRules;

export const AUTHORITIES = { ...BASIC, ...CONSTRAINED_NAMES } satisfies CertificateRules;
