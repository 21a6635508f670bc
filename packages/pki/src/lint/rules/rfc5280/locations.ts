// Locations of CRLs, OCSP responders and issuer certificates: distribution points (RFC 5280 §4.2.1.13), information
// access (§4.2.2).
import { equalNames } from '../../../names.ts';
import { OID } from '../../../oids.ts';
import { uriProblem } from '../../name-syntax.ts';
import type { CertificateRules } from '../../certificate-rule.ts';

const LOOPBACK = /^[a-z]+:\/\/(?:localhost|[^/]*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)(?:[:/]|$)/i;

/**
 * Extensions of OCSP responder certificates whose revocation is not checked, and of certificates without revocation
 * information (RFC 9608).
 */
const UNREVOKED: readonly string[] = [OID.ocspNoCheck, OID.noRevocationAvailable];

const REVOCATION = {
  'distribution-point-urls': {
    demand: 'CRL, OCSP and CA issuer locations should be http or ldap URLs.',
    remedy: 'Use an http URL.',
    citation: 'RFC 5280 §4.2.1.13; §4.2.2.1',
    severity: 'warning',
    field: 'extensions',
    violates: ({ locations }) => {
      const wrong = locations.find((url) => !/^(?:http|ldap):\/\/[^/\s]/i.test(url));
      return (
        wrong !== undefined &&
        `"${wrong.slice(0, 128)}" should be an http or ldap URL: https would require validation of another certificate.`
      );
    },
  },
  'distribution-point-complete': {
    demand: 'A distribution point must have a name or a CRL issuer.',
    remedy: 'Add a URL to each distribution point.',
    citation: 'RFC 5280 §4.2.1.13',
    severity: 'error',
    field: 'extensions.crlDistributionPoints',
    violates: ({ certificate }) =>
      certificate.crlDistributionPoints.some(
        ({ fullName, nameRelativeToIssuer, crlIssuer }) =>
          fullName === undefined && nameRelativeToIssuer === undefined && crlIssuer === undefined,
      ),
  },
  'distribution-point-all-reasons': {
    demand: 'At least one distribution point must cover all revocation reasons.',
    remedy: 'Add a distribution point that does not specify reasons.',
    citation: 'RFC 5280 §4.2.1.13',
    severity: 'error',
    field: 'extensions.crlDistributionPoints',
    violates: ({ certificate: { crlDistributionPoints: points } }) =>
      points.length > 0 && points.every(({ reasons }) => reasons !== undefined),
  },
  'distribution-point-relative-name': {
    demand: 'A distribution point should not use a name relative to the CRL issuer.',
    remedy: 'Identify the distribution point by a URL.',
    citation: 'RFC 5280 §4.2.1.13',
    severity: 'warning',
    field: 'extensions.crlDistributionPoints',
    violates: ({ certificate }) =>
      certificate.crlDistributionPoints.some(({ nameRelativeToIssuer }) => nameRelativeToIssuer !== undefined),
  },
  'ocsp-location-uri': {
    demand: 'The location of an OCSP responder must be a URI.',
    remedy: 'Identify the responder by a URL.',
    citation: 'RFC 6960 §3.1',
    severity: 'error',
    field: 'extensions.authorityInfoAccess',
    violates: ({ certificate }) =>
      certificate.authorityInfoAccess.some(
        ({ method, location }) => method === OID.ocsp && location.kind !== 'uniformResourceIdentifier',
      ),
  },
  'ocsp-no-check-purpose': {
    demand: 'The ocsp-nocheck extension is only meaningful in OCSP responder certificates.',
    remedy: 'Omit the extension.',
    citation: 'RFC 6960 §4.2.2.2.1',
    severity: 'warning',
    field: 'extensions.ocspNoCheck',
    violates: ({ certificate }) =>
      certificate.extensionValue(OID.ocspNoCheck) !== undefined &&
      certificate.extKeyUsage?.includes(OID.ocspSigning) !== true,
  },
} satisfies CertificateRules;

