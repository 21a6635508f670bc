// Entry point `@signetry/pki/lint`: all rules. It is separate from the package's main entry point, so that programs
// that only issue or display certificates do not load them.
export { CERTIFICATES, LintSubject } from './certificate-rule.ts';
export { evaluate, situationOf, type LintFinding, type ListedRule, type RuleResult } from './evaluate.ts';
export { KEYS } from './key-rule.ts';
export { REQUESTS, RequestSubject } from './request-rule.ts';
export type { ObjectKind, Rule, RuleSet, Severity } from './rule.ts';
export * from './rule-sets.ts';
