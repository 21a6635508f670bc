// CA/Browser Forum Baseline Requirements for TLS server certificates of subscribers. Section numbers refer to version
// 2.3.1. The rules apply to certificates that contain a CA/Browser Forum policy; a private CA is not bound by them.
import { attributeValues, commonName } from '../../../names.ts';
import {
  BASELINE_POLICIES,
  baselinePolicies,
  type CertificateRule,
  type CertificateRules,
} from '../../certificate-rule.ts';
import { formatGeneralName, type GeneralName } from '../../../x509/general-names.ts';
import { isReservedAddress } from '../../reserved-addresses.ts';
import { OID } from '../../../oids.ts';
import type { KeyFamily } from '../../../keys.ts';
import type { KeyUsage } from '../../../x509/extensions.ts';

const DAY_MS = 86_400_000;

/** Version 2.0.0 (ballot SC62) introduced the certificate profiles. */
const SINCE_PROFILES = { from: '2023-09-15' };

/**
 * Returns a rule that limits the validity period (§1.6.1, §6.3.2). The period includes both endpoints, and a partial
 * day counts as a full day.
 */
function validityAtMost(days: number, effective: { from: string; until?: string }): CertificateRule {
  return {
    demand: `The certificate must not be valid for more than ${days} days.`,
    remedy: `Request it for at most ${days} days, and automate renewal.`,
    citation: 'CA/Browser Forum BR §6.3.2',
    severity: 'error',
    field: 'validity',
    appliesTo: ['publicServer'],
    effective,
    violates: ({ certificate }) => certificate.notAfterMs - certificate.notBeforeMs + 1000 > days * DAY_MS,
  };
}

const SERVER_NAMES: readonly GeneralName['kind'][] = ['dNSName', 'iPAddress'];

/** §7.1.2.7.2: attributes allowed in the subject if only domain control was validated. */
const DOMAIN_VALIDATED_ATTRIBUTES: readonly string[] = [OID.countryName, OID.commonName];

const SIGNATURES = /^SHA(?:256|384|512)with(?:RSA|ECDSA|RSAandMGF1)$/;

/** §7.1.2.7.11. */
const KEY_USAGES: Readonly<Partial<Record<KeyFamily, readonly KeyUsage[]>>> = {
  RSA: ['digitalSignature', 'keyEncipherment', 'dataEncipherment'],
  ECDSA: ['digitalSignature', 'keyAgreement'],
};