const ADDRESSES = {
  'location-url-syntax': {
    demand: 'The location of a CRL, OCSP responder or issuer certificate must be a well-formed URL.',
    remedy: 'Use the complete URL, with a well-formed host.',
    citation: 'RFC 5280 §4.2.1.13; §4.2.2.1; RFC 3986',
    severity: 'error',
    field: 'extensions',
    violates: ({ locations }) => {
      const wrong = locations.find((url) => uriProblem(url) !== undefined);
      return wrong === undefined ? undefined : { value: wrong };
    },
  },
  'location-reachable': {
    demand: 'The URL of a CRL, OCSP responder or issuer certificate should be reachable from other hosts.',
    remedy: 'Configure the public URL of the CA, at which relying parties can reach it.',
    citation: 'RFC 6761 §6.3; RFC 1122 §3.2.1.3 (g)',
    severity: 'warning',
    field: 'extensions',
    violates: ({ locations }) => {
      const local = locations.find((url) => LOOPBACK.test(url));
      return local === undefined ? undefined : { value: local };
    },
  },
  'locations-distinct': {
    demand: 'The URL of a CRL, OCSP responder or issuer certificate should not be repeated.',
    remedy: 'Remove the duplicate URL.',
    citation: 'RFC 5280 §4.2.1.13; §4.2.2.1',
    severity: 'notice',
    field: 'extensions',
    violates: ({ certificate: { crlUrls, ocspUrls, caIssuersUrls } }) => {
      const again = [crlUrls, ocspUrls, caIssuersUrls].flatMap((urls) =>
        urls.filter((url, place) => urls.indexOf(url) < place),
      )[0];
      return again === undefined ? undefined : { value: again };
    },
  },
  'access-method-known': {
    demand: 'The authorityInfoAccess extension should only contain OCSP responders and issuer certificates.',
    remedy: 'Omit the other access methods.',
    citation: 'RFC 5280 §4.2.2.1',
    severity: 'notice',
    field: 'extensions.authorityInfoAccess',
    violates: ({ certificate }) => {
      const other = certificate.authorityInfoAccess.find(
        ({ method }) => method !== OID.ocsp && method !== OID.caIssuers,
      );
      return other && { value: other.method };
    },
  },
  'crl-issuer-omitted': {
    demand: "A distribution point must not specify the certificate's issuer as the CRL issuer.",
    remedy: "Omit cRLIssuer: it defaults to the certificate's issuer.",
    citation: 'RFC 5280 §4.2.1.13',
    severity: 'error',
    field: 'extensions.crlDistributionPoints',
    violates: ({ certificate: { crlDistributionPoints, issuer } }) =>
      crlDistributionPoints.some(({ crlIssuer = [] }) =>
        crlIssuer.some((name) => name.kind === 'directoryName' && equalNames(name.name, issuer)),
      ),
  },
  'revocation-location': {
    demand: 'A certificate should contain a CRL or OCSP URL, unless it is a root or cannot be revoked.',
    remedy: 'Add the URL of the CRL or OCSP responder.',
    citation: 'RFC 5280 §4.2.1.13',
    severity: 'notice',
    field: 'extensions.crlDistributionPoints',
    violates: ({ certificate }) =>
      certificate.crlDistributionPoints.length === 0 &&
      certificate.ocspUrls.length === 0 &&
      !UNREVOKED.some((oid) => certificate.extensionValue(oid) !== undefined) &&
      !certificate.isSelfIssued,
  },
  'ocsp-responder-no-check': {
    demand: 'An OCSP responder certificate should contain the ocsp-nocheck extension.',
    remedy: 'Add the extension, and issue the certificate with a short validity period.',
    citation: 'RFC 6960 §4.2.2.2.1',
    severity: 'notice',
    field: 'extensions.ocspNoCheck',
    appliesTo: ['responder'],
    violates: ({ certificate }) => certificate.extensionValue(OID.ocspNoCheck) === undefined,
  },
} satisfies CertificateRules;

export const LOCATIONS = { ...REVOCATION, ...ADDRESSES } satisfies CertificateRules;
