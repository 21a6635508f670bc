// Lint rules on extensions other than alternative names (RFC 5280 §4.2): usages, constraints, identifiers, policies.
import { describeCertificate } from '../x509/describe.ts';
import { equalBytes } from '../bytes.ts';
import { findExtension, type KeyUsage } from '../x509/extensions.ts';
import { OID } from '../oids.ts';
import { PkiError } from '../errors.ts';
import { when, type LintRule, type LintSubject } from './rule.ts';
import type { KeyFamily } from '../keys.ts';

function isCritical({ certificate }: LintSubject, oid: string): boolean | undefined {
  return findExtension(certificate.extensions, oid)?.critical;
}

const ENCRYPTING: readonly KeyUsage[] = ['keyEncipherment', 'dataEncipherment'];
const AGREEING: readonly KeyUsage[] = ['keyAgreement', 'encipherOnly', 'decipherOnly'];
const SIGNING: readonly KeyUsage[] = ['digitalSignature', 'nonRepudiation', 'keyCertSign', 'cRLSign'];

/** Usages that a key can never serve: RFC 8813 §3, RFC 8410 §5, RFC 9881 §5, RFC 9909 §5, RFC 9935 §5, RFC 3279 §2.3. */
const IMPOSSIBLE_USAGES: Readonly<Record<KeyFamily, readonly KeyUsage[]>> = {
  RSA: AGREEING,
  ECDSA: ENCRYPTING,
  DSA: [...ENCRYPTING, ...AGREEING],
  DH: [...ENCRYPTING, ...SIGNING],
  Ed25519: [...ENCRYPTING, ...AGREEING],
  Ed448: [...ENCRYPTING, ...AGREEING],
  X25519: [...ENCRYPTING, ...SIGNING],
  X448: [...ENCRYPTING, ...SIGNING],
  'ML-DSA': [...ENCRYPTING, ...AGREEING],
  'SLH-DSA': [...ENCRYPTING, ...AGREEING],
  'ML-KEM': ['dataEncipherment', ...AGREEING, ...SIGNING],
  Unknown: [],
};

/** Key usages of which a purpose needs at least one (RFC 5280 §4.2.1.12). */
const PURPOSE_USAGES: ReadonlyMap<string, readonly KeyUsage[]> = new Map<string, readonly KeyUsage[]>([
  [OID.serverAuth, ['digitalSignature', 'keyEncipherment', 'keyAgreement']],
  [OID.clientAuth, ['digitalSignature', 'keyAgreement']],
  [OID.codeSigning, ['digitalSignature']],
  [OID.emailProtection, ['digitalSignature', 'nonRepudiation', 'keyEncipherment', 'keyAgreement']],
  [OID.timeStamping, ['digitalSignature', 'nonRepudiation']],
  [OID.ocspSigning, ['digitalSignature', 'nonRepudiation']],
]);

/** Extensions that must not, or must, be critical. */
function criticality(id: string, options: { oid: string; must: boolean; name: string; citation: string }): LintRule {
  const { oid, must, name, citation } = options;
  return {
    id,
    citation,
    severity: 'error',
    check: (subject) => {
      const critical = isCritical(subject, oid);
      if (critical === undefined || critical === must) return undefined;
      return `The ${name} extension must ${must ? '' : 'not '}be critical.`;
    },
  };
}

