// CAs that issue certificates subject to the Baseline Requirements, identified by a CA/Browser Forum policy.
import { OID } from '../../../oids.ts';
import {
  BASELINE_POLICIES,
  baselinePolicies,
  rulesFor,
  type CertificateRules,
  type LintSubject,
} from '../../certificate-rule.ts';
import type { Certificate } from '../../../x509/certificate.ts';

const rule = rulesFor('publicAuthority');
/** Version 2.0.0 (ballot SC62) introduced the certificate profiles. */
const SINCE_PROFILES = { from: '2023-09-15' };
const RESERVED: ReadonlySet<string> = new Set(Object.values(BASELINE_POLICIES));

const isRestricted = (issuer: Certificate): boolean => issuer.certificatePolicies.some(({ oid }) => RESERVED.has(oid));
const isBelowRestricted = ({ certificate, issuer }: LintSubject): boolean =>
  certificate.isCa && !certificate.isSelfIssued && issuer !== undefined && isRestricted(issuer);

export const BASELINE_AUTHORITIES = {
  'baseline-ca-purpose': rule({
    demand: 'A subordinate CA must have extended key usages, and not anyExtendedKeyUsage.',
    remedy:
      'Specify serverAuth or one other purpose. Only a cross-certificate between affiliates can omit the extension.',
    citation: 'CA/Browser Forum BR §7.1.2.2.4, §7.1.2.10.6; SMBR §7.1.2.2 (g)',
    field: 'extensions.extKeyUsage',
    effective: SINCE_PROFILES,
    violates: ({ certificate: { extKeyUsage, isSelfIssued } }) =>
      !isSelfIssued && (extKeyUsage === undefined || extKeyUsage.includes(OID.anyExtendedKeyUsage)),
  }),
  'baseline-ca-one-policy': rule({
    demand: 'A subordinate CA certificate with restricted policies must contain exactly one reserved policy.',
    remedy: 'Use a separate CA for each kind of validation. Only a cross-certificate can contain multiple policies.',
    citation: 'CA/Browser Forum BR §7.1.2.10.5',
    field: 'extensions.certificatePolicies',
    effective: SINCE_PROFILES,
    violates: (subject) => {
      const reserved = baselinePolicies(subject);
      return !subject.certificate.isSelfIssued && reserved.length > 1 && { value: reserved.join(', ') };
    },
  }),
  'baseline-ca-any-policy': rule({
    demand: 'A CA certificate with a reserved policy must not also contain anyPolicy.',
    remedy: 'Specify only anyPolicy for an affiliated CA, or only the policies to which the CA is restricted.',
    citation: 'CA/Browser Forum BR §7.1.2.10.5',
    field: 'extensions.certificatePolicies',
    effective: SINCE_PROFILES,
    violates: (subject) => !subject.certificate.isSelfIssued && subject.policyOids.includes(OID.anyPolicy),
  }),
  'baseline-ca-policies': rulesFor('issued')({
    demand: 'A CA certificate below a CA that is restricted to reserved policies must contain certificate policies.',
    remedy: 'Add the reserved policy of the certificates that this CA issues.',
    citation: 'CA/Browser Forum BR §7.1.2.6.1, §7.1.2.10.5',
    field: 'extensions.certificatePolicies',
    effective: SINCE_PROFILES,
    violates: (subject) => subject.policyOids.length === 0 && isBelowRestricted(subject),
  }),
  'baseline-ca-subject': rule({
    demand: 'The subject of a CA must contain country, organization and common name.',
    remedy: 'Use a CA whose name contains these attributes.',
    citation: 'CA/Browser Forum BR §7.1.2.10.2; SMBR §7.1.4.3.1',
    field: 'subject',
    effective: { from: '2017-06-08' },
    violates: (subject) => ![OID.countryName, OID.organizationName, OID.commonName].every((oid) => subject.has(oid)),
  }),
  'baseline-ca-revocation': rule({
    demand: "A subordinate CA certificate must contain the URL of its issuer's CRL.",
    remedy: "Add the URL of the issuer's CRL.",
    citation: 'CA/Browser Forum BR §7.1.2.6.1, §7.1.2.11.2; SMBR §7.1.2.2 (b)',
    field: 'extensions.crlDistributionPoints',
    violates: ({ certificate }) => !certificate.isSelfIssued && certificate.crlUrls.length === 0,
  }),
  'baseline-ca-key-usage': rule({
    demand: 'The key usage of a CA must include keyCertSign and cRLSign.',
    remedy: 'Specify both key usages.',
    citation: 'CA/Browser Forum BR §7.1.2.10.7; SMBR §7.1.2.1 (b), §7.1.2.2 (e)',
    field: 'extensions.keyUsage',
    violates: ({ certificate: { keyUsage = [] } }) =>
      !keyUsage.includes('keyCertSign') || !keyUsage.includes('cRLSign'),
  }),
} satisfies CertificateRules;
