// What a CA is and may certify: basic constraints (RFC 5280 §4.2.1.9) and name constraints (§4.2.1.10).
import { findExtension } from '../../x509/extensions.ts';
import { OID } from '../../oids.ts';
import { parseIpAddress } from '../../x509/ip-address.ts';
import type { CertificateRuleGroup, LintSubject } from '../certificate-rule.ts';
import type { GeneralName, GeneralNameKind } from '../../x509/general-names.ts';

function subtrees({ certificate }: LintSubject): readonly GeneralName[] {
  const { permitted = [], excluded = [] } = certificate.nameConstraints ?? {};
  return [...permitted, ...excluded];
}

/** Whether the second half of the octets is not a netmask: a one bit follows a zero bit. */
function hasGaps(octets: Uint8Array): boolean {
  const bits = [...octets.subarray(octets.length / 2)].map((octet) => octet.toString(2).padStart(8, '0')).join('');
  return bits.includes('01');
}

const UNUSUAL_FORMS: readonly GeneralNameKind[] = ['x400Address', 'ediPartyName', 'registeredID'];

export const AUTHORITIES = {
  name: 'Authorities',
  description: 'Basic constraints and name constraints',
  rules: {
    'basic-constraints-critical': {
      demand: 'The basicConstraints extension of a CA must be critical.',
      citation: 'RFC 5280 §4.2.1.9',
      severity: 'error',
      appliesTo: ['authority'],
      violates: ({ certificate }) => findExtension(certificate.extensions, OID.basicConstraints)?.critical === false,
    },
    'path-length-only-for-ca': {
      demand: 'Only a CA with the key usage keyCertSign may have a path length.',
      citation: 'RFC 5280 §4.2.1.9',
      severity: 'error',
      violates: ({ certificate }) => {
        const { ca, pathLength } = certificate.basicConstraints ?? {};
        const maySign = certificate.keyUsage?.includes('keyCertSign') ?? true;
        return pathLength !== undefined && !(ca === true && maySign);
      },
    },
    'path-length-of-issuer': {
      demand: 'A CA with a path length of 0 must not issue CA certificates.',
      citation: 'RFC 5280 §6.1.4 (l)',
      severity: 'error',
      appliesTo: ['authority'],
      violates: ({ certificate, issuer }) => !certificate.isSelfIssued && issuer?.basicConstraints?.pathLength === 0,
    },
    'name-constraints-only-for-ca': {
      demand: 'Only a CA may have name constraints.',
      citation: 'RFC 5280 §4.2.1.10',
      severity: 'error',
      appliesTo: ['subscriber'],
      violates: ({ certificate }) => certificate.nameConstraints !== undefined,
    },
    'name-constraints-not-empty': {
      demand: 'The nameConstraints extension must have a subtree.',
      citation: 'RFC 5280 §4.2.1.10',
      severity: 'error',
      violates: (subject) => subject.certificate.nameConstraints !== undefined && subtrees(subject).length === 0,
    },
    'name-constraints-network': {
      demand: 'A subtree of IP addresses must be an address and a contiguous netmask of the same length.',
      citation: 'RFC 5280 §4.2.1.10; RFC 4632 §3.1',
      severity: 'error',
      violates: (subject) =>
        subtrees(subject).some(
          (base) => base.kind === 'iPAddress' && (![8, 32].includes(base.octets.length) || hasGaps(base.octets)),
        ),
    },
    'name-constraints-uri': {
      demand: 'A subtree of URIs must be a host name, or a domain after a dot, and not a URI.',
      citation: 'RFC 5280 §4.2.1.10',
      severity: 'error',
      violates: (subject) =>
        subtrees(subject).some(
          (base) =>
            base.kind === 'uniformResourceIdentifier' &&
            (/[/:@]/.test(base.value) || parseIpAddress(base.value) !== undefined),
        ),
    },
    'name-constraints-form': {
      demand: 'Names of the forms x400Address, ediPartyName and registeredID should not be constrained.',
      citation: 'RFC 5280 §4.2.1.10',
      severity: 'warning',
      violates: (subject) => subtrees(subject).some(({ kind }) => UNUSUAL_FORMS.includes(kind)),
    },
  },
} satisfies CertificateRuleGroup;
