// Requirements of the root programs that determine which certificates are publicly trusted: Apple, Mozilla, Chrome.
import { equalBytes } from '../../bytes.ts';
import { OID } from '../../oids.ts';
import { readTimestampList } from '../../x509/certificate-transparency.ts';
import { rulesFor, type CertificateRule, type CertificateRuleSet, type LintSubject } from '../certificate-rule.ts';
import { signatureAlgorithm } from '../../algorithms.ts';

const DAY_MS = 86_400_000;
const onServers = rulesFor('server');
const onPublicServers = rulesFor('publicServer');
const onPublicAuthorities = rulesFor('publicAuthority');

const isLongerThan = ({ certificate: { notBeforeMs, notAfterMs } }: LintSubject, days: number): boolean =>
  notAfterMs - notBeforeMs + 1000 > days * DAY_MS;

/**
 * Returns a message if embedded timestamps are from too few logs: two are required, or three if the certificate is
 * valid for more than 180 days.
 */
function lacksTimestamps({ certificate }: LintSubject): string | false {
  if (certificate.extensionValue(OID.ctPrecertificatePoison) !== undefined) return false;
  const value = certificate.extensionValue(OID.ctSctList);
  const timestamps = value === undefined ? [] : readTimestampList(value);
  const logs = new Set(timestamps.map((each) => ('logId' in each ? each.logId.toHex() : '')));
  const needed = certificate.notAfterMs - certificate.notBeforeMs + 1000 > 180 * DAY_MS ? 3 : 2;
  return logs.size < needed && `Timestamps from ${needed} logs are required; found ${logs.size}.`;
}

const transparency = (citation: string, from: string): CertificateRule =>
  onPublicServers({
    demand:
      'The certificate should embed timestamps from two logs, or from three if it is valid for more than 180 days.',
    remedy: 'Have the CA log the certificate, or ensure that the server sends the timestamps itself.',
    citation,
    severity: 'warning',
    field: 'extensions.ctSctList',
    effective: { from },
    violates: lacksTimestamps,
  });

export const APPLE = {
  code: 'apple',
  name: 'Apple root program',
  description: "Apple's requirements for TLS server certificates, including those of private CAs where a rule says so.",
  rules: {
    'apple-validity-825-days': onServers({
      demand: 'A TLS server certificate from any CA must not be valid for more than 825 days.',
      remedy: 'Request a validity period of 825 days or fewer.',
      citation: 'Apple HT210176',
      field: 'validity',
      effective: { from: '2019-07-01' },
      violates: (subject) => isLongerThan(subject, 825),
    }),
    'apple-validity-398-days': onPublicServers({
      demand: 'A publicly trusted TLS server certificate must not be valid for more than 398 days.',
      remedy: 'Request a validity period of 398 days or fewer.',
      citation: 'Apple HT211025',
      field: 'validity',
      effective: { from: '2020-09-01' },
      violates: (subject) => isLongerThan(subject, 398),
    }),
    'apple-dns-names': onServers({
      demand: 'A TLS server certificate from any CA must contain its host names as SANs.',
      remedy: 'Add every DNS name or IP address of the server as a SAN.',
      citation: 'Apple HT210176',
      field: 'extensions.subjectAltName',
      violates: ({ certificate }) => certificate.subjectAltNames.length === 0,
    }),
    'apple-rsa-2048': onServers({
      demand: 'The RSA key of a TLS server certificate from any CA must have 2048 bits or more.',
      remedy: 'Request the certificate with a larger key.',
      citation: 'Apple HT210176',
      field: 'subjectPublicKeyInfo',
      violates: ({ certificate: { publicKey } }) => publicKey.family === 'RSA' && publicKey.bits < 2048,
    }),
    'apple-sha-2': onServers({
      demand: 'A TLS server certificate from any CA must be signed with a SHA-2 hash.',
      remedy: 'Sign with SHA-256 or stronger.',
      citation: 'Apple HT210176',
      field: 'signature',
      violates: ({ certificate }) => /^(?:MD5|SHA1)with/.test(certificate.signatureAlgorithmName),
    }),
    'apple-timestamps': transparency('Apple HT205280', '2021-04-21'),
  },
} satisfies CertificateRuleSet;

const PSS = ['SHA256withRSAandMGF1', 'SHA384withRSAandMGF1', 'SHA512withRSAandMGF1'].map(
  (name) => signatureAlgorithm(name).der,
);
const DIGESTS_OF_CURVES: ReadonlyMap<string, string> = new Map([
  [OID.secp256r1, 'SHA256withECDSA'],
  [OID.secp384r1, 'SHA384withECDSA'],
  [OID.secp521r1, 'SHA512withECDSA'],
]);

