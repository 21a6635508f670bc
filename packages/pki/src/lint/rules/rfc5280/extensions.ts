// Extensions in general: syntax, criticality, and lists that must not be empty (RFC 5280 §4.2).
import { alternativeKey, alternativeSignatureAlgorithmName } from '../../../x509/alternative-signature.ts';
import { findExtension } from '../../../x509/extensions.ts';
import { OID } from '../../../oids.ts';
import { parseDer, readChildren, readIntegerBetween, readOctetString } from '../../../der/reader.ts';
import { readTimestampList } from '../../../x509/certificate-transparency.ts';
import { PkiError } from '../../../errors.ts';
import { TAG } from '../../../der/tags.ts';
import type { CertificateRule, CertificateRules, LintSubject } from '../../certificate-rule.ts';
import type { Violation } from '../../rule.ts';

interface Criticality {
  readonly extension: keyof typeof OID;
  readonly critical: boolean;
  readonly citation: string;
  readonly severity: 'error' | 'warning';
}

/** Returns a rule that requires or recommends that an extension be critical or non-critical. */
function criticality({ extension, critical, citation, severity }: Criticality): CertificateRule {
  const verb = severity === 'error' ? 'must' : 'should';
  return {
    demand: `The ${extension} extension ${verb} ${critical ? '' : 'not '}be critical.`,
    remedy: critical ? 'Mark the extension as critical.' : 'Mark the extension as non-critical.',
    citation,
    severity,
    field: `extensions.${extension}.critical`,
    violates: ({ certificate }) => findExtension(certificate.extensions, OID[extension])?.critical === !critical,
  };
}

/** Returns a rule that requires an extension's list to have at least one member. */
function notEmptyRule(extension: keyof typeof OID, citation: string): CertificateRule {
  return {
    demand: `The ${extension} extension must not be empty.`,
    remedy: 'Add a member, or omit the extension.',
    citation,
    severity: 'error',
    field: `extensions.${extension}`,
    violates: ({ certificate }) => {
      const value = certificate.extensionValue(OID[extension]);
      return value !== undefined && readChildren(parseDer(value)).length === 0;
    },
  };
}

/** Readers for all parts of a certificate that are decoded on first access, with their field names. */
const READERS: readonly (readonly [part: string, read: (subject: LintSubject) => unknown])[] = [
  ['issuer', ({ certificate }) => certificate.issuer],
  ['subject', ({ certificate }) => certificate.subject],
  ['subjectPublicKeyInfo', ({ certificate }) => certificate.publicKey],
  ['extensions.basicConstraints', ({ certificate }) => certificate.basicConstraints],
  ['extensions.keyUsage', ({ certificate }) => certificate.keyUsage],
  ['extensions.extKeyUsage', ({ certificate }) => certificate.extKeyUsage],
  ['extensions.subjectAltName', ({ certificate }) => certificate.subjectAltNames],
  ['extensions.issuerAltName', ({ certificate }) => certificate.issuerAltNames],
  ['extensions.subjectKeyIdentifier', ({ certificate }) => certificate.subjectKeyIdentifier],
  ['extensions.authorityKeyIdentifier', ({ certificate }) => certificate.authorityKeyIdentifier],
  ['extensions.crlDistributionPoints', ({ certificate }) => certificate.crlDistributionPoints],
  ['extensions.freshestCrl', ({ certificate }) => certificate.freshestCrlUrls],
  ['extensions.authorityInfoAccess', ({ certificate }) => certificate.authorityInfoAccess],
  ['extensions.certificatePolicies', ({ certificate }) => certificate.certificatePolicies],
  ['extensions.policyMappings', ({ certificate }) => certificate.policyMappings],
  ['extensions.policyConstraints', ({ certificate }) => certificate.policyConstraints],
  ['extensions.inhibitAnyPolicy', ({ certificate }) => certificate.inhibitAnyPolicy],
  ['extensions.nameConstraints', ({ certificate }) => certificate.nameConstraints],
  ['extensions.subjectAltPublicKeyInfo', ({ certificate }) => alternativeKey(certificate)],
  ['extensions.altSignatureAlgorithm', ({ certificate }) => alternativeSignatureAlgorithmName(certificate)],
  ['extensions.qcStatements', (subject) => subject.qcStatements],
];

