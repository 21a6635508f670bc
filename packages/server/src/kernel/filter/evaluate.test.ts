import { describe, expect, it } from 'vitest';
import type { FilterConditionOperator } from '@signetry/contract';
import { satisfiesAll } from './evaluate.ts';
import { propertyField, type FieldValue } from './field.ts';
import { readFilters } from './read-filters.ts';

const now = new Date('2026-06-01T00:00:00Z');
const single = propertyField('certificates', 'COMMON_NAME');
const many = {
  ...propertyField('certificates', 'GROUP_NAME', { many: true }),
  conditions: [...propertyField('certificates', 'GROUP_NAME').conditions, ...single.conditions],
};
const instant = propertyField('certificates', 'NOT_AFTER');

const holds = (
  field: typeof single,
  value: FieldValue,
  condition: FilterConditionOperator,
  wanted?: unknown,
): boolean => {
  const filters = [{ fieldSource: 'property' as const, fieldIdentifier: field.identifier, condition, value: wanted }];
  const conditions = readFilters(filters, { lookup: () => field, now });
  return satisfiesAll(conditions, { read: () => value, matches: (pattern, text) => new RegExp(pattern).test(text) });
};

describe('a condition on a single value', () => {
  it('matches a missing value if the condition is negated, except for regular expressions', () => {
    expect(holds(single, null, 'EQUALS', 'a')).toBe(false);
    expect(holds(single, null, 'NOT_EQUALS', 'a')).toBe(true);
    expect(holds(single, null, 'NOT_CONTAINS', 'a')).toBe(true);
    expect(holds(single, null, 'NOT_MATCHES', 'a')).toBe(false);
    expect(holds(single, 'b', 'NOT_MATCHES', 'a')).toBe(true);
  });

  it('matches any member of a list', () => {
    expect(holds(single, 'b', 'EQUALS', ['a', 'b'])).toBe(true);
    expect(holds(single, 'b', 'NOT_EQUALS', ['a', 'b'])).toBe(false);
    expect(holds(single, 'xay', 'CONTAINS', ['a', 'b'])).toBe(true);
  });

  it('includes both ends of a time range', () => {
    expect(holds(instant, now, 'IN_NEXT', 'P1D')).toBe(true);
    expect(holds(instant, new Date('2026-06-02T00:00:00Z'), 'IN_NEXT', 'P1D')).toBe(true);
    expect(holds(instant, new Date('2026-06-02T00:00:00.001Z'), 'IN_NEXT', 'P1D')).toBe(false);
    expect(holds(instant, null, 'IN_PAST', 'P1D')).toBe(false);
  });
});

describe('a condition on a collection', () => {
  it('matches if any member matches or, if negated, if no member matches', () => {
    expect(holds(many, ['a', 'b'], 'EQUALS', 'b')).toBe(true);
    expect(holds(many, ['a', 'b'], 'NOT_EQUALS', 'b')).toBe(false);
    expect(holds(many, [], 'NOT_EQUALS', 'b')).toBe(true);
    expect(holds(many, [], 'NOT_MATCHES', 'b')).toBe(true);
    expect(holds(many, ['a'], 'NOT_MATCHES', 'a')).toBe(false);
  });

  it('can compare the number of members', () => {
    expect(holds(many, ['a', 'a'], 'COUNT_EQUAL', 2)).toBe(true);
    expect(holds(many, [], 'COUNT_LESS_THAN', 1)).toBe(true);
    expect(holds(many, ['a'], 'COUNT_NOT_EQUAL', 1)).toBe(false);
    expect(holds(many, [], 'EMPTY')).toBe(true);
  });
});
