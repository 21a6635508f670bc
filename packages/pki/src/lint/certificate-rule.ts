// Certificate rules: their input, the roles that determine which rules apply, and the fields they check.
import { equalBytes } from '../bytes.ts';
import { formatGeneralName, type GeneralName } from '../x509/general-names.ts';
import { formatName, type NameAttribute } from '../names.ts';
import { findExtension } from '../x509/extensions.ts';
import { OID } from '../oids.ts';
import { parseDer, readChildren, type DerElement } from '../der/reader.ts';
import { QC_COMPLIANCE, readStatements, type QcStatement } from './qc-statements.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { ObjectKind, Rule, RuleSet, RuleTable } from './rule.ts';

/** A certificate being linted. Values that many rules use are computed once. */
export class LintSubject {
  /** The certificate; its signature is empty before signing. */
  readonly certificate: Certificate;
  /** The issuer certificate, if known. */
  readonly issuer: Certificate | undefined;
  private names: readonly NameAttribute[] | undefined;
  private urls: readonly string[] | undefined;
  private policies: readonly string[] | undefined;
  private hosts: readonly string[] | undefined;
  private elements: readonly DerElement[] | undefined;
  private statements: readonly QcStatement[] | undefined;

  constructor(certificate: Certificate, issuer?: Certificate) {
    this.certificate = certificate;
    this.issuer = issuer;
  }

  /** The subject attributes of all RDNs, in encoding order. */
  get attributes(): readonly NameAttribute[] {
    return (this.names ??= this.certificate.subject.rdns.flat());
  }

  /** URLs of CRLs, OCSP responders and issuer certificates. */
  get locations(): readonly string[] {
    const { crlUrls, ocspUrls, caIssuersUrls } = this.certificate;
    return (this.urls ??= [...crlUrls, ...ocspUrls, ...caIssuersUrls]);
  }

  get policyOids(): readonly string[] {
    return (this.policies ??= this.certificate.certificatePolicies.map(({ oid }) => oid));
  }

  /** DNS names in the subjectAltName extension. */
  get dnsNames(): readonly string[] {
    return (this.hosts ??= this.certificate.subjectAltNames.flatMap((name) =>
      name.kind === 'dNSName' ? [name.value] : [],
    ));
  }

  /**
   * Whether the certificate names itself as its issuer and is a CA. Its signature is not verified here; a key
   * identifier of a different key means that another key of the same CA signed it.
   */
  get isRoot(): boolean {
    const { isCa, isSelfIssued, authorityKeyIdentifier, subjectKeyIdentifier } = this.certificate;
    const signer = authorityKeyIdentifier?.keyIdentifier;
    if (!isCa || !isSelfIssued) return false;
    return signer === undefined || subjectKeyIdentifier === undefined || equalBytes(signer, subjectKeyIdentifier);
  }

  /** The fields of the TBSCertificate, starting with the version if present. */
  get fields(): readonly DerElement[] {
    return (this.elements ??= readChildren(parseDer(this.certificate.tbs)));
  }

  /** QC statements (RFC 3739 §3.2.6); empty if there are none. Throws `DerError`. */
  get qcStatements(): readonly QcStatement[] {
    return (this.statements ??= readStatements(this.certificate.extensionValue(OID.qcStatements)));
  }

  /** Returns the values of an attribute type in the subject. */
  valuesOf(oid: string): string[] {
    return this.attributes.flatMap(({ type, value }) => (type === oid ? [value] : []));
  }

  has(oid: string): boolean {
    return this.attributes.some(({ type }) => type === oid);
  }
}

type Name = keyof typeof OID;

export type CertificateField =
  | 'certificate'
  | 'version'
  | 'serialNumber'
  | 'signature'
  | 'issuer'
  | 'validity'
  | 'validity.notBefore'
  | 'validity.notAfter'
  | 'subject'
  | `subject.${Name}`
  | 'subjectPublicKeyInfo'
  | 'uniqueIdentifiers'
  | 'extensions'
  | `extensions.${Name}`
  | `extensions.${Name}.critical`;

/**
 * `authority`: a CA. `subscriber`: not a CA. `issued`: its issuer certificate is known. `server`, `timeStamper`,
 * `responder` (OCSP): a subscriber with that extended key usage. The following roles assert compliance with CA/Browser
 * Forum requirements through a reserved policy identifier; the requirements do not apply to other certificates:
 * `publicServer` (TLS Baseline Requirements), `extendedValidation`, `publicMailbox` (S/MIME), `publicAuthority` (a CA
 * that issues such certificates). `qualified`: declares itself an EU qualified certificate.
 */
export type CertificateRole =
  | 'authority'
  | 'subscriber'
  | 'issued'
  | 'server'
  | 'timeStamper'
  | 'responder'
  | 'publicServer'
  | 'extendedValidation'
  | 'publicMailbox'
  | 'publicAuthority'
  | 'qualified';

export type CertificateRule = Rule<LintSubject, CertificateRole, CertificateField>;
export type CertificateRules = RuleTable<LintSubject, CertificateRole, CertificateField>;
export type CertificateRuleSet = RuleSet<LintSubject, CertificateRole, CertificateField>;

/**
 * Policy identifiers reserved by the Baseline Requirements (§7.1.6.1): extended, domain, organization and individual
 * validation.
 */
export const BASELINE_POLICIES = {
  extendedValidation: '2.23.140.1.1',
  domainValidated: '2.23.140.1.2.1',
  organizationValidated: '2.23.140.1.2.2',
  individualValidated: '2.23.140.1.2.3',
} as const;

const reservedPolicies: ReadonlySet<string> = new Set(Object.values(BASELINE_POLICIES));

