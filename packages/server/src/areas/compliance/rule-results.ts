// Derives an object's status from its rule results. Pure.
import type { ComplianceRuleStatus, ComplianceStatus } from '@signetry/contract';
import type { FailedRule } from './tables.ts';

/**
 * A rule that could not be checked counts as violated, because compliance is unproven. Rules that do not apply to the
 * object are ignored, unless no other rules exist.
 */
export function statusOf(rules: readonly ComplianceRuleStatus[]): ComplianceStatus {
  if (rules.length === 0) return 'not_checked';
  if (rules.some((status) => status === 'nok' || status === 'not_available')) return 'nok';
  return rules.includes('ok') ? 'ok' : 'na';
}

const SEVERITY = ['not_available', 'nok', 'na', 'ok'] as const satisfies readonly ComplianceRuleStatus[];

/** Returns the worse of two results for a rule. */
export const worseOf = (one: ComplianceRuleStatus, other: ComplianceRuleStatus): ComplianceRuleStatus =>
  SEVERITY.indexOf(one) <= SEVERITY.indexOf(other) ? one : other;

/** Returns the reasons why rules could not be checked, without duplicates. */
export function messageOf(rules: readonly FailedRule[]): string | undefined {
  const reasons = [...new Set(rules.flatMap(({ reason }) => reason ?? []))];
  return reasons.length === 0 ? undefined : reasons.join('\n');
}

const MAX_NAMED = 5;

/** Returns the rules that a request violates, for histories and error messages. */
export function problemOf(rules: readonly FailedRule[], message: string | undefined): string {
  const failed = rules.filter(({ status }) => status !== 'na').map(({ name }) => name);
  const named = failed.slice(0, MAX_NAMED).join(', ');
  const more = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} more` : '';
  const rulesPart = failed.length === 0 ? '' : `: ${named}${more}`;
  return `The request does not comply with the compliance profiles of its RA profile${rulesPart}${message === undefined ? '' : ` (${message})`}`;
}

interface RuleApplicability {
  readonly resource: string | null | undefined;
  readonly type: string | null | undefined;
  readonly format: string | null | undefined;
}

/**
 * Returns whether a provider rule applies to objects like this one; a property that the rule does not specify matches
 * any value.
 */
export const concerns = (
  rule: RuleApplicability,
  object: { resource: string; type: string; format: string | undefined },
) =>
  (rule.resource ?? object.resource) === object.resource &&
  (rule.type ?? object.type) === object.type &&
  (rule.format ?? object.format) === object.format;

/** Describes how a rule has changed since it was added; undefined if it has not changed. */
export function describeDifference(then: RuleApplicability, now: RuleApplicability): string | undefined {
  const changed = (['resource', 'type', 'format'] as const).filter(
    (member) => (then[member] ?? null) !== (now[member] ?? null),
  );
  if (changed.length === 0) return undefined;
  return changed
    .map((member) => `${member} changed from ${then[member] ?? 'any'} to ${now[member] ?? 'any'}`)
    .join('; ');
}
