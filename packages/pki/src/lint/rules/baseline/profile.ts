// Subscriber certificate profile of the TLS Baseline Requirements, except names: key, extensions, URLs.
import { BASELINE_POLICIES, rulesFor, type CertificateRules } from '../../certificate-rule.ts';
import { findExtension } from '../../../x509/extensions.ts';
import { OID } from '../../../oids.ts';

const rule = rulesFor('publicServer');
const SINCE_PROFILES = { from: '2023-09-15' };
/** Since version 2.3.1 (ballot SC104), authorityInfoAccess is recommended but no longer required. */
const SC104 = '2026-10-04';

const CURVES: readonly string[] = [OID.secp256r1, OID.secp384r1, OID.secp521r1];
const FORBIDDEN_PURPOSES: readonly string[] = [
  OID.codeSigning,
  OID.emailProtection,
  OID.timeStamping,
  OID.ocspSigning,
  OID.anyExtendedKeyUsage,
  '1.3.6.1.4.1.11129.2.4.4', // Precertificate signing.
];
const RESERVED: ReadonlySet<string> = new Set(Object.values(BASELINE_POLICIES));

/**
 * Returns whether a certificate is short-lived (§1.6.1): at most 10 days since 2024-03-15, at most 7 days since
 * 2026-03-15. Such certificates need no revocation information.
 */
const isShortLived = (notBeforeMs: number, notAfterMs: number): boolean =>
  notAfterMs - notBeforeMs < (notBeforeMs < Date.UTC(2026, 2, 15) ? 10 : 7) * 86_400_000;

