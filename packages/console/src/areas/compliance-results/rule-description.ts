// The parts of a rule description. Built-in rules end with clause, field and severity; rules from other connectors can
// have any description.
import type { Severity } from './state.tsx';

export interface RuleDescription {
  /** Requirement and remedy. */
  readonly text: string;
  readonly clause?: string;
  readonly field?: string;
  readonly severity?: Severity;
}

const ENDING = /^(?<text>.*?[.?]) \((?<clause>.+); (?<field>[^;\s]+); (?<severity>error|warning|notice)\)$/s;

export function parseRuleDescription(description: string | undefined): RuleDescription {
  const { text, clause, field, severity } = ENDING.exec(description ?? '')?.groups ?? {};
  if (text === undefined || clause === undefined || field === undefined) return { text: description ?? '' };
  return { text, clause, field, severity: severity as Severity }; // The pattern matches only severities.
}
