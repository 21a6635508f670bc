// Rule outcomes for an object. Even with hundreds of rules, most objects have the same outcomes, so outcome lists are
// shared: each is created, and later written, only once.
import type { ComplianceRuleStatus } from '@signetry/contract';
import { messageOf } from './rule-results.ts';
import type { FailedRule } from './tables.ts';

/** A rule's result for an object; for `ok`, only the status is retained. */
export interface Finding extends Omit<FailedRule, 'status'> {
  readonly status: ComplianceRuleStatus;
}

/** Results of some of an object's rules. */
export interface Outcome {
  readonly statuses: readonly ComplianceRuleStatus[];
  readonly failed: readonly FailedRule[];
}

/** Outcomes by object. */
export type Outcomes = ReadonlyMap<string, Outcome[]>;

export const outcomeOf = (findings: readonly Finding[]): Outcome => ({
  statuses: [...new Set(findings.map(({ status }) => status))],
  failed: findings.filter((finding): finding is FailedRule => finding.status !== 'ok'),
});

/** Rules whose status is not `ok`, and the reasons why some of them could not be checked. */
interface FailureSummary {
  readonly rules: readonly FailedRule[];
  readonly message: string | undefined;
}

const RANKS: Readonly<Record<FailedRule['status'], number>> = { nok: 0, not_available: 1, na: 2 };

/** Returns the rules in display order: violated rules, rules that could not be checked, others. */
export const violatedFirst = (rules: readonly FailedRule[]): FailedRule[] =>
  rules.toSorted((one, other) => RANKS[one.status] - RANKS[other.status]);

/** Returns a function that combines an object's outcomes; equal outcomes yield the same list instance. */
export function createCombiner(): (outcomes: readonly Outcome[]) => FailureSummary {
  const numbers = new Map<Outcome, number>();
  const joined = new Map<string, FailureSummary>();
  const numberOf = (outcome: Outcome): number => {
    const number = numbers.get(outcome) ?? numbers.size;
    numbers.set(outcome, number);
    return number;
  };
  return (outcomes) => {
    const key = outcomes.map(numberOf).join(' ');
    const known = joined.get(key);
    if (known) return known;
    const rules = outcomes.flatMap(({ failed }) => failed);
    const made = { rules, message: messageOf(rules) };
    joined.set(key, made);
    return made;
  };
}