export const MOZILLA = {
  code: 'mozilla',
  name: 'Mozilla root program',
  description:
    'Requirements of the Mozilla root store policy (clauses of version 3.0) for publicly trusted certificates.',
  rules: {
    'mozilla-curve': rulesFor(
      'publicServer',
      'publicMailbox',
      'publicAuthority',
    )({
      demand: 'An EC key must be on P-256, P-384 or P-521.',
      remedy: 'Use a key on P-256, P-384 or P-521.',
      citation: 'Mozilla RSP §5.1, §5.1.2',
      field: 'subjectPublicKeyInfo',
      violates: ({ certificate: { publicKey } }) =>
        publicKey.family === 'ECDSA' && !DIGESTS_OF_CURVES.has(publicKey.curveOid ?? ''),
    }),
    'mozilla-pss-key': rulesFor(
      'publicServer',
      'publicMailbox',
      'publicAuthority',
    )({
      demand: 'An RSA key must have the algorithm identifier rsaEncryption, not RSASSA-PSS.',
      remedy: 'Encode the key with the algorithm identifier rsaEncryption.',
      citation: 'Mozilla RSP §5.1.1',
      field: 'subjectPublicKeyInfo',
      violates: ({ certificate }) => certificate.publicKey.algorithm.oid === OID.rsaPss,
    }),
    'mozilla-pss-parameters': rulesFor(
      'publicServer',
      'publicMailbox',
      'publicAuthority',
    )({
      demand: 'An RSASSA-PSS signature must have one of the three encodings in the policy.',
      remedy: 'Use MGF1 with the message hash, and a salt of the same length.',
      citation: 'Mozilla RSP §5.1.1',
      field: 'signature',
      violates: ({ certificate: { signatureAlgorithm: algorithm } }) =>
        algorithm.oid === OID.rsaPss && !PSS.some((der) => equalBytes(der, algorithm.der)),
    }),
    'mozilla-ecdsa-digest': rulesFor(
      'publicServer',
      'publicMailbox',
      'publicAuthority',
    )({
      demand: 'A signature with a P-256 key must use SHA-256, with a P-384 key SHA-384, and with a P-521 key SHA-512.',
      remedy: 'Sign with the digest that matches the curve.',
      citation: 'Mozilla RSP §5.1.2',
      field: 'signature',
      violates: ({ certificate, issuer }) => {
        const expected = DIGESTS_OF_CURVES.get(issuer?.publicKey.curveOid ?? '');
        return expected !== undefined && certificate.signatureAlgorithmName !== expected;
      },
    }),
    'mozilla-ca-purpose': onPublicAuthorities({
      demand: 'A subordinate CA must specify extended key usages, but not both serverAuth and emailProtection.',
      remedy: 'Use a separate CA for each purpose; only cross-certificates of roots can omit the extension.',
      citation: 'Mozilla RSP §5.3',
      field: 'extensions.extKeyUsage',
      effective: { from: '2019-01-01' },
      violates: ({ certificate: { extKeyUsage, isSelfIssued } }) =>
        !isSelfIssued &&
        (extKeyUsage === undefined ||
          extKeyUsage.includes(OID.anyExtendedKeyUsage) ||
          (extKeyUsage.includes(OID.serverAuth) && extKeyUsage.includes(OID.emailProtection))),
    }),
    'mozilla-dsa': rulesFor(
      'publicServer',
      'publicMailbox',
      'publicAuthority',
    )({
      demand: 'DSA must not be used.',
      remedy: 'Use an RSA or EC key.',
      citation: 'Mozilla RSP §5.1',
      field: 'subjectPublicKeyInfo',
      violates: ({ certificate }) =>
        certificate.publicKey.family === 'DSA' || certificate.signatureAlgorithmName.endsWith('withDSA'),
    }),
  },
} satisfies CertificateRuleSet;

export const CHROME = {
  code: 'chrome',
  name: 'Chrome root program',
  description: 'Requirements of the Chrome root program policy, version 1.8, for publicly trusted TLS certificates.',
  rules: {
    'chrome-server-only': onPublicServers({
      demand: 'A publicly trusted TLS server certificate must not have an extended key usage other than serverAuth.',
      remedy: 'Request client certificates (mutual TLS) from a private CA.',
      citation: 'Chrome Root Program Policy 1.8 §1.3.2',
      field: 'extensions.extKeyUsage',
      effective: { from: '2027-03-15' },
      violates: ({ certificate: { extKeyUsage = [] } }) => extKeyUsage.some((purpose) => purpose !== OID.serverAuth),
    }),
    'chrome-server-only-soon': onPublicServers({
      demand:
        'Extended key usages other than serverAuth will not be accepted in certificates issued from 2027-03-15 on.',
      remedy: 'Move client authentication to a private CA before the next renewal.',
      citation: 'Chrome Root Program Policy 1.8 §1.3.2',
      severity: 'warning',
      field: 'extensions.extKeyUsage',
      effective: { from: '2025-02-15', until: '2027-03-15' },
      violates: ({ certificate: { extKeyUsage = [] } }) => extKeyUsage.includes(OID.clientAuth),
    }),
    'chrome-ca-server-only': onPublicAuthorities({
      demand: 'A subordinate CA for TLS must not have an extended key usage other than serverAuth.',
      remedy: 'Use a separate hierarchy for the other purposes.',
      citation: 'Chrome Root Program Policy 1.8 §1.3.2',
      field: 'extensions.extKeyUsage',
      effective: { from: '2026-06-15' },
      violates: ({ certificate: { extKeyUsage = [], isSelfIssued } }) =>
        !isSelfIssued && extKeyUsage.includes(OID.serverAuth) && extKeyUsage.length > 1,
    }),
    'chrome-timestamps': transparency('Chrome Certificate Transparency Policy', '2022-04-15'),
    'chrome-key-usage': onServers({
      demand:
        'A TLS certificate with an RSA key, from any CA, must have the key usage digitalSignature: Chrome checks it.',
      remedy: 'Add the key usage digitalSignature.',
      citation: 'RFC 8446 §4.4.2.2',
      severity: 'warning',
      field: 'extensions.keyUsage',
      violates: ({ certificate: { keyUsage, publicKey } }) =>
        keyUsage !== undefined && publicKey.family === 'RSA' && !keyUsage.includes('digitalSignature'),
    }),
  },
} satisfies CertificateRuleSet;
