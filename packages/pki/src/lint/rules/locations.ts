// Where CRLs, OCSP responders and issuers are found: distribution points (RFC 5280 §4.2.1.13), information access
// (§4.2.2).
import { OID } from '../../oids.ts';
import type { CertificateRuleGroup } from '../certificate-rule.ts';

export const LOCATIONS = {
  name: 'Locations',
  description: 'Where CRLs, OCSP responders and issuer certificates are found',
  rules: {
    'distribution-point-urls': {
      demand: 'CRL, OCSP and CA issuer locations should be http or ldap URLs.',
      citation: 'RFC 5280 §4.2.1.13; §4.2.2.1',
      severity: 'warning',
      violates: ({ certificate }) => {
        const urls = [...certificate.crlUrls, ...certificate.ocspUrls, ...certificate.caIssuersUrls];
        const wrong = urls.find((url) => !/^(?:http|ldap):\/\/[^/\s]/i.test(url));
        return (
          wrong !== undefined &&
          `"${wrong.slice(0, 128)}" should be an http or ldap URL: https would require checking a certificate.`
        );
      },
    },
    'distribution-point-complete': {
      demand: 'A distribution point must have a name or a CRL issuer.',
      citation: 'RFC 5280 §4.2.1.13',
      severity: 'error',
      violates: ({ certificate }) =>
        certificate.crlDistributionPoints.some(
          ({ fullName, nameRelativeToIssuer, crlIssuer }) =>
            fullName === undefined && nameRelativeToIssuer === undefined && crlIssuer === undefined,
        ),
    },
    'distribution-point-all-reasons': {
      demand: 'At least one distribution point must cover all revocation reasons.',
      citation: 'RFC 5280 §4.2.1.13',
      severity: 'error',
      violates: ({ certificate: { crlDistributionPoints: points } }) =>
        points.length > 0 && points.every(({ reasons }) => reasons !== undefined),
    },
    'distribution-point-relative-name': {
      demand: 'A distribution point should not have a name relative to the CRL issuer.',
      citation: 'RFC 5280 §4.2.1.13',
      severity: 'warning',
      violates: ({ certificate }) =>
        certificate.crlDistributionPoints.some(({ nameRelativeToIssuer }) => nameRelativeToIssuer !== undefined),
    },
    'ocsp-location-uri': {
      demand: 'The location of an OCSP responder must be a URI.',
      citation: 'RFC 6960 §3.1',
      severity: 'error',
      violates: ({ certificate }) =>
        certificate.authorityInfoAccess.some(
          ({ method, location }) => method === OID.ocsp && location.kind !== 'uniformResourceIdentifier',
        ),
    },
    'ocsp-no-check-purpose': {
      demand: 'The extension ocsp-nocheck has a meaning only in certificates of OCSP responders.',
      citation: 'RFC 6960 §4.2.2.2.1',
      severity: 'warning',
      violates: ({ certificate }) =>
        certificate.extensionValue(OID.ocspNoCheck) !== undefined &&
        certificate.extKeyUsage?.includes(OID.ocspSigning) !== true,
    },
  },
} satisfies CertificateRuleGroup;
