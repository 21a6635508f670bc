// Key identifiers of the issuer (RFC 5280 §4.2.1.1) and the subject (§4.2.1.2).
import { equalBytes } from '../../../bytes.ts';
import type { CertificateRules } from '../../certificate-rule.ts';

export const KEY_IDENTIFIERS = {
  'authority-key-identifier': {
    demand: 'A certificate must have an authority key identifier, unless it is self-issued.',
    remedy: 'Add the key identifier of the issuer.',
    citation: 'RFC 5280 §4.2.1.1',
    severity: 'error',
    field: 'extensions.authorityKeyIdentifier',
    violates: ({ certificate }) =>
      !certificate.isSelfIssued && certificate.authorityKeyIdentifier?.keyIdentifier === undefined,
  },
  'authority-key-identifier-matches': {
    demand: "The authority key identifier must be the issuer's subject key identifier.",
    remedy: 'Copy the subject key identifier of the certificate of the issuer.',
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
    demand: "The authority key identifier must have both the issuer's name and its serial number, or neither.",
    remedy: 'Name the issuer by its key identifier alone.',
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
    remedy: 'Add the identifier of the key.',
    citation: 'RFC 5280 §4.2.1.2',
    severity: 'error',
    field: 'extensions.subjectKeyIdentifier',
    appliesTo: ['authority'],
    violates: ({ certificate }) => (certificate.subjectKeyIdentifier?.length ?? 0) === 0,
  },
  'subject-key-identifier-of-subscriber': {
    demand: 'A certificate that is not a CA certificate should have a subject key identifier.',
    remedy: 'Add the identifier of the key.',
    citation: 'RFC 5280 §4.2.1.2',
    severity: 'notice',
    field: 'extensions.subjectKeyIdentifier',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => (certificate.subjectKeyIdentifier?.length ?? 0) === 0,
  },
  'authority-key-identifier-not-empty': {
    demand: 'The authorityKeyIdentifier extension should identify a key.',
    remedy: 'Add the key identifier of the issuer, or leave the extension out of a self-signed certificate.',
    citation: 'RFC 5280 §4.2.1.1',
    severity: 'warning',
    field: 'extensions.authorityKeyIdentifier',
    violates: ({ certificate: { authorityKeyIdentifier } }) =>
      authorityKeyIdentifier !== undefined && Object.keys(authorityKeyIdentifier).length === 0,
  },
  'self-issued-key-identifiers': {
    demand: 'The authority key identifier of a root CA must be its own subject key identifier.',
    remedy: 'Copy the subject key identifier, or leave the authority key identifier out.',
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
