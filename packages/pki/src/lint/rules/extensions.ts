// Extensions in general: syntax, criticality, and lists that must not be empty (RFC 5280 §4.2).
import { describeCertificate } from '../../x509/describe.ts';
import { findExtension } from '../../x509/extensions.ts';
import { OID } from '../../oids.ts';
import { parseDer, readChildren } from '../../der/reader.ts';
import { PkiError } from '../../errors.ts';
import { TAG } from '../../der/tags.ts';
import type { CertificateRule, CertificateRuleGroup, LintSubject } from '../certificate-rule.ts';

interface Criticality {
  readonly extension: keyof typeof OID;
  readonly critical: boolean;
  readonly citation: string;
  readonly severity: 'error' | 'warning';
}

/** An extension that must, or should, be critical, or not critical. */
function criticality({ extension, critical, citation, severity }: Criticality): CertificateRule {
  const verb = severity === 'error' ? 'must' : 'should';
  return {
    demand: `The ${extension} extension ${verb} ${critical ? '' : 'not '}be critical.`,
    citation,
    severity,
    violates: ({ certificate }) => findExtension(certificate.extensions, OID[extension])?.critical === !critical,
  };
}

/** An extension whose value is a list that needs at least one member. */
function notEmpty(extension: keyof typeof OID, citation: string): CertificateRule {
  return {
    demand: `The ${extension} extension must not be empty.`,
    citation,
    severity: 'error',
    violates: ({ certificate }) => {
      const value = certificate.extensionValue(OID[extension]);
      return value !== undefined && readChildren(parseDer(value)).length === 0;
    },
  };
}

/**
 * Reads everything that can be malformed in a certificate. Throws `PkiError`, or returns the first malformed extension.
 */
function firstMalformed({ certificate }: LintSubject): string | undefined {
  void certificate.certificatePolicies;
  void certificate.policyMappings;
  void certificate.policyConstraints;
  void certificate.inhibitAnyPolicy;
  void certificate.nameConstraints;
  void certificate.freshestCrlUrls;
  void certificate.issuerAltNames;
  return describeCertificate(certificate).malformedExtensions[0];
}

/** Whether a SEQUENCE has a member that is the BOOLEAN FALSE. */
function writesFalse(der: Uint8Array): boolean {
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
} satisfies CertificateRuleGroup['rules'];

const EMPTINESS = {
  'certificate-policies-not-empty': notEmpty('certificatePolicies', 'RFC 5280 §4.2.1.4'),
  'policy-mappings-not-empty': notEmpty('policyMappings', 'RFC 5280 §4.2.1.5'),
  'issuer-alt-name-not-empty': notEmpty('issuerAltName', 'RFC 5280 §4.2.1.7'),
  'subject-directory-attributes-not-empty': notEmpty('subjectDirectoryAttributes', 'RFC 5280 §4.2.1.8'),
  'crl-distribution-points-not-empty': notEmpty('crlDistributionPoints', 'RFC 5280 §4.2.1.13'),
  'freshest-crl-not-empty': notEmpty('freshestCrl', 'RFC 5280 §4.2.1.15'),
  'authority-info-access-not-empty': notEmpty('authorityInfoAccess', 'RFC 5280 §4.2.2.1'),
  'subject-info-access-not-empty': notEmpty('subjectInfoAccess', 'RFC 5280 §4.2.2.2'),
} satisfies CertificateRuleGroup['rules'];

export const EXTENSIONS = {
  name: 'Extensions',
  description: 'Whether extensions can be read, are critical where they must be, and are not empty',
  rules: {
    'extension-malformed': {
      demand: 'Every known extension must have the syntax defined for it.',
      citation: 'RFC 5280 §4.2',
      severity: 'error',
      violates: (subject) => {
        try {
          const malformed = firstMalformed(subject);
          return malformed !== undefined && `The value of the extension ${malformed} is malformed.`;
        } catch (error) {
          if (error instanceof PkiError) return `A part of the certificate is malformed: ${error.message}.`;
          throw error;
        }
      },
    },
    'basic-constraints-default': {
      demand:
        'The basicConstraints extension of a certificate that is not a CA certificate should omit the default FALSE.',
      citation: 'RFC 5280 §4.2.1.9; X.690 §11.5',
      severity: 'warning',
      violates: ({ certificate }) => {
        const value = certificate.extensionValue(OID.basicConstraints);
        return value !== undefined && writesFalse(value);
      },
    },
    'precertificate-without-scts': {
      demand: 'A precertificate must not have signed certificate timestamps.',
      citation: 'RFC 6962 §3.1, §3.3',
      severity: 'error',
      violates: ({ certificate }) =>
        certificate.extensionValue(OID.ctPrecertificatePoison) !== undefined &&
        certificate.extensionValue(OID.ctSctList) !== undefined,
    },
    ...CRITICALITY,
    ...EMPTINESS,
  },
} satisfies CertificateRuleGroup;
