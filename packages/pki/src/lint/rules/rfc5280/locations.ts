// Where CRLs, OCSP responders and issuers are found: distribution points (RFC 5280 §4.2.1.13), information access
// (§4.2.2).
import { equalNames } from '../../../names.ts';
import { OID } from '../../../oids.ts';
import { uriProblem } from '../../name-syntax.ts';
import type { CertificateRules } from '../../certificate-rule.ts';

const LOOPBACK = /^[a-z]+:\/\/(?:localhost|[^/]*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)(?:[:/]|$)/i;

/** Responders whose certificates are not checked, and certificates without revocation (RFC 9608). */
const UNREVOKED: readonly string[] = [OID.ocspNoCheck, OID.noRevocationAvailable];

const REVOCATION = {
  'distribution-point-urls': {
    demand: 'CRL, OCSP and CA issuer locations should be http or ldap URLs.',
    remedy: 'Name an http URL.',
    citation: 'RFC 5280 §4.2.1.13; §4.2.2.1',
    severity: 'warning',
    field: 'extensions',
    violates: ({ locations }) => {
      const wrong = locations.find((url) => !/^(?:http|ldap):\/\/[^/\s]/i.test(url));
      return (
        wrong !== undefined &&
        `"${wrong.slice(0, 128)}" should be an http or ldap URL: https would require checking a certificate.`
      );
    },
  },
  'distribution-point-complete': {
    demand: 'A distribution point must have a name or a CRL issuer.',
    remedy: 'Give each distribution point a URL.',
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
    remedy: 'Add a distribution point without reasons.',
    citation: 'RFC 5280 §4.2.1.13',
    severity: 'error',
    field: 'extensions.crlDistributionPoints',
    violates: ({ certificate: { crlDistributionPoints: points } }) =>
      points.length > 0 && points.every(({ reasons }) => reasons !== undefined),
  },
  'distribution-point-relative-name': {
    demand: 'A distribution point should not have a name relative to the CRL issuer.',
    remedy: 'Name the distribution point by a URL.',
    citation: 'RFC 5280 §4.2.1.13',
    severity: 'warning',
    field: 'extensions.crlDistributionPoints',
    violates: ({ certificate }) =>
      certificate.crlDistributionPoints.some(({ nameRelativeToIssuer }) => nameRelativeToIssuer !== undefined),
  },
  'ocsp-location-uri': {
    demand: 'The location of an OCSP responder must be a URI.',
    remedy: 'Name the responder by a URL.',
    citation: 'RFC 6960 §3.1',
    severity: 'error',
    field: 'extensions.authorityInfoAccess',
    violates: ({ certificate }) =>
      certificate.authorityInfoAccess.some(
        ({ method, location }) => method === OID.ocsp && location.kind !== 'uniformResourceIdentifier',
      ),
  },
  'ocsp-no-check-purpose': {
    demand: 'The extension ocsp-nocheck has a meaning only in certificates of OCSP responders.',
    remedy: 'Leave the extension out.',
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
    demand: 'The address of a CRL, an OCSP responder or an issuer must be a well-formed URL.',
    remedy: 'Write the whole URL, with a well-formed host.',
    citation: 'RFC 5280 §4.2.1.13; §4.2.2.1; RFC 3986',
    severity: 'error',
    field: 'extensions',
    violates: ({ locations }) => {
      const wrong = locations.find((url) => uriProblem(url) !== undefined);
      return wrong === undefined ? undefined : { value: wrong };
    },
  },
  'location-reachable': {
    demand: 'The address of a CRL, an OCSP responder or an issuer should be one that other machines can reach.',
    remedy: 'Set the public address of the CA, under which relying parties reach it.',
    citation: 'RFC 6761 §6.3; RFC 1122 §3.2.1.3 (g)',
    severity: 'warning',
    field: 'extensions',
    violates: ({ locations }) => {
      const local = locations.find((url) => LOOPBACK.test(url));
      return local === undefined ? undefined : { value: local };
    },
  },
  'locations-distinct': {
    demand: 'An address of CRLs, OCSP responders or issuers should be named once.',
    remedy: 'Leave the repeated address out.',
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
    demand: 'Authority information should be the address of an OCSP responder or of certificates of the issuer.',
    remedy: 'Leave the other access methods out.',
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
    demand: 'A distribution point must not name the issuer of the certificate as the issuer of the CRL.',
    remedy: 'Leave cRLIssuer out: absent, it means the issuer of the certificate.',
    citation: 'RFC 5280 §4.2.1.13',
    severity: 'error',
    field: 'extensions.crlDistributionPoints',
    violates: ({ certificate: { crlDistributionPoints, issuer } }) =>
      crlDistributionPoints.some(({ crlIssuer = [] }) =>
        crlIssuer.some((name) => name.kind === 'directoryName' && equalNames(name.name, issuer)),
      ),
  },
  'revocation-location': {
    demand: 'A certificate should say where its revocation is published, unless it is a root or cannot be revoked.',
    remedy: 'Add the address of the CRL or of the OCSP responder.',
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
    demand: 'The certificate of an OCSP responder should have the extension ocsp-nocheck.',
    remedy: 'Add the extension, and issue the certificate for a short time only.',
    citation: 'RFC 6960 §4.2.2.2.1',
    severity: 'notice',
    field: 'extensions.ocspNoCheck',
    appliesTo: ['responder'],
    violates: ({ certificate }) => certificate.extensionValue(OID.ocspNoCheck) === undefined,
  },
} satisfies CertificateRules;

export const LOCATIONS = { ...REVOCATION, ...ADDRESSES } satisfies CertificateRules;
