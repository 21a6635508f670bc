// Pre-issuance linting: rules that apply to every certificate check the TBSCertificate before it is signed. Rule sets
// from other sources apply to existing certificates (see `rule-sets.ts`).
import { CERTIFICATES, LintSubject } from './certificate-rule.ts';
import { findingsOf, listRules, type LintFinding, type ListedRule } from './evaluate.ts';
import { parseTbsCertificate, type Certificate } from '../x509/certificate.ts';
import { PUBLIC_KEYS } from './rules/public-keys.ts';
import { X509_PROFILE } from './rules/rfc5280/x509-profile.ts';

export type { LintFinding } from './evaluate.ts';
export type { Severity } from './rule.ts';

const ISSUING_SETS = [X509_PROFILE, PUBLIC_KEYS] as const;

/** The rules applied before signing. Findings are reported in this order. */
export const ISSUING_RULES: readonly ListedRule<LintSubject>[] = listRules(ISSUING_SETS, CERTIFICATES);
const ISSUING_ERRORS = ISSUING_RULES.filter(({ severity }) => severity === 'error');

/** All rules by identifier, with their parameter types. */
type RulesById = UnionToIntersection<(typeof ISSUING_SETS)[number]['rules']>;
type UnionToIntersection<T> = (T extends unknown ? (member: T) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Parameters by rule identifier: `{ 'key-policy': { minRsaBits: 3072 } }`. */
export type LintParameters = {
  readonly [
    Id in keyof RulesById as RulesById[Id] extends { parameters: object } ? Id : never
  ]?: RulesById[Id] extends {
    parameters: infer Parameters;
  }
    ? Partial<Parameters>
    : never;
};

export interface LintOptions {
  /** The issuer certificate, which enables rules that compare the certificate with it. */
  readonly issuer?: Certificate;
  /** Values that override a rule's own, by rule identifier. */
  readonly parameters?: LintParameters;
  /** Identifiers of rules to skip. */
  readonly except?: readonly string[];
  /** Skips rules whose severity is not `error`. */
  readonly onlyErrors?: boolean;
}

/** Returns the findings for a certificate in rule order; empty if there are none. */
export function lintCertificate(certificate: Certificate, options: LintOptions = {}): LintFinding[] {
  const { issuer, parameters, except = [], onlyErrors = false } = options;
  const all = onlyErrors ? ISSUING_ERRORS : ISSUING_RULES;
  const rules = except.length === 0 ? all : all.filter(({ id }) => !except.includes(id));
  return findingsOf(new LintSubject(certificate, issuer), { rules, kind: CERTIFICATES, parameters });
}

/** Returns the findings for bytes to be signed. Throws `DerError` if they are not a TBSCertificate. */
export function lintTbsCertificate(tbs: Uint8Array, options: LintOptions = {}): LintFinding[] {
  return lintCertificate(parseTbsCertificate(tbs), options);
}