/** Returns a violation for the first malformed part. */
function firstMalformed(subject: LintSubject): Violation | undefined {
  for (const [field, read] of READERS) {
    try {
      read(subject);
    } catch (error) {
      if (!(error instanceof PkiError)) throw error;
      return { field, message: `The field ${field} is malformed: ${error.message.replace(/\.$/, '')}.` };
    }
  }
  return undefined;
}

/** Returns whether a SEQUENCE contains the BOOLEAN FALSE. */
function encodesFalse(der: Uint8Array): boolean {
  return readChildren(parseDer(der)).some(({ tag, source, content }) => tag === TAG.boolean && source[content] === 0);
}

const CRITICALITY = {
  'authority-key-identifier-not-critical': criticality({
    extension: 'authorityKeyIdentifier',
    critical: false,
    citation: 'RFC 5280 §4.2.1.1',
    severity: 'error',
  }),
  'subject-key-identifier-not-critical': criticality({
    extension: 'subjectKeyIdentifier',
    critical: false,
    citation: 'RFC 5280 §4.2.1.2',
    severity: 'error',
  }),
  'policy-mappings-critical': criticality({
    extension: 'policyMappings',
    critical: true,
    citation: 'RFC 5280 §4.2.1.5',
    severity: 'warning',
  }),
  'issuer-alt-name-not-critical': criticality({
    extension: 'issuerAltName',
    critical: false,
    citation: 'RFC 5280 §4.2.1.7',
    severity: 'warning',
  }),
  'subject-directory-attributes-not-critical': criticality({
    extension: 'subjectDirectoryAttributes',
    critical: false,
    citation: 'RFC 5280 §4.2.1.8',
    severity: 'error',
  }),
  'name-constraints-critical': criticality({
    extension: 'nameConstraints',
    critical: true,
    citation: 'RFC 5280 §4.2.1.10',
    severity: 'error',
  }),
  'policy-constraints-critical': criticality({
    extension: 'policyConstraints',
    critical: true,
    citation: 'RFC 5280 §4.2.1.11',
    severity: 'error',
  }),
  'crl-distribution-points-not-critical': criticality({
    extension: 'crlDistributionPoints',
    critical: false,
    citation: 'RFC 5280 §4.2.1.13',
    severity: 'warning',
  }),
  'inhibit-any-policy-critical': criticality({
    extension: 'inhibitAnyPolicy',
    critical: true,
    citation: 'RFC 5280 §4.2.1.14',
    severity: 'error',
  }),
  'freshest-crl-not-critical': criticality({
    extension: 'freshestCrl',
    critical: false,
    citation: 'RFC 5280 §4.2.1.15',
    severity: 'error',
  }),
  'authority-info-access-not-critical': criticality({
    extension: 'authorityInfoAccess',
    critical: false,
    citation: 'RFC 5280 §4.2.2.1',
    severity: 'error',
  }),
  'subject-info-access-not-critical': criticality({
    extension: 'subjectInfoAccess',
    critical: false,
    citation: 'RFC 5280 §4.2.2.2',
    severity: 'error',
  }),
  'ocsp-no-check-not-critical': criticality({
    extension: 'ocspNoCheck',
    critical: false,
    citation: 'RFC 6960 §4.2.2.2.1',
    severity: 'warning',
  }),
  'precertificate-poison-critical': criticality({
    extension: 'ctPrecertificatePoison',
    critical: true,
    citation: 'RFC 6962 §3.1',
    severity: 'error',
  }),
  'acme-identifier-critical': criticality({
    extension: 'acmeIdentifier',
    critical: true,
    citation: 'RFC 8737 §3',
    severity: 'error',
  }),
  'sct-list-not-critical': criticality({
    extension: 'ctSctList',
    critical: false,
    citation: 'RFC 6962 §3.3; CA/Browser Forum BR §7.1.2.7.6',
    severity: 'warning',
  }),
  'tls-feature-not-critical': criticality({
    extension: 'tlsFeature',
    critical: false,
    citation: 'RFC 7633 §4',
    severity: 'warning',
  }),
} satisfies CertificateRules;

