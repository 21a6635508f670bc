// Linting before signing: rules that hold for every certificate check the to-be-signed octets before a key is used on
// them. The rules of other sources are for certificates that exist: `rule-sets.ts`.
import { CERTIFICATES, LintSubject } from './certificate-rule.ts';
import { findingsOf, listRules, type LintFinding, type ListedRule } from './judge.ts';
import { parseTbsCertificate, type Certificate } from '../x509/certificate.ts';
import { PUBLIC_KEYS } from './rules/public-keys.ts';
import { X509_PROFILE } from './rules/rfc5280/x509-profile.ts';

export type { LintFinding } from './judge.ts';
export type { Severity } from './rule.ts';

const ISSUING_SETS = [X509_PROFILE, PUBLIC_KEYS] as const;

/** The rules that are applied before signing, in the order of findings. */
export const ISSUING_RULES: readonly ListedRule<LintSubject>[] = listRules(ISSUING_SETS, CERTIFICATES);
const ISSUING_ERRORS = ISSUING_RULES.filter(({ severity }) => severity === 'error');

/** Every rule by its identifier, with the type of its parameters. */
type RulesById = UnionToIntersection<(typeof ISSUING_SETS)[number]['rules']>;
type UnionToIntersection<T> = (T extends unknown ? (member: T) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Parameters by the identifier of the rule that has them: `{ 'key-policy': { minRsaBits: 3072 } }`. */
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
  /** The issuing certificate: enables the rules that compare with it. */
  readonly issuer?: Certificate;
  /** Values that replace a rule's own, by the identifier of the rule. */
  readonly parameters?: LintParameters;
  /** Identifiers of rules to skip. */
  readonly except?: readonly string[];
  /** Leaves out the rules whose violation is no error. */
  readonly onlyErrors?: boolean;
}

/** Findings about a certificate, in the order of the rules; empty when there are none. */
export function lintCertificate(certificate: Certificate, options: LintOptions = {}): LintFinding[] {
  const { issuer, parameters, except = [], onlyErrors = false } = options;
  const all = onlyErrors ? ISSUING_ERRORS : ISSUING_RULES;
  const rules = except.length === 0 ? all : all.filter(({ id }) => !except.includes(id));
  return findingsOf(new LintSubject(certificate, issuer), { rules, kind: CERTIFICATES, parameters });
}

/** Findings about octets that are about to be signed. Throws `DerError` when they are not a TBSCertificate at all. */
export function lintTbsCertificate(tbs: Uint8Array, options: LintOptions = {}): LintFinding[] {
  return lintCertificate(parseTbsCertificate(tbs), options);
}
