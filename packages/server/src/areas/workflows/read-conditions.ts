// Converts conditions from definitions to the search model. Regular expressions are matched in linear time, since they
// run for every object that an event concerns.
import { linearPattern, PatternError } from '@signetry/connector-sdk/pattern';
import type { ConditionItemDto } from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import type { FilterCondition } from '../../kernel/filter/condition.ts';
import type { FieldLookup } from '../../kernel/filter/field.ts';
import { readFilters } from '../../kernel/filter/read-filters.ts';
import type { SqlField } from '../../platform/database/filter/sql-fields.ts';

export interface ReadingOptions {
  readonly lookup: FieldLookup<SqlField>;
  /** Reference time for durations. */
  readonly now: Date;
}

/** Throws if a field does not exist (400) or a value cannot be compared (400, patterns 422). */
export function readConditions(
  items: readonly ConditionItemDto[],
  options: ReadingOptions,
): readonly FilterCondition<SqlField>[] {
  const conditions = readFilters(
    items.map(({ operator: condition, ...item }) => ({ ...item, condition })),
    options,
  );
  for (const condition of conditions) if (condition.kind === 'matches') assertPattern(condition);
  return conditions;
}

function assertPattern({ pattern, field }: { readonly pattern: string; readonly field: SqlField }): void {
  try {
    patternOf(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw rejected(`${field.identifier}: the value is not a regular expression that rules support: ${error.message}`);
  }
}

/** Returns whether the pattern matches anywhere in the text, as in a search. Throws if the text is too long. */
export const matchesPattern = (pattern: string, text: string): boolean => patternOf(pattern).matches(text);

const patterns = new Map<string, ReturnType<typeof linearPattern>>();
const MAX_PATTERNS = 1_000;

function patternOf(source: string): ReturnType<typeof linearPattern> {
  const known = patterns.get(source);
  if (known) return known;
  const made = linearPattern(String.raw`[\s\S]*(?:${source})[\s\S]*`);
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  patterns.set(source, made);
  return made;
}
