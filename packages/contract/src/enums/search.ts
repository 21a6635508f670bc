// Enumerations in the filter model that lists, rules and triggers share.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

export const FilterConditionOperator = enumeration('FilterConditionOperator', {
  EQUALS: 'equals',
  NOT_EQUALS: 'not equals',
  GREATER: 'greater than',
  GREATER_OR_EQUAL: 'greater than or equal',
  LESSER: 'lesser than',
  LESSER_OR_EQUAL: 'lesser than or equal',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'not contains',
  STARTS_WITH: 'starts with',
  ENDS_WITH: 'ends with',
  EMPTY: 'empty',
  NOT_EMPTY: 'not empty',
  IN_NEXT: 'in next',
  IN_PAST: 'in past',
  MATCHES: 'matches regex',
  NOT_MATCHES: 'not matches regex',
  COUNT_EQUAL: 'count equals',
  COUNT_NOT_EQUAL: 'count not equals',
  COUNT_GREATER_THAN: 'count greater than',
  COUNT_LESS_THAN: 'count less than',
});
export type FilterConditionOperator = z.output<typeof FilterConditionOperator>;

export const FilterFieldType = enumeration('FilterFieldType', {
  string: 'String',
  number: 'Number',
  list: 'List',
  date: 'Date',
  datetime: 'DateTime',
  boolean: 'Boolean',
});
export type FilterFieldType = z.output<typeof FilterFieldType>;

/** Where a filtered value is stored: a property of the object or one of its attributes. */
export const FilterFieldSource = enumeration('FilterFieldSource', {
  meta: 'Metadata',
  custom: 'Custom attribute',
  data: 'Data attribute',
  property: 'Property',
});
export type FilterFieldSource = z.output<typeof FilterFieldSource>;
