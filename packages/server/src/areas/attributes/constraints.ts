// Constraints of data attributes: patterns, ranges, times. Patterns come from connectors: they run on a linear-time
// engine and share one budget of steps for a request, so that neither a pattern nor many of them hold up the process.
import { linearPattern, MAX_STEPS, type StepBudget } from '@signetry/connector-sdk';
import type { AttributeContentType, BaseAttributeConstraintDto } from '@signetry/contract';
import { dateTimeMs } from './content.ts';

/** Explanations come from connectors; they are repeated in error texts. */
const MAX_EXPLANATION_CHARACTERS = 500;

export type PatternVerdict = 'matches' | 'differs' | 'unreadable' | 'tooCostly';

/** Matches patterns until the steps of the request are used up. */
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
    return 'unreadable'; // whatever is wrong with it, it is not run
  }
  try {
    return compiled.matches(text, budget) ? 'matches' : 'differs';
  } catch {
    return 'tooCostly'; // the text is beyond the bound of the engine, or the budget is used up
  }
}

/** What a value violates, as the end of a sentence; undefined when nothing. */
export function constraintProblem(
  constraint: BaseAttributeConstraintDto,
  value: { contentType: AttributeContentType; data: unknown; budget: PatternBudget },
): string | undefined {
  const problem = violation(constraint, value);
  const explanation = constraint.errorMessage?.trim().slice(0, MAX_EXPLANATION_CHARACTERS).replace(/\.+$/, '');
  return problem !== undefined && explanation ? `is refused: ${explanation}` : problem;
}

function violation(
  constraint: BaseAttributeConstraintDto,
  { contentType, data, budget }: { contentType: AttributeContentType; data: unknown; budget: PatternBudget },
): string | undefined {
  switch (constraint.type) {
    case 'regExp':
      if (contentType !== 'string') return misplaced(constraint.type, contentType);
      return constraint.data === undefined
        ? undefined
        : patternProblem(constraint.data, { text: String(data), budget });
    case 'range':
      if (contentType !== 'integer' && contentType !== 'float') return misplaced(constraint.type, contentType);
      return rangeProblem(Number(data), constraint.data ?? {});
    case 'dateTime':
      if (contentType !== 'datetime') return misplaced(constraint.type, contentType);
      return timeProblem(dateTimeMs(data) ?? Number.NaN, constraint.data ?? {});
  }
}

const misplaced = (constraint: string, contentType: string): string =>
  `has a ${constraint} constraint, which does not fit its content type ${contentType}`;

function patternProblem(
  pattern: string,
  { text, budget }: { text: string; budget: PatternBudget },
): string | undefined {
  const verdict = budget.match(pattern, text);
  if (verdict === 'differs') return 'does not match its pattern';
  if (verdict === 'tooCostly') return 'is too long, or its pattern too costly, to be checked';
  if (verdict === 'unreadable') return 'has a pattern that cannot be enforced here';
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

/** Bounds are local times in the interface; without an offset they are read as UTC, the same on every node. */
const boundMs = (text: string): number => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
