// CAs that issue certificates subject to the Baseline Requirements, identified by a CA/Browser Forum policy.
import { OID } from '../../../oids.ts';
import { rulesFor, type CertificateRules } from '../../certificate-rule.ts';

const rule = rulesFor('publicAuthority');

export const BASELINE_AUTHORITIES = {
  'baseline-ca-purpose': rule({
    demand: 'A subordinate CA must have extended key usages, and not anyExtendedKeyUsage.',
    remedy:
      'Specify serverAuth or one other purpose. Only a cross-certificate between affiliates can omit the extension.',
    citation: 'CA/Browser Forum BR §7.1.2.2.4, §7.1.2.10.6; SMBR §7.1.2.2 (g)',
    field: 'extensions.extKeyUsage',
    effective: { from: '2023-09-15' },
    violates: ({ certificate: { extKeyUsage, isSelfIssued } }) =>
      !isSelfIssued && (extKeyUsage === undefined || extKeyUsage.includes(OID.anyExtendedKeyUsage)),
  }),
  'baseline-ca-subject': rule({
    demand: 'The subject of a CA must contain country, organization and common name.',
    remedy: 'Use a CA name with these attributes.',
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
