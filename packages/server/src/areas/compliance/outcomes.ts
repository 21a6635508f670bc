// What is known of rules and an object. Of hundreds of rules most objects have the same outcomes, so lists of them are
// shared: each is made, and later written, once.
import type { ComplianceRuleStatus } from '@signetry/contract';
import { messageOf } from './rule-results.ts';
import type { FailedRule } from './tables.ts';

/** What is known of a rule of some object: `ok` ones are counted and forgotten. */
export interface Finding extends Omit<FailedRule, 'status'> {
  readonly status: ComplianceRuleStatus;
}

/** Of some rules of an object. */
export interface Outcome {
  readonly statuses: readonly ComplianceRuleStatus[];
  readonly failed: readonly FailedRule[];
}

/** By object. */
export type Outcomes = ReadonlyMap<string, Outcome[]>;

export const outcomeOf = (findings: readonly Finding[]): Outcome => ({
  statuses: [...new Set(findings.map(({ status }) => status))],
  failed: findings.filter((finding): finding is FailedRule => finding.status !== 'ok'),
});

/** Rules that are not ok, and why some of them could not be checked. */
interface Failed {
  readonly rules: readonly FailedRule[];
  readonly message: string | undefined;
}

/** Puts the outcomes of an object together; of the same ones the same list is made. */
export function createJoin(): (outcomes: readonly Outcome[]) => Failed {
  const numbers = new Map<Outcome, number>();
  const joined = new Map<string, Failed>();
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
