// Examples of the rules about locations.
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
import { dns, rawExtension, responder, server, type ExamplesOf, type Sample } from './sample.ts';
import type { LOCATIONS } from '../rules/locations.ts';

const NAME = distributionPointNamePart(['http://ca.example/ca.crl']);
const REASONS = namedBitsPart(2, 0x81); // keyCompromise alone
const RELATIVE_NAME = explicitPart(
  0,
  implicitConstructed(1, [sequence([oidPart(OID.commonName), utf8StringPart('CRL 1')])]),
);
const points = (...members: readonly (readonly DerPart[])[]): Sample =>
  server({ extensions: [rawExtension(OID.crlDistributionPoints, sequence(members.map((parts) => sequence(parts))))] });

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
};
