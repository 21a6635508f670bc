// Linting before signing: every rule checks the to-be-signed certificate before a key is used on it.
import { ALTERNATIVE_NAMES } from './rules/alternative-names.ts';
import { AUTHORITIES } from './rules/authorities.ts';
import { BASELINE } from './rules/baseline.ts';
import { BASIC_FIELDS } from './rules/basic-fields.ts';
import { CERTIFICATES, type CertificateRule, type LintSubject } from './certificate-rule.ts';
import { EXTENSIONS } from './rules/extensions.ts';
import { judge, type Severity } from './rule.ts';
import { KEY_IDENTIFIERS } from './rules/key-identifiers.ts';
import { KEY_USAGE } from './rules/key-usage.ts';
import { LOCATIONS } from './rules/locations.ts';
import { NAMES } from './rules/names.ts';
import { parseTbsCertificate, type Certificate } from '../x509/certificate.ts';
import { POLICIES } from './rules/policies.ts';
import { PUBLIC_KEY } from './rules/public-key.ts';

/** All groups, in the order of findings. */
export const LINT_RULE_GROUPS = [
  BASIC_FIELDS,
  PUBLIC_KEY,
  NAMES,
  ALTERNATIVE_NAMES,
  EXTENSIONS,
  AUTHORITIES,
  KEY_USAGE,
  KEY_IDENTIFIERS,
  POLICIES,
  LOCATIONS,
  BASELINE,
] as const;

export interface LintRule extends CertificateRule {
  readonly id: string;
  /** Name of its group. */
  readonly group: string;
}

/** All rules. Identifiers are unique and stable. */
export const LINT_RULES: readonly LintRule[] = LINT_RULE_GROUPS.flatMap(({ name, rules }) =>
  Object.entries<CertificateRule>(rules).map(([id, rule]) => listed(rule, { id, group: name })),
);

/** Every rule by its identifier, with the type of its parameters. */
type RulesById = UnionToIntersection<(typeof LINT_RULE_GROUPS)[number]['rules']>;
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

/** With every field, including absent ones: iterating over objects of one shape is faster. */
function listed(rule: CertificateRule, place: { id: string; group: string }): LintRule {
  const { demand, citation, severity, appliesTo, effective, parameters } = rule;
  const violates: CertificateRule['violates'] = (subject, values) => rule.violates(subject, values);
  return { ...place, demand, citation, severity, appliesTo, effective, parameters, violates };
}

export interface LintOptions {
  /** The issuing certificate: enables the rules that compare with it. */
  readonly issuer?: Certificate;
  /** Values that replace a rule's own, by the identifier of the rule. */
  readonly parameters?: LintParameters;
  /** Identifiers of rules to skip. */
  readonly except?: readonly string[];
}

export interface LintFinding {
  readonly rule: string;
  readonly citation: string;
  readonly severity: Severity;
  readonly message: string;
}

/** Findings about a certificate, in the order of the rules; empty when there are none. */
export function lintCertificate(certificate: Certificate, options: LintOptions = {}): LintFinding[] {
  const subject: LintSubject = { certificate, issuer: options.issuer };
  const given = options.parameters && new Map<string, object>(Object.entries(options.parameters));
  const findings: LintFinding[] = [];
  for (const rule of LINT_RULES) {
    if (options.except?.includes(rule.id)) continue;
    const parameters = given?.get(rule.id);
    const verdict = judge(rule, subject, { kind: CERTIFICATES, parameters });
    // A rule that cannot judge malformed octets reports nothing: `extension-malformed` reports them once.
    if (verdict.status !== 'notOk') continue;
    findings.push({ rule: rule.id, citation: rule.citation, severity: rule.severity, message: verdict.message });
  }
  return findings;
}

/** Findings about octets that are about to be signed. Throws `DerError` when they are not a TBSCertificate at all. */
export function lintTbsCertificate(tbs: Uint8Array, options: LintOptions = {}): LintFinding[] {
  return lintCertificate(parseTbsCertificate(tbs), options);
}
