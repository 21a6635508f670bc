// Issuer key identifiers (RFC 5280 §4.2.1.1) and subject key identifiers (§4.2.1.2).
import { equalBytes } from '../../../bytes.ts';
import type { CertificateRules } from '../../certificate-rule.ts';

export const KEY_IDENTIFIERS = {
  'authority-key-identifier': {
    demand: 'A certificate must have an authority key identifier, unless it is self-issued.',
    remedy: "Add the issuer's key identifier.",
    citation: 'RFC 5280 §4.2.1.1',
    severity: 'error',
    field: 'extensions.authorityKeyIdentifier',
    violates: ({ certificate }) =>
      !certificate.isSelfIssued && certificate.authorityKeyIdentifier?.keyIdentifier === undefined,
  },
  'authority-key-identifier-matches': {
    demand: "The authority key identifier must match the issuer's subject key identifier.",
    remedy: "Copy the subject key identifier from the issuer's certificate.",
    citation: 'RFC 5280 §4.2.1.1',
    severity: 'error',
    field: 'extensions.authorityKeyIdentifier',
    appliesTo: ['issued'],
    violates: ({ certificate, issuer }) => {
      const expected = issuer?.subjectKeyIdentifier;
      const actual = certificate.authorityKeyIdentifier?.keyIdentifier;
      return expected !== undefined && actual !== undefined && !equalBytes(expected, actual);
    },
  },
  'authority-key-identifier-pair': {
    demand: "The authority key identifier must contain both the issuer's name and serial number, or neither.",
    remedy: 'Identify the issuer only by its key identifier.',
    citation: 'RFC 5280 appendix A.2',
    severity: 'error',
    field: 'extensions.authorityKeyIdentifier',
    violates: ({ certificate }) => {
      const { issuer, serialNumber } = certificate.authorityKeyIdentifier ?? {};
      return (issuer === undefined) !== (serialNumber === undefined);
    },
  },
  'subject-key-identifier': {
    demand: 'A CA must have a subject key identifier.',
    remedy: 'Add the subject key identifier.',
    citation: 'RFC 5280 §4.2.1.2',
    severity: 'error',
    field: 'extensions.subjectKeyIdentifier',
    appliesTo: ['authority'],
    violates: ({ certificate }) => (certificate.subjectKeyIdentifier?.length ?? 0) === 0,
  },
  'subject-key-identifier-of-subscriber': {
    demand: 'An end-entity certificate should have a subject key identifier.',
    remedy: 'Add the subject key identifier.',
    citation: 'RFC 5280 §4.2.1.2',
    severity: 'notice',
    field: 'extensions.subjectKeyIdentifier',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => (certificate.subjectKeyIdentifier?.length ?? 0) === 0,
  },
  'authority-key-identifier-not-empty': {
    demand: 'The authorityKeyIdentifier extension should identify a key.',
    remedy: "Add the issuer's key identifier, or omit the extension from a self-signed certificate.",
    citation: 'RFC 5280 §4.2.1.1',
    severity: 'warning',
    field: 'extensions.authorityKeyIdentifier',
    violates: ({ certificate: { authorityKeyIdentifier } }) =>
      authorityKeyIdentifier !== undefined && Object.keys(authorityKeyIdentifier).length === 0,
  },
  'self-issued-key-identifiers': {
    demand: 'The authority key identifier of a root CA must match its own subject key identifier.',
    remedy: 'Copy the subject key identifier, or omit the authority key identifier.',
    citation: 'RFC 5280 §4.2.1.1',
    severity: 'warning',
    field: 'extensions.authorityKeyIdentifier',
    appliesTo: ['authority'],
    violates: ({ certificate }) => {
      const issuerKey = certificate.authorityKeyIdentifier?.keyIdentifier;
      const own = certificate.subjectKeyIdentifier;
      if (issuerKey === undefined || own === undefined || equalBytes(issuerKey, own)) return false;
      return certificate.isSelfIssued;
    },
  },
} satisfies CertificateRules;