/** Policy identifiers reserved by the S/MIME Baseline Requirements (§7.1.6.1): `2.23.140.1.5.TYPE.GENERATION`. */
export const MAILBOX_POLICY = /^2\.23\.140\.1\.5\.([1-4])\.([1-3])$/;

/** Returns the reserved policies in a certificate, in encoding order. */
export const baselinePolicies = ({ policyOids }: LintSubject): string[] =>
  policyOids.filter((oid) => reservedPolicies.has(oid));

const hasPurpose = ({ certificate }: LintSubject, purpose: string): boolean =>
  !certificate.isCa && certificate.extKeyUsage?.includes(purpose) === true;
const isPublic = ({ policyOids }: LintSubject): boolean =>
  policyOids.some((oid) => reservedPolicies.has(oid) || MAILBOX_POLICY.test(oid));

export const CERTIFICATES: ObjectKind<LintSubject, CertificateRole> = {
  roles: {
    authority: ({ certificate }) => certificate.isCa,
    subscriber: ({ certificate }) => !certificate.isCa,
    issued: ({ issuer }) => issuer !== undefined,
    server: (subject) => hasPurpose(subject, OID.serverAuth),
    timeStamper: (subject) => hasPurpose(subject, OID.timeStamping),
    responder: (subject) => hasPurpose(subject, OID.ocspSigning),
    publicServer: (subject) => !subject.certificate.isCa && baselinePolicies(subject).length > 0,
    extendedValidation: (subject) =>
      !subject.certificate.isCa && subject.policyOids.includes(BASELINE_POLICIES.extendedValidation),
    publicMailbox: (subject) => !subject.certificate.isCa && subject.policyOids.some((oid) => MAILBOX_POLICY.test(oid)),
    publicAuthority: (subject) => subject.certificate.isCa && isPublic(subject),
    qualified: (subject) => !subject.certificate.isCa && subject.qcStatements.some(({ oid }) => oid === QC_COMPLIANCE),
  },
  dateMs: ({ certificate }) => certificate.notBeforeMs,
  valueAt,
};

function valueAt(subject: LintSubject, field: string): string | undefined {
  const { certificate } = subject;
  const [part = '', name = '', aspect] = field.split('.');
  if (part === 'extensions' && name !== '') return extensionText(certificate, { oid: oidOf(name), aspect });
  if (part === 'subject' && name !== '') return subject.valuesOf(oidOf(name)).join(', ') || undefined;
  return FIELD_TEXTS[part]?.(certificate, name);
}

// The `in` operator has checked that the name is a key.
const oidOf = (name: string): string => (name in OID ? OID[name as Name] : name);

const dateText = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

const FIELD_TEXTS: Readonly<Record<string, (certificate: Certificate, name: string) => string | undefined>> = {
  version: ({ version }) => `v${version}`,
  serialNumber: ({ serialNumber }) => serialNumber,
  signature: ({ signatureAlgorithmName }) => signatureAlgorithmName,
  issuer: ({ issuer }) => formatName(issuer),
  validity: ({ notBeforeMs, notAfterMs }, name) => {
    if (name !== '') return dateText(name === 'notBefore' ? notBeforeMs : notAfterMs);
    return `${dateText(notBeforeMs)} to ${dateText(notAfterMs)}`;
  },
  subject: ({ subject }) => formatName(subject),
  subjectPublicKeyInfo: ({ publicKey: { name, bits, curve } }) => `${name} ${curve ?? bits}`,
};

const namesText = (names: readonly GeneralName[]): string => names.map(formatGeneralName).join(', ');

const EXTENSION_TEXTS: Readonly<Record<string, (certificate: Certificate) => string | undefined>> = {
  [OID.keyUsage]: ({ keyUsage }) => keyUsage?.join(', '),
  [OID.extKeyUsage]: ({ extKeyUsage }) => extKeyUsage?.join(', '),
  [OID.subjectAltName]: ({ subjectAltNames }) => namesText(subjectAltNames),
  [OID.issuerAltName]: ({ issuerAltNames }) => namesText(issuerAltNames),
  [OID.certificatePolicies]: ({ certificatePolicies }) => certificatePolicies.map(({ oid }) => oid).join(', '),
  [OID.crlDistributionPoints]: ({ crlUrls }) => crlUrls.join(', ') || undefined,
  [OID.authorityInfoAccess]: ({ authorityInfoAccess }) =>
    namesText(authorityInfoAccess.map(({ location }) => location)),
};

function extensionText(
  certificate: Certificate,
  { oid, aspect }: { oid: string; aspect: string | undefined },
): string | undefined {
  const extension = findExtension(certificate.extensions, oid);
  if (extension === undefined) return undefined;
  if (aspect === 'critical') return extension.critical ? 'TRUE' : 'FALSE';
  return EXTENSION_TEXTS[oid]?.(certificate) ?? extension.value.toHex();
}

/** Defines a rule with parameters, so that the compiler checks their values against the types that the rule expects. */
export function withParameters<Parameters extends object>(
  rule: Rule<LintSubject, CertificateRole, CertificateField, Parameters> & { readonly parameters: Parameters },
): typeof rule {
  return rule;
}

type RuleFacts = Omit<CertificateRule, 'appliesTo' | 'severity'> & Partial<Pick<CertificateRule, 'severity'>>;

/** Returns a function that creates rules for certain roles. Their default severity is `error`. */
export const rulesFor =
  (...appliesTo: readonly CertificateRole[]) =>
  (facts: RuleFacts): CertificateRule => ({ severity: 'error', appliesTo, ...facts });
