// Data attribute constraints: patterns, ranges and times. Patterns come from connectors, so they run on a linear-time
// engine and share a step budget per request: neither one pattern nor many can block the process.
import { linearPattern, MAX_STEPS, type StepBudget } from '@signetry/connector-sdk';
import type { AttributeContentType, BaseAttributeConstraintDto } from '@signetry/contract';
import { dateTimeMs } from './content.ts';

/** Maximum length of a connector's explanations, which are repeated in error messages. */
const MAX_EXPLANATION_CHARACTERS = 500;

export type PatternVerdict = 'matches' | 'differs' | 'unreadable' | 'tooCostly';

/** Matches patterns until the request's step budget is exhausted. */
export interface PatternBudget {
  match(pattern: string, text: string): PatternVerdict;
}

export function createPatternBudget(): PatternBudget {
  const budget = { steps: MAX_STEPS };
  return { match: (pattern, text) => matchOnce(pattern, { text, budget }) };
}

function matchOnce(pattern: string, { text, budget }: { text: string; budget: StepBudget }): PatternVerdict {
  if (budget.steps <= 0) return 'tooCostly';
  let compiled;
  try {
    compiled = linearPattern(pattern);
  } catch {
    return 'unreadable'; // A pattern that cannot be compiled is not run.
  }
  try {
    return compiled.matches(text, budget) ? 'matches' : 'differs';
  } catch {
    return 'tooCostly'; // The text exceeds the engine's limit, or the budget is exhausted.
  }
}

/** Returns a description of the violation, to be used as the end of a sentence, or undefined if there is none. */
export function constraintProblem(
  constraint: BaseAttributeConstraintDto,
  value: { contentType: AttributeContentType; data: unknown; budget: PatternBudget },
): string | undefined {
  const problem = violation(constraint, value);
  const explanation = constraint.errorMessage?.trim().slice(0, MAX_EXPLANATION_CHARACTERS).replace(/\.+$/, '');
  return problem !== undefined && explanation ? `is rejected: ${explanation}` : problem;
}

function violation(
  constraint: BaseAttributeConstraintDto,
  { contentType, data, budget }: { contentType: AttributeContentType; data: unknown; budget: PatternBudget },
): string | undefined {
  switch (constraint.type) {
    case 'regExp':
      if (contentType !== 'string') return misplacedConstraint(constraint.type, contentType);
      return constraint.data === undefined
        ? undefined
        : patternProblem(constraint.data, { text: String(data), budget });
    case 'range':
      if (contentType !== 'integer' && contentType !== 'float')
        return misplacedConstraint(constraint.type, contentType);
      return rangeProblem(Number(data), constraint.data ?? {});
    case 'dateTime':
      if (contentType !== 'datetime') return misplacedConstraint(constraint.type, contentType);
      return timeProblem(dateTimeMs(data) ?? Number.NaN, constraint.data ?? {});
  }
}

const misplacedConstraint = (constraint: string, contentType: string): string =>
  `has a ${constraint} constraint, which does not apply to content type ${contentType}`;

function patternProblem(
  pattern: string,
  { text, budget }: { text: string; budget: PatternBudget },
): string | undefined {
  const verdict = budget.match(pattern, text);
  if (verdict === 'differs') return 'does not match the required pattern';
  if (verdict === 'tooCostly') return 'cannot be checked: it is too long, or its pattern is too complex';
  if (verdict === 'unreadable') return 'has a pattern that is not supported';
  return undefined;
}

function rangeProblem(
  value: number,
  { from, to }: { from?: number | undefined; to?: number | undefined },
): string | undefined {
  if (from !== undefined && value < from) return `must be ${from} or more`;
  return to !== undefined && value > to ? `must be ${to} or less` : undefined;
}

function timeProblem(
  ms: number,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): string | undefined {
  if (from !== undefined && ms < boundMs(from)) return `must not be before ${from}`;
  return to !== undefined && ms > boundMs(to) ? `must not be after ${to}` : undefined;
}

/** The API defines bounds as local times. Bounds without an offset are interpreted as UTC, so that all nodes agree. */
const boundMs = (text: string): number => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
