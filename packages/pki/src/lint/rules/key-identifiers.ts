// Key identifiers of the issuer (RFC 5280 §4.2.1.1) and the subject (§4.2.1.2).
import { equalBytes } from '../../bytes.ts';
import type { CertificateRuleGroup } from '../certificate-rule.ts';

export const KEY_IDENTIFIERS = {
  name: 'Key identifiers',
  description: 'Key identifiers of issuer and subject, which are used to build paths',
  rules: {
    'authority-key-identifier': {
      demand: 'A certificate must have an authority key identifier, unless it is self-issued.',
      citation: 'RFC 5280 §4.2.1.1',
      severity: 'error',
      violates: ({ certificate }) =>
        !certificate.isSelfIssued && certificate.authorityKeyIdentifier?.keyIdentifier === undefined,
    },
    'authority-key-identifier-matches': {
      demand: "The authority key identifier must be the issuer's subject key identifier.",
      citation: 'RFC 5280 §4.2.1.1',
      severity: 'error',
      appliesTo: ['issued'],
      violates: ({ certificate, issuer }) => {
        const expected = issuer?.subjectKeyIdentifier;
        const actual = certificate.authorityKeyIdentifier?.keyIdentifier;
        return expected !== undefined && actual !== undefined && !equalBytes(expected, actual);
      },
    },
    'authority-key-identifier-pair': {
      demand: "The authority key identifier must have both the issuer's name and its serial number, or neither.",
      citation: 'RFC 5280 appendix A.2',
      severity: 'error',
      violates: ({ certificate }) => {
        const { issuer, serialNumber } = certificate.authorityKeyIdentifier ?? {};
        return (issuer === undefined) !== (serialNumber === undefined);
      },
    },
    'subject-key-identifier': {
      demand: 'A CA must have a subject key identifier.',
      citation: 'RFC 5280 §4.2.1.2',
      severity: 'error',
      appliesTo: ['authority'],
      violates: ({ certificate }) => (certificate.subjectKeyIdentifier?.length ?? 0) === 0,
    },
    'subject-key-identifier-of-subscriber': {
      demand: 'A certificate that is not a CA certificate should have a subject key identifier.',
      citation: 'RFC 5280 §4.2.1.2',
      severity: 'notice',
      appliesTo: ['subscriber'],
      violates: ({ certificate }) => (certificate.subjectKeyIdentifier?.length ?? 0) === 0,
    },
  },
} satisfies CertificateRuleGroup;