/** Syntax of extensions defined by other RFCs, which path validation does not process. */
const SYNTAX = {
  'sct-list-syntax': {
    demand: 'The list of signed certificate timestamps must be well-formed and must not be empty.',
    remedy: 'Embed the timestamps exactly as the logs returned them.',
    citation: 'RFC 6962 §3.3',
    severity: 'error',
    field: 'extensions.ctSctList',
    violates: ({ certificate }) => {
      const value = certificate.extensionValue(OID.ctSctList);
      return value !== undefined && problemOf(() => readTimestampList(value).length > 0 || undefined);
    },
  },
  'tls-feature-syntax': {
    demand: 'The TLS features must be unique TLS extension numbers.',
    remedy: 'Include the number 5 (status_request) to require OCSP stapling, or omit the extension.',
    citation: 'RFC 7633 §4.2',
    severity: 'error',
    field: 'extensions.tlsFeature',
    violates: ({ certificate }) => {
      const value = certificate.extensionValue(OID.tlsFeature);
      if (value === undefined) return false;
      return problemOf(() => {
        const features = readChildren(parseDer(value)).map((each) => readIntegerBetween(each, { min: 0, max: 0xffff }));
        return (features.length > 0 && new Set(features).size === features.length) || undefined;
      });
    },
  },
  'acme-identifier-syntax': {
    demand: 'The acmeIdentifier extension must contain a SHA-256 digest, in an OCTET STRING of 32 bytes.',
    remedy: 'Set the extension to the digest of the key authorization.',
    citation: 'RFC 8737 §3',
    severity: 'error',
    field: 'extensions.acmeIdentifier',
    violates: ({ certificate }) => {
      const value = certificate.extensionValue(OID.acmeIdentifier);
      return value !== undefined && problemOf(() => readOctetString(parseDer(value)).length === 32 || undefined);
    },
  },
} satisfies CertificateRules;

/** Returns undefined if `reads` returns true; any other result or a `PkiError` is a violation. */
function problemOf(reads: () => true | undefined): string | undefined | true {
  try {
    return reads() === true ? undefined : true;
  } catch (error) {
    if (error instanceof PkiError) return `The extension is malformed: ${error.message.replace(/\.$/, '')}.`;
    throw error;
  }
}

const EMPTINESS = {
  'certificate-policies-not-empty': notEmptyRule('certificatePolicies', 'RFC 5280 §4.2.1.4'),
  'policy-mappings-not-empty': notEmptyRule('policyMappings', 'RFC 5280 §4.2.1.5'),
  'issuer-alt-name-not-empty': notEmptyRule('issuerAltName', 'RFC 5280 §4.2.1.7'),
  'subject-directory-attributes-not-empty': notEmptyRule('subjectDirectoryAttributes', 'RFC 5280 §4.2.1.8'),
  'crl-distribution-points-not-empty': notEmptyRule('crlDistributionPoints', 'RFC 5280 §4.2.1.13'),
  'freshest-crl-not-empty': notEmptyRule('freshestCrl', 'RFC 5280 §4.2.1.15'),
  'authority-info-access-not-empty': notEmptyRule('authorityInfoAccess', 'RFC 5280 §4.2.2.1'),
  'subject-info-access-not-empty': notEmptyRule('subjectInfoAccess', 'RFC 5280 §4.2.2.2'),
} satisfies CertificateRules;

export const EXTENSIONS = {
  'extension-malformed': {
    demand: 'Every known extension must conform to its defined syntax.',
    remedy: 'Encode the value as specified by the standard that defines the extension.',
    citation: 'RFC 5280 §4.2',
    severity: 'error',
    field: 'extensions',
    violates: firstMalformed,
  },
  'basic-constraints-default': {
    demand: 'The basicConstraints extension of an end-entity certificate should omit the default FALSE.',
    remedy: 'Omit the default value from the encoding.',
    citation: 'RFC 5280 §4.2.1.9; X.690 §11.5',
    severity: 'warning',
    field: 'extensions.basicConstraints',
    violates: ({ certificate }) => {
      const value = certificate.extensionValue(OID.basicConstraints);
      return value !== undefined && encodesFalse(value);
    },
  },
  'precertificate-without-scts': {
    demand: 'A precertificate must not contain signed certificate timestamps.',
    remedy: 'Omit the timestamps from the precertificate, or the poison extension from the certificate.',
    citation: 'RFC 6962 §3.1, §3.3',
    severity: 'error',
    field: 'extensions.ctSctList',
    violates: ({ certificate }) =>
      certificate.extensionValue(OID.ctPrecertificatePoison) !== undefined &&
      certificate.extensionValue(OID.ctSctList) !== undefined,
  },
  ...CRITICALITY,
  ...SYNTAX,
  ...EMPTINESS,
} satisfies CertificateRules;
