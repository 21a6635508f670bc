// What the description of a rule says, in its parts. Built-in rules end with the clause, the field and the severity;
// those of other connectors may say anything.
import type { Severity } from './state.tsx';

export interface RuleWords {
  /** What is demanded, and what to do. */
  readonly text: string;
  readonly clause?: string;
  readonly field?: string;
  readonly severity?: Severity;
}

const ENDING = /^(?<text>.*?[.?]) \((?<clause>.+); (?<field>[^;\s]+); (?<severity>error|warning|notice)\)$/s;

export function wordsOfRule(description: string | undefined): RuleWords {
  const { text, clause, field, severity } = ENDING.exec(description ?? '')?.groups ?? {};
  if (text === undefined || clause === undefined || field === undefined) return { text: description ?? '' };
  return { text, clause, field, severity: severity as Severity }; // as the expression says
}
