// Examples for the rules about distribution points and information access.
import {
  authorityInfoAccessExtension,
  crlDistributionPointsExtension,
  distributionPointNamePart,
  ocspNoCheckExtension,
} from '../../x509/extension-parts.ts';
import {
  explicitPart,
  implicitConstructed,
  namedBitsPart,
  oidPart,
  sequence,
  utf8StringPart,
  type DerPart,
} from '../../der/writer.ts';
import { generalNamePart } from '../../x509/general-names.ts';
import { OID } from '../../oids.ts';
import {
  dns,
  ISSUER_CERTIFICATE,
  rawExtension,
  responder,
  server,
  uri,
  type ExamplesOf,
  type Sample,
} from './sample.ts';
import type { LOCATIONS } from '../rules/rfc5280/locations.ts';

const NAME = distributionPointNamePart(['http://ca.example/ca.crl']);
const REASONS = namedBitsPart(2, 0x81); // keyCompromise only.
const RELATIVE_NAME = explicitPart(
  0,
  implicitConstructed(1, [sequence([oidPart(OID.commonName), utf8StringPart('CRL 1')])]),
);
const points = (...members: readonly (readonly DerPart[])[]): Sample =>
  server({ extensions: [rawExtension(OID.crlDistributionPoints, sequence(members.map((parts) => sequence(parts))))] });

const crlAt = (...urls: readonly string[]): Sample => server({ extensions: [crlDistributionPointsExtension(urls)] });

export const LOCATIONS_EXAMPLES: ExamplesOf<typeof LOCATIONS> = {
  'distribution-point-urls': {
    passes: server({ extensions: [crlDistributionPointsExtension(['http://ca.example/ca.crl'])] }),
    fails: server({ extensions: [crlDistributionPointsExtension(['https://ca.example/ca.crl'])] }),
  },
  'distribution-point-complete': { passes: points([NAME]), fails: points([NAME], [REASONS]) },
  'distribution-point-all-reasons': { passes: points([NAME, REASONS], [NAME]), fails: points([NAME, REASONS]) },
  'distribution-point-relative-name': { passes: points([NAME]), fails: points([RELATIVE_NAME]) },
  'ocsp-location-uri': {
    passes: server({ extensions: [authorityInfoAccessExtension({ ocsp: ['http://ocsp.example'] })] }),
    fails: server({
      extensions: [
        rawExtension(
          OID.authorityInfoAccess,
          sequence([sequence([oidPart(OID.ocsp), generalNamePart(dns('ocsp.example'))])]),
        ),
      ],
    }),
  },
  'ocsp-no-check-purpose': { passes: responder(), fails: server({ extensions: [ocspNoCheckExtension()] }) },
  'location-url-syntax': { passes: crlAt('http://ca.example/ca.crl'), fails: crlAt('http://ca..example/ca.crl') },
  'location-reachable': { passes: crlAt('http://ca.example/ca.crl'), fails: crlAt('http://127.0.0.1:8080/ca.crl') },
  'locations-distinct': {
    passes: crlAt('http://a.example/ca.crl', 'http://b.example/ca.crl'),
    fails: crlAt('http://a.example/ca.crl', 'http://a.example/ca.crl'),
  },
  'access-method-known': {
    passes: server({ extensions: [authorityInfoAccessExtension({ ocsp: ['http://ocsp.example'] })] }),
    fails: server({
      extensions: [
        rawExtension(
          OID.authorityInfoAccess,
          sequence([sequence([oidPart('1.3.6.1.5.5.7.48.5'), generalNamePart(uri('http://ca.example'))])]),
        ),
      ],
    }),
  },
  'crl-issuer-omitted': {
    passes: points([NAME]),
    fails: points([NAME, implicitConstructed(2, [explicitPart(4, ISSUER_CERTIFICATE.subjectDer)])]),
  },
  'revocation-location': { passes: server(), fails: server({ without: [OID.crlDistributionPoints] }) },
  'ocsp-responder-no-check': {
    passes: responder(),
    fails: responder({ without: [OID.ocspNoCheck] }),
    isOutOfScope: server(),
  },
};
