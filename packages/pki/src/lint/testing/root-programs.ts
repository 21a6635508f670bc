// Examples for the Apple, Mozilla and Chrome root program requirements.
import {
  bitStringPart,
  encodeDer,
  explicitPart,
  integerPart,
  nullPart,
  oidPart,
  sequence,
  type DerPart,
} from '../../der/writer.ts';
import { extKeyUsageExtension, keyUsageExtension } from '../../x509/extension-parts.ts';
import { OID } from '../../oids.ts';
import { publicAuthority } from './tls-baseline.ts';
import { rsaKey } from './public-keys.ts';
import { signatureAlgorithm } from '../../algorithms.ts';
import { timestampList } from './timestamps.ts';
import {
  authority,
  DAY_MS,
  ISSUER_CERTIFICATE,
  withOutOfScope,
  publicServer,
  responder,
  server,
  type Changes,
  type ExamplesOf,
  type RuleExamples,
  type Sample,
} from './sample.ts';
import type { APPLE, CHROME, MOZILLA } from '../rules/root-programs.ts';

const startingAt = (start: string, days: number, extraMs = 0): Changes => {
  const from = Date.parse(start);
  return { validity: [from, from + days * DAY_MS - 1000 + extraMs] };
};

/** From this date, certificates valid for more than 180 days need timestamps from three logs. */
const timestamps = (since: string): RuleExamples => ({
  passes: publicServer({ ...startingAt('2026-01-01', 181), extensions: [timestampList(3)] }),
  fails: publicServer({ ...startingAt(since, 181), extensions: [timestampList(2)] }),
  isOutOfScope: publicServer({ validity: [Date.parse(since) - 1, Date.parse(since)] }),
});

export const APPLE_EXAMPLES: ExamplesOf<(typeof APPLE)['rules']> = withOutOfScope(responder(), {
  'apple-validity-825-days': {
    passes: server(startingAt('2026-01-01', 825)),
    fails: server(startingAt('2026-01-01', 825, 1000)),
  },
  'apple-validity-398-days': {
    passes: publicServer(startingAt('2026-01-01', 398)),
    fails: publicServer(startingAt('2026-01-01', 398, 1000)),
    isOutOfScope: server(),
  },
  'apple-dns-names': { passes: server(), fails: server({ without: [OID.subjectAltName] }) },
  'apple-rsa-2048': { passes: server({ spki: rsaKey() }), fails: server({ spki: rsaKey({ lead: 0x7f }) }) },
  'apple-sha-2': { passes: server(), fails: server({ signature: signatureAlgorithm('SHA1withRSA').der }) },
  'apple-timestamps': timestamps('2021-04-21'),
});

export const pssIdentifier = (saltLength: number): Uint8Array => {
  const sha256 = sequence([oidPart(OID.sha256), nullPart()]);
  return encodeDer(
    sequence([
      oidPart(OID.rsaPss),
      sequence([
        explicitPart(0, sha256),
        explicitPart(1, sequence([oidPart(OID.mgf1), sha256])),
        explicitPart(2, integerPart(saltLength)),
      ]),
    ]),
  );
};
/** A key whose point is not checked to be on the curve. */
const keyOnCurve = (curve: string, coordinateOctets: number): DerPart =>
  sequence([
    sequence([oidPart(OID.ecPublicKey), oidPart(curve)]),
    bitStringPart(Uint8Array.of(4, ...new Uint8Array(2 * coordinateOctets).fill(1))),
  ]);
const PSS_KEY = sequence([
  sequence([oidPart(OID.rsaPss)]),
  bitStringPart(encodeDer(sequence([integerPart(new Uint8Array(256).fill(0x7f)), integerPart(65537)]))),
]);
/** DSA key with a 2048-bit prime. */
export const dsaKey = sequence([
  sequence([oidPart(OID.dsa), sequence([integerPart(new Uint8Array(256).fill(0x7f)), integerPart(7), integerPart(2)])]),
  bitStringPart(encodeDer(integerPart(5))),
]);
const withSignature = (name: string): Sample =>
  publicServer({ signature: signatureAlgorithm(name).der, issuerCertificate: ISSUER_CERTIFICATE });

export const MOZILLA_EXAMPLES: ExamplesOf<(typeof MOZILLA)['rules']> = withOutOfScope(server(), {
  'mozilla-curve': {
    passes: publicServer({ spki: keyOnCurve(OID.secp521r1, 66) }),
    fails: publicServer({ spki: keyOnCurve(OID.secp256k1, 32) }),
  },
  'mozilla-pss-key': { passes: publicServer({ spki: rsaKey() }), fails: publicServer({ spki: PSS_KEY }) },
  'mozilla-pss-parameters': {
    passes: publicServer({ signature: signatureAlgorithm('SHA256withRSAandMGF1').der }),
    fails: publicServer({ signature: pssIdentifier(20) }),
  },
  'mozilla-ecdsa-digest': { passes: withSignature('SHA256withECDSA'), fails: withSignature('SHA384withECDSA') },
  'mozilla-ca-purpose': {
    passes: publicAuthority(),
    fails: publicAuthority({ extensions: [extKeyUsageExtension([OID.serverAuth, OID.emailProtection])] }),
    isOutOfScope: authority(),
  },
  'mozilla-dsa': { passes: publicServer(), fails: publicServer({ spki: dsaKey }) },
});

const BOTH = { extensions: [extKeyUsageExtension([OID.serverAuth, OID.clientAuth])] };

export const CHROME_EXAMPLES: ExamplesOf<(typeof CHROME)['rules']> = withOutOfScope(responder(), {
  'chrome-server-only': {
    passes: publicServer(startingAt('2027-03-15', 90)),
    fails: publicServer({ ...startingAt('2027-03-15', 90), ...BOTH }),
    isOutOfScope: publicServer({ ...startingAt('2027-03-14', 90), ...BOTH }),
  },
  'chrome-server-only-soon': {
    passes: publicServer(),
    fails: publicServer(BOTH),
    isOutOfScope: publicServer({ ...startingAt('2027-03-15', 90), ...BOTH }),
  },
  'chrome-ca-server-only': {
    passes: publicAuthority(),
    fails: publicAuthority(BOTH),
    isOutOfScope: authority(BOTH),
  },
  'chrome-timestamps': timestamps('2022-04-15'),
  'chrome-key-usage': {
    passes: server({ spki: rsaKey(), extensions: [keyUsageExtension(['digitalSignature', 'keyEncipherment'])] }),
    fails: server({ spki: rsaKey(), extensions: [keyUsageExtension(['keyEncipherment'])] }),
  },
});