export const BASELINE_PROFILE = {
  'baseline-key-type': rule({
    demand: 'The key must be RSA with at least 2048 bits, or EC on P-256, P-384 or P-521.',
    remedy: 'Request the certificate with such a key.',
    citation: 'CA/Browser Forum BR §6.1.5',
    field: 'subjectPublicKeyInfo',
    violates: ({ certificate: { publicKey } }) =>
      publicKey.family === 'RSA'
        ? publicKey.bits < 2048
        : publicKey.family !== 'ECDSA' || !CURVES.includes(publicKey.curveOid ?? ''),
  }),
  'baseline-purpose-not-critical': rule({
    demand: 'The extKeyUsage extension must not be critical.',
    remedy: 'Mark the extension as not critical.',
    citation: 'CA/Browser Forum BR §7.1.2.7.6',
    field: 'extensions.extKeyUsage.critical',
    effective: SINCE_PROFILES,
    violates: ({ certificate }) => findExtension(certificate.extensions, OID.extKeyUsage)?.critical === true,
  }),
  'baseline-forbidden-purpose': rule({
    demand: 'The extended key usages must not include code signing, e-mail protection, time stamping or OCSP signing.',
    remedy: 'Use a separate certificate for each of these purposes.',
    citation: 'CA/Browser Forum BR §7.1.2.7.10',
    field: 'extensions.extKeyUsage',
    effective: SINCE_PROFILES,
    violates: ({ certificate: { extKeyUsage = [] } }) => {
      const forbidden = extKeyUsage.filter((purpose) => FORBIDDEN_PURPOSES.includes(purpose));
      return forbidden.length > 0 && { value: forbidden.join(', ') };
    },
  }),
  'baseline-policies-not-critical': rule({
    demand: 'The certificatePolicies extension must not be critical.',
    remedy: 'Mark the extension as not critical.',
    citation: 'CA/Browser Forum BR §7.1.2.7.6',
    field: 'extensions.certificatePolicies.critical',
    effective: SINCE_PROFILES,
    violates: ({ certificate }) => findExtension(certificate.extensions, OID.certificatePolicies)?.critical === true,
  }),
  'baseline-any-policy': rule({
    demand: 'The certificate policies must not include anyPolicy.',
    remedy: 'Omit anyPolicy.',
    citation: 'CA/Browser Forum BR §7.1.2.7.9',
    field: 'extensions.certificatePolicies',
    effective: SINCE_PROFILES,
    violates: ({ policyOids }) => policyOids.includes(OID.anyPolicy),
  }),
  'baseline-policy-first': rule({
    demand: 'The policy identifier reserved by the Baseline Requirements should come first.',
    remedy: 'Place the reserved policy before all others.',
    citation: 'CA/Browser Forum BR §7.1.2.7.9',
    severity: 'warning',
    field: 'extensions.certificatePolicies',
    effective: SINCE_PROFILES,
    violates: ({ policyOids: [first = ''] }) => !RESERVED.has(first),
  }),
  'baseline-policy-qualifiers': rule({
    demand: 'Policies must have no qualifiers other than pointers to a certification practice statement.',
    remedy: 'Omit the user notices.',
    citation: 'CA/Browser Forum BR §7.1.2.7.9',
    field: 'extensions.certificatePolicies',
    effective: SINCE_PROFILES,
    violates: ({ certificate }) => certificate.certificatePolicies.some(({ hasOtherQualifiers }) => hasOtherQualifiers),
  }),
  'baseline-needless-usage': rule({
    demand: 'The key usage should not include dataEncipherment or, for an EC key, keyAgreement.',
    remedy: 'Omit the key usage: TLS does not need it.',
    citation: 'CA/Browser Forum BR §7.1.2.7.11',
    severity: 'warning',
    field: 'extensions.keyUsage',
    effective: SINCE_PROFILES,
    violates: ({ certificate: { keyUsage = [], publicKey } }) =>
      keyUsage.includes('dataEncipherment') || (publicKey.family === 'ECDSA' && keyUsage.includes('keyAgreement')),
  }),
  // RFC 5280 §4.2.1.2 recommends this extension but the profile does not, so this is only a notice.
  'baseline-subject-key-identifier': rule({
    demand: 'A subject key identifier is not recommended in an end-entity certificate.',
    remedy: 'Omit the extension.',
    citation: 'CA/Browser Forum BR §7.1.2.7.6',
    severity: 'notice',
    field: 'extensions.subjectKeyIdentifier',
    effective: SINCE_PROFILES,
    violates: ({ certificate }) => certificate.extensionValue(OID.subjectKeyIdentifier) !== undefined,
  }),
  'baseline-authority-info-access': rule({
    demand: 'The certificate must contain the URL of its issuer certificate or of an OCSP responder.',
    remedy: 'Add an authorityInfoAccess extension with the URL of the issuer certificate.',
    citation: 'CA/Browser Forum BR §7.1.2.7.6',
    field: 'extensions.authorityInfoAccess',
    effective: { ...SINCE_PROFILES, until: SC104 },
    violates: ({ certificate }) => certificate.authorityInfoAccess.length === 0,
  }),
  'baseline-issuer-location': rule({
    demand: 'The certificate should contain the URL of its issuer certificate.',
    remedy: 'Add the URL of the issuer certificate to authorityInfoAccess.',
    citation: 'CA/Browser Forum BR §7.1.2.7.6, §7.1.2.7.7',
    severity: 'warning',
    field: 'extensions.authorityInfoAccess',
    effective: { from: SC104 },
    violates: ({ certificate }) => certificate.caIssuersUrls.length === 0,
  }),
  'baseline-access-methods': rule({
    demand: 'The authorityInfoAccess extension must contain only URLs of OCSP responders and issuer certificates.',
    remedy: 'Omit all other access methods and name types.',
    citation: 'CA/Browser Forum BR §7.1.2.7.7',
    field: 'extensions.authorityInfoAccess',
    effective: SINCE_PROFILES,
    violates: ({ certificate }) =>
      certificate.authorityInfoAccess.some(
        ({ method, location }) =>
          (method !== OID.ocsp && method !== OID.caIssuers) || location.kind !== 'uniformResourceIdentifier',
      ),
  }),
  'baseline-revocation': rule({
    demand: 'The certificate must contain the URL of a CRL or an OCSP responder, unless it is short-lived.',
    remedy: 'Add the CRL URL.',
    citation: 'CA/Browser Forum BR §7.1.2.11.2',
    field: 'extensions.crlDistributionPoints',
    effective: { from: '2024-03-15' },
    violates: ({ certificate: { crlUrls, ocspUrls, notBeforeMs, notAfterMs } }) =>
      crlUrls.length === 0 && ocspUrls.length === 0 && !isShortLived(notBeforeMs, notAfterMs),
  }),
  'baseline-distribution-points': rule({
    demand: 'A CRL distribution point must be a URL, without reasons or cRLIssuer.',
    remedy: 'Specify complete CRLs of the issuer by URL only.',
    citation: 'CA/Browser Forum BR §7.1.2.11.2',
    field: 'extensions.crlDistributionPoints',
    effective: SINCE_PROFILES,
    violates: ({ certificate }) =>
      certificate.crlDistributionPoints.some(
        ({ fullName, reasons, crlIssuer }) =>
          fullName === undefined || reasons !== undefined || crlIssuer !== undefined,
      ),
  }),
} satisfies CertificateRules;