const PROFILE = {
  'baseline-policy': {
    demand: 'The certificate must contain exactly one of the policies reserved by the Baseline Requirements.',
    remedy: 'Specify the reserved policy that matches how the subscriber was validated.',
    citation: 'CA/Browser Forum BR §7.1.2.7.9',
    severity: 'error',
    field: 'extensions.certificatePolicies',
    appliesTo: ['publicServer'],
    effective: SINCE_PROFILES,
    violates: (subject) => baselinePolicies(subject).length !== 1,
  },
  'baseline-signature': {
    demand: 'The signature must use RSA or ECDSA with SHA-256, SHA-384 or SHA-512.',
    remedy: 'Sign with RSA or ECDSA and SHA-256, SHA-384 or SHA-512.',
    citation: 'CA/Browser Forum BR §7.1.3.2',
    severity: 'error',
    field: 'signature',
    appliesTo: ['publicServer'],
    effective: { from: '2016-01-01' },
    violates: ({ certificate }) => !SIGNATURES.test(certificate.signatureAlgorithmName),
  },
  'baseline-rsa-size': {
    demand: 'The size of an RSA modulus must be divisible by 8.',
    remedy: 'Use a key of 2048, 3072 or 4096 bits.',
    citation: 'CA/Browser Forum BR §6.1.5',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    appliesTo: ['publicServer'],
    violates: ({ certificate: { publicKey } }) => publicKey.family === 'RSA' && publicKey.bits % 8 !== 0,
  },
  'baseline-purpose': {
    demand: 'The extended key usages must include serverAuth and must not include anyExtendedKeyUsage.',
    remedy: 'Add serverAuth, and omit anyExtendedKeyUsage.',
    citation: 'CA/Browser Forum BR §7.1.2.7.10',
    severity: 'error',
    field: 'extensions.extKeyUsage',
    appliesTo: ['publicServer'],
    effective: SINCE_PROFILES,
    violates: ({ certificate: { extKeyUsage = [] } }) =>
      !extKeyUsage.includes(OID.serverAuth) || extKeyUsage.includes(OID.anyExtendedKeyUsage),
  },
  'baseline-key-usage': {
    demand: 'The key usage must be allowed in TLS for the key type, and must include digitalSignature for an EC key.',
    remedy: 'Specify only digitalSignature and, for RSA keys if legacy clients need it, keyEncipherment.',
    citation: 'CA/Browser Forum BR §7.1.2.7.11',
    severity: 'error',
    field: 'extensions.keyUsage',
    appliesTo: ['publicServer'],
    effective: SINCE_PROFILES,
    violates: ({ certificate: { keyUsage, publicKey } }) => {
      const allowed = KEY_USAGES[publicKey.family];
      if (keyUsage === undefined || allowed === undefined) return false;
      const isSigning = keyUsage.includes('digitalSignature');
      return (publicKey.family === 'ECDSA' && !isSigning) || keyUsage.some((usage) => !allowed.includes(usage));
    },
  },
  'baseline-authority-key-identifier': {
    demand: "The authority key identifier must not contain the issuer's name and serial number.",
    remedy: 'Identify the issuer only by its key identifier.',
    citation: 'CA/Browser Forum BR §7.1.2.11.1',
    severity: 'error',
    field: 'extensions.authorityKeyIdentifier',
    appliesTo: ['publicServer'],
    effective: SINCE_PROFILES,
    violates: ({ certificate: { authorityKeyIdentifier } }) =>
      authorityKeyIdentifier?.issuer !== undefined || authorityKeyIdentifier?.serialNumber !== undefined,
  },
  'baseline-http-only': {
    demand: 'CRL, OCSP and issuer certificate URLs must use http.',
    remedy: 'Use an http URL.',
    citation: 'CA/Browser Forum BR §7.1.2.7.7, §7.1.2.11.2',
    severity: 'error',
    field: 'extensions',
    appliesTo: ['publicServer'],
    effective: SINCE_PROFILES,
    violates: ({ locations }) => locations.some((url) => !/^http:\/\//i.test(url)),
  },
} satisfies CertificateRules;

const SUBJECT = {
  'baseline-names': {
    demand: 'The certificate must have subject alternative names, and all must be DNS names or IP addresses.',
    remedy: 'Specify only the DNS names and IP addresses of the server.',
    citation: 'CA/Browser Forum BR §7.1.2.7.12',
    severity: 'error',
    field: 'extensions.subjectAltName',
    appliesTo: ['publicServer'],
    violates: ({ certificate: { subjectAltNames } }) =>
      subjectAltNames.length === 0 || subjectAltNames.some(({ kind }) => !SERVER_NAMES.includes(kind)),
  },
  'baseline-internal-name': {
    demand: 'A DNS name must have at least two labels: control of a single label cannot be validated.',
    remedy: 'Use a name below a registered domain. A private CA can certify internal names.',
    citation: 'CA/Browser Forum BR §4.2.2, §7.1.2.7.12',
    severity: 'error',
    field: 'extensions.subjectAltName',
    appliesTo: ['publicServer'],
    effective: { from: '2015-11-01' },
    violates: ({ certificate }) =>
      certificate.subjectAltNames.some((name) => name.kind === 'dNSName' && !/[^*.]\.[^.]/.test(name.value)),
  },
  'baseline-reserved-address': {
    demand: 'An IP address must not be reserved.',
    remedy: 'Use a public address. A private CA can certify reserved ones.',
    citation: 'CA/Browser Forum BR §4.2.2, §7.1.2.7.12',
    severity: 'error',
    field: 'extensions.subjectAltName',
    appliesTo: ['publicServer'],
    effective: { from: '2015-11-01' },
    violates: ({ certificate }) =>
      certificate.subjectAltNames.some((name) => name.kind === 'iPAddress' && isReservedAddress(name.octets)),
  },
  'baseline-reverse-name': {
    demand: 'A DNS name must not be below in-addr.arpa or ip6.arpa.',
    remedy: 'Use the host name or the IP address itself.',
    citation: 'CA/Browser Forum BR §4.2.2, §7.1.2.7.12',
    severity: 'error',
    field: 'extensions.subjectAltName',
    appliesTo: ['publicServer'],
    effective: { from: '2026-03-15' },
    violates: ({ dnsNames }) => {
      const reverse = dnsNames.find((name) => /(?:^|\.)(?:in-addr|ip6)\.arpa$/i.test(name));
      return reverse === undefined ? undefined : { value: reverse };
    },
  },
  'baseline-underscore': {
    demand: 'A DNS name must not contain an underscore.',
    remedy: 'Use a host name without an underscore.',
    citation: 'CA/Browser Forum BR §7.1.2.7.12',
    severity: 'error',
    field: 'extensions.subjectAltName',
    appliesTo: ['publicServer'],
    effective: { from: '2019-05-01' },
    violates: ({ certificate }) =>
      certificate.subjectAltNames.some((name) => name.kind === 'dNSName' && name.value.includes('_')),
  },
  'baseline-common-name': {
    demand: 'The common name must be one of the subject alternative names.',
    remedy: 'Omit the common name, or add it to the subject alternative names.',
    citation: 'CA/Browser Forum BR §7.1.4.3',
    severity: 'error',
    field: 'subject.commonName',
    appliesTo: ['publicServer'],
    violates: ({ certificate: { subject, subjectAltNames } }) => {
      const name = commonName(subject)?.toLowerCase();
      return name !== undefined && !subjectAltNames.some((entry) => formatGeneralName(entry).toLowerCase() === name);
    },
  },
  'baseline-organizational-unit': {
    demand: 'The subject must not contain an organizational unit.',
    remedy: 'Omit the organizational unit.',
    citation: 'CA/Browser Forum BR §7.1.2.7.3, §7.1.2.7.4',
    severity: 'error',
    field: 'subject.organizationalUnitName',
    appliesTo: ['publicServer'],
    effective: { from: '2022-09-01' },
    violates: ({ certificate }) => attributeValues(certificate.subject, OID.organizationalUnitName).length > 0,
  },
  'baseline-domain-validated-subject': {
    demand:
      'The subject of a domain-validated certificate must not contain attributes other than country and common name.',
    remedy: 'Omit the other attributes, or have the organization validated.',
    citation: 'CA/Browser Forum BR §7.1.2.7.2',
    severity: 'error',
    field: 'subject',
    appliesTo: ['publicServer'],
    effective: SINCE_PROFILES,
    violates: (subject) =>
      baselinePolicies(subject).includes(BASELINE_POLICIES.domainValidated) &&
      subject.certificate.subject.rdns.flat().some(({ type }) => !DOMAIN_VALIDATED_ATTRIBUTES.includes(type)),
  },
} satisfies CertificateRules;

export const BASELINE = {
  'baseline-validity-398-days': validityAtMost(398, { from: '2020-09-01', until: '2026-03-15' }),
  'baseline-validity-200-days': validityAtMost(200, { from: '2026-03-15', until: '2027-03-15' }),
  'baseline-validity-100-days': validityAtMost(100, { from: '2027-03-15', until: '2029-03-15' }),
  'baseline-validity-47-days': validityAtMost(47, { from: '2029-03-15' }),
  ...PROFILE,
  ...SUBJECT,
} satisfies CertificateRules;
