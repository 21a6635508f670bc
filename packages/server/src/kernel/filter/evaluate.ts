// Evaluates conditions for an object in memory, for rules and triggers, and as the reference in tests of the SQL
// compiler.
import type { Comparison, FilterCondition } from './condition.ts';
import type { FieldValue, FilterField, Scalar } from './field.ts';

export interface EvaluateOptions<Field extends FilterField> {
  /** Returns the value of one of the object's fields. */
  readonly read: (field: Field) => FieldValue;
  /** Returns whether the text matches the expression. Injected, because callers differ in engine and anchoring. */
  readonly matches: (pattern: string, text: string) => boolean;
}

/** Returns whether the object matches all conditions. */
export const satisfiesAll = <Field extends FilterField>(
  conditions: readonly FilterCondition<Field>[],
  options: EvaluateOptions<Field>,
): boolean => conditions.every((condition) => satisfies(condition, options));

function satisfies<Field extends FilterField>(
  condition: FilterCondition<Field>,
  { read, matches }: EvaluateOptions<Field>,
): boolean {
  const value = read(condition.field);
  const members: readonly Scalar[] = isCollection(value) ? value : value === null ? [] : [value];
  switch (condition.kind) {
    case 'equals': {
      const wanted = new Set(condition.values.map(toComparable));
      return members.some((member) => wanted.has(toComparable(member))) !== condition.negated;
    }
    case 'empty':
      return (members.length === 0) !== condition.negated;
    case 'text':
      return members.some((member) => containsAny(String(member), condition)) !== condition.negated;
    case 'compare':
      return members.some((member) => holds(condition.comparison, member, condition.value));
    case 'within':
      return members.some((member) => holds('>=', member, condition.from) && holds('<=', member, condition.to));
    case 'matches': {
      const found = members.some((member) => matches(condition.pattern, String(member)));
      if (!condition.negated) return found;
      // An absent single value neither matches nor fails to match; an empty collection has no matching member.
      return !found && (condition.field.many || members.length > 0);
    }
    case 'count':
      return holds(condition.comparison, members.length, condition.count);
  }
}

const isCollection = (value: FieldValue): value is readonly Scalar[] => Array.isArray(value);

function containsAny(text: string, condition: Extract<FilterCondition, { kind: 'text' }>): boolean {
  switch (condition.place) {
    case 'anywhere':
      return condition.texts.some((part) => text.includes(part));
    case 'start':
      return condition.texts.some((part) => text.startsWith(part));
    case 'end':
      return condition.texts.some((part) => text.endsWith(part));
  }
}

/** Instants are compared as times; dates and times of day as text. */
const toComparable = (value: Scalar): string | number | boolean => (value instanceof Date ? value.getTime() : value);

function holds(comparison: Comparison, left: Scalar, right: Scalar): boolean {
  const a = toComparable(left);
  const b = toComparable(right);
  switch (comparison) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    case '=':
      return a === b;
    case '<>':
      return a !== b;
  }
}
