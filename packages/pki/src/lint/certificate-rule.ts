// Rules about certificates: their input, and the roles that decide which rules apply.
import { OID } from '../oids.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { ObjectKind, Rule, RuleGroup } from './rule.ts';

export interface LintSubject {
  /** The certificate; before signing, its signature is empty. */
  readonly certificate: Certificate;
  /** The certificate of its issuer, if known. */
  readonly issuer: Certificate | undefined;
}

/**
 * `authority`: a CA. `subscriber`: not a CA. `issued`: its issuer's certificate is known. `server` and `timeStamper`: a
 * subscriber with that purpose. `publicServer`: a subscriber that asserts, by a reserved policy identifier, compliance
 * with the baseline requirements of the CA/Browser Forum, which do not apply to other certificates.
 */
export type CertificateRole = 'authority' | 'subscriber' | 'issued' | 'server' | 'timeStamper' | 'publicServer';

export type CertificateRule = Rule<LintSubject, CertificateRole>;
export type CertificateRuleGroup = RuleGroup<LintSubject, CertificateRole>;

/**
 * Policy identifiers that the baseline requirements reserve (§7.1.6.1): extended, domain, organization and individual
 * validation.
 */
export const BASELINE_POLICIES = {
  extendedValidation: '2.23.140.1.1',
  domainValidated: '2.23.140.1.2.1',
  organizationValidated: '2.23.140.1.2.2',
  individualValidated: '2.23.140.1.2.3',
} as const;

const reservedPolicies: ReadonlySet<string> = new Set(Object.values(BASELINE_POLICIES));

/** The reserved policies that a certificate names, in its order. */
export function baselinePolicies({ certificate }: LintSubject): string[] {
  return certificate.certificatePolicies.map(({ oid }) => oid).filter((oid) => reservedPolicies.has(oid));
}

const serves = ({ certificate }: LintSubject, purpose: string): boolean =>
  !certificate.isCa && certificate.extKeyUsage?.includes(purpose) === true;

export const CERTIFICATES: ObjectKind<LintSubject, CertificateRole> = {
  roles: {
    authority: ({ certificate }) => certificate.isCa,
    subscriber: ({ certificate }) => !certificate.isCa,
    issued: ({ issuer }) => issuer !== undefined,
    server: (subject) => serves(subject, OID.serverAuth),
    timeStamper: (subject) => serves(subject, OID.timeStamping),
    publicServer: (subject) =>
      !subject.certificate.isCa && subject.certificate.certificatePolicies.some(({ oid }) => reservedPolicies.has(oid)),
  },
  dateMs: ({ certificate }) => certificate.notBeforeMs,
};

/** A rule that has parameters: makes the compiler compare their values with what the rule takes. */
export function withParameters<Parameters extends object>(
  rule: Rule<LintSubject, CertificateRole, Parameters> & { readonly parameters: Parameters },
): typeof rule {
  return rule;
}