export const EXTENSION_RULES: readonly LintRule[] = [
  {
    id: 'extension-malformed',
    citation: 'RFC 5280 §4.2',
    severity: 'error',
    check: ({ certificate }) => {
      try {
        const [malformed] = describeCertificate(certificate).malformedExtensions;
        if (malformed !== undefined) return `The value of the extension ${malformed} is malformed.`;
        void certificate.certificatePolicies;
        void certificate.policyMappings;
        void certificate.policyConstraints;
        void certificate.inhibitAnyPolicy;
        void certificate.nameConstraints;
        void certificate.freshestCrlUrls;
        void certificate.issuerAltNames;
        return undefined;
      } catch (error) {
        if (error instanceof PkiError) return `A part of the certificate is malformed: ${error.message}.`;
        throw error;
      }
    },
  },
  {
    id: 'basic-constraints-critical',
    citation: 'RFC 5280 §4.2.1.9',
    severity: 'error',
    check: (subject) =>
      when(
        subject.certificate.isCa && isCritical(subject, OID.basicConstraints) === false,
        'The basicConstraints extension of an authority must be critical.',
      ),
  },
  {
    id: 'path-length-only-for-ca',
    citation: 'RFC 5280 §4.2.1.9',
    severity: 'error',
    check: ({ certificate }) => {
      const { ca, pathLength } = certificate.basicConstraints ?? {};
      const maySign = certificate.keyUsage?.includes('keyCertSign') ?? true;
      return when(
        pathLength !== undefined && !(ca === true && maySign),
        'A path length belongs to an authority that signs.',
      );
    },
  },
  {
    id: 'ca-key-usage',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'error',
    check: ({ certificate }) =>
      when(
        certificate.isCa && certificate.keyUsage?.includes('keyCertSign') !== true,
        'An authority needs the key usage keyCertSign.',
      ),
  },
  {
    id: 'key-cert-sign-only-for-ca',
    citation: 'RFC 5280 §4.2.1.9',
    severity: 'error',
    check: ({ certificate }) =>
      when(
        !certificate.isCa && certificate.keyUsage?.includes('keyCertSign') === true,
        'The key usage keyCertSign belongs to authorities only.',
      ),
  },
  {
    id: 'key-usage-not-empty',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'error',
    check: ({ certificate }) =>
      when(certificate.keyUsage?.length === 0, 'The keyUsage extension must allow at least one usage.'),
  },
  {
    id: 'key-usage-critical',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'warning',
    check: (subject) => when(isCritical(subject, OID.keyUsage) === false, 'The keyUsage extension should be critical.'),
  },
  {
    id: 'key-usage-fits-key',
    citation: 'RFC 8813 §3; RFC 8410 §5; RFC 9881 §5; RFC 3279 §2.3',
    severity: 'error',
    check: ({ certificate }) => {
      const { family, name } = certificate.publicKey;
      const impossible = (certificate.keyUsage ?? []).filter((usage) => IMPOSSIBLE_USAGES[family].includes(usage));
      return when(impossible.length > 0, `A key of type ${name} cannot serve ${impossible.join(', ')}.`);
    },
  },
  {
    id: 'encipher-only-needs-key-agreement',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'warning',
    check: ({ certificate }) => {
      const usages = certificate.keyUsage ?? [];
      const isOnly = usages.includes('encipherOnly') || usages.includes('decipherOnly');
      return when(
        isOnly && !usages.includes('keyAgreement'),
        'encipherOnly and decipherOnly mean nothing without keyAgreement.',
      );
    },
  },
  {
    id: 'ext-key-usage-not-empty',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'error',
    check: ({ certificate }) =>
      when(certificate.extKeyUsage?.length === 0, 'The extKeyUsage extension must name at least one purpose.'),
  },
  {
    id: 'ext-key-usage-duplicate',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'warning',
    check: ({ certificate }) => {
      const purposes = certificate.extKeyUsage ?? [];
      return when(new Set(purposes).size < purposes.length, 'The extKeyUsage extension names a purpose twice.');
    },
  },
  {
    id: 'any-purpose-not-critical',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'warning',
    check: (subject) =>
      when(
        isCritical(subject, OID.extKeyUsage) === true &&
          (subject.certificate.extKeyUsage ?? []).includes(OID.anyExtendedKeyUsage),
        'With anyExtendedKeyUsage the extKeyUsage extension should not be critical.',
      ),
  },
  {
    id: 'purpose-fits-key-usage',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'error',
    check: ({ certificate }) => {
      const usages = certificate.keyUsage;
      if (usages === undefined || certificate.isCa) return undefined;
      const unusable = (certificate.extKeyUsage ?? []).find((purpose) => {
        const needed = PURPOSE_USAGES.get(purpose);
        return needed !== undefined && !needed.some((usage) => usages.includes(usage));
      });
      return unusable && `No key usage allows the purpose ${unusable}.`;
    },
  },
  {
    id: 'authority-key-identifier',
    citation: 'RFC 5280 §4.2.1.1',
    severity: 'error',
    check: ({ certificate }) =>
      when(
        !certificate.isSelfIssued && certificate.authorityKeyIdentifier?.keyIdentifier === undefined,
        'The certificate needs an authority key identifier.',
      ),
  },
  {
    id: 'authority-key-identifier-matches',
    citation: 'RFC 5280 §4.2.1.1',
    severity: 'error',
    check: ({ certificate, issuer }) => {
      const expected = issuer?.subjectKeyIdentifier;
      const actual = certificate.authorityKeyIdentifier?.keyIdentifier;
      const differs = expected !== undefined && actual !== undefined && !equalBytes(expected, actual);
      return when(differs, "The authority key identifier is not the issuer's subject key identifier.");
    },
  },
  {
    id: 'subject-key-identifier',
    citation: 'RFC 5280 §4.2.1.2',
    severity: 'error',
    check: ({ certificate }) =>
      when(
        certificate.isCa && (certificate.subjectKeyIdentifier?.length ?? 0) === 0,
        'An authority needs a subject key identifier.',
      ),
  },
  {
    id: 'path-length-of-issuer',
    citation: 'RFC 5280 §6.1.4 (l)',
    severity: 'error',
    check: ({ certificate, issuer }) =>
      when(
        certificate.isCa && !certificate.isSelfIssued && issuer?.basicConstraints?.pathLength === 0,
        'The issuer has the path length 0 and must not issue authorities.',
      ),
  },
  {
    id: 'name-constraints-only-for-ca',
    citation: 'RFC 5280 §4.2.1.10',
    severity: 'error',
    check: ({ certificate }) =>
      when(
        !certificate.isCa && certificate.nameConstraints !== undefined,
        'Name constraints belong to authorities only.',
      ),
  },
  {
    id: 'name-constraints-not-empty',
    citation: 'RFC 5280 §4.2.1.10',
    severity: 'error',
    check: ({ certificate }) => {
      const { permitted, excluded } = certificate.nameConstraints ?? {};
      return when(
        permitted?.length === 0 && excluded?.length === 0,
        'The nameConstraints extension must not be empty.',
      );
    },
  },
  {
    id: 'policies-distinct',
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'error',
    check: ({ certificate }) => {
      const policies = certificate.certificatePolicies.map(({ oid }) => oid);
      return when(new Set(policies).size < policies.length, 'A certificate policy is named twice.');
    },
  },
  {
    id: 'policy-constraints-not-empty',
    citation: 'RFC 5280 §4.2.1.11',
    severity: 'error',
    check: ({ certificate }) => {
      const constraints = certificate.policyConstraints;
      return when(
        constraints !== undefined && Object.keys(constraints).length === 0,
        'Policy constraints must not be empty.',
      );
    },
  },
  {
    id: 'ocsp-no-check-purpose',
    citation: 'RFC 6960 §4.2.2.2.1',
    severity: 'warning',
    check: ({ certificate }) =>
      when(
        certificate.extensionValue(OID.ocspNoCheck) !== undefined &&
          !(certificate.extKeyUsage ?? []).includes(OID.ocspSigning),
        'The extension ocsp-nocheck means something in OCSP responder certificates only.',
      ),
  },
  {
    id: 'distribution-point-urls',
    citation: 'RFC 5280 §4.2.1.13; §4.2.2.1',
    severity: 'warning',
    check: ({ certificate }) => {
      const urls = [...certificate.crlUrls, ...certificate.ocspUrls, ...certificate.caIssuersUrls];
      const wrong = urls.find((url) => !/^(?:http|ldap):\/\/[^/\s]/i.test(url));
      return wrong === undefined
        ? undefined
        : `"${wrong.slice(0, 128)}" should be an http or ldap URL: checking https needs checking.`;
    },
  },
  criticality('authority-key-identifier-not-critical', {
    oid: OID.authorityKeyIdentifier,
    must: false,
    name: 'authorityKeyIdentifier',
    citation: 'RFC 5280 §4.2.1.1',
  }),
  criticality('subject-key-identifier-not-critical', {
    oid: OID.subjectKeyIdentifier,
    must: false,
    name: 'subjectKeyIdentifier',
    citation: 'RFC 5280 §4.2.1.2',
  }),
  criticality('authority-info-access-not-critical', {
    oid: OID.authorityInfoAccess,
    must: false,
    name: 'authorityInfoAccess',
    citation: 'RFC 5280 §4.2.2.1',
  }),
  criticality('name-constraints-critical', {
    oid: OID.nameConstraints,
    must: true,
    name: 'nameConstraints',
    citation: 'RFC 5280 §4.2.1.10',
  }),
  criticality('policy-constraints-critical', {
    oid: OID.policyConstraints,
    must: true,
    name: 'policyConstraints',
    citation: 'RFC 5280 §4.2.1.11',
  }),
  criticality('inhibit-any-policy-critical', {
    oid: OID.inhibitAnyPolicy,
    must: true,
    name: 'inhibitAnyPolicy',
    citation: 'RFC 5280 §4.2.1.14',
  }),
];
