// What the results of single rules say of an object. Pure.
import type { ComplianceRuleStatus, ComplianceStatus } from '@signetry/contract';
import type { FailedRule } from './tables.ts';

/**
 * What cannot be checked counts as not fulfilled: nobody can say that the object is compliant. Rules that do not speak
 * of the object say nothing about it, unless there are no others.
 */
export function statusOf(rules: readonly ComplianceRuleStatus[]): ComplianceStatus {
  if (rules.length === 0) return 'not_checked';
  if (rules.some((status) => status === 'nok' || status === 'not_available')) return 'nok';
  return rules.includes('ok') ? 'ok' : 'na';
}

const SEVERITY = ['not_available', 'nok', 'na', 'ok'] as const satisfies readonly ComplianceRuleStatus[];

/** Of several answers about one rule the worst counts. */
export const worseOf = (one: ComplianceRuleStatus, other: ComplianceRuleStatus): ComplianceRuleStatus =>
  SEVERITY.indexOf(one) <= SEVERITY.indexOf(other) ? one : other;

/** Why rules could not be checked, each reason once. */
export function messageOf(rules: readonly FailedRule[]): string | undefined {
  const reasons = [...new Set(rules.flatMap(({ reason }) => reason ?? []))];
  return reasons.length === 0 ? undefined : reasons.join('\n');
}

const MAX_NAMED = 5;

/** For histories and refusals: which rules a request does not fulfil. */
export function problemOf(rules: readonly FailedRule[], message: string | undefined): string {
  const failed = rules.filter(({ status }) => status !== 'na').map(({ name }) => name);
  const named = failed.slice(0, MAX_NAMED).join(', ');
  const more = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} more` : '';
  const rulesPart = failed.length === 0 ? '' : `: ${named}${more}`;
  return `The request does not comply with the compliance profiles of its RA profile${rulesPart}${message === undefined ? '' : ` (${message})`}`;
}

interface Described {
  readonly resource: string | null | undefined;
  readonly type: string | null | undefined;
  readonly format: string | null | undefined;
}

/** Does a rule of a provider speak of objects like this one? What it leaves open is any. */
export const concerns = (rule: Described, object: { resource: string; type: string; format: string | undefined }) =>
  (rule.resource ?? object.resource) === object.resource &&
  (rule.type ?? object.type) === object.type &&
  (rule.format ?? object.format) === object.format;

/** What of a rule is other than when it was added, in words; undefined when nothing is. */
export function differenceOf(then: Described, now: Described): string | undefined {
  const changed = (['resource', 'type', 'format'] as const).filter(
    (member) => (then[member] ?? null) !== (now[member] ?? null),
  );
  if (changed.length === 0) return undefined;
  return changed.map((member) => `${member} was ${then[member] ?? 'any'} and is ${now[member] ?? 'any'}`).join('; ');
}
