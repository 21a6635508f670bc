// Names of filter operators, such as `is after` for a date or `is more than` for a number.
import type { FilterConditionOperator, FilterFieldType } from '@signetry/contract';

type OperatorTexts = Readonly<Record<FilterConditionOperator, string>>;

const usual: OperatorTexts = {
  EQUALS: 'is',
  NOT_EQUALS: 'is not',
  GREATER: 'is more than',
  GREATER_OR_EQUAL: 'is at least',
  LESSER: 'is less than',
  LESSER_OR_EQUAL: 'is at most',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'does not contain',
  STARTS_WITH: 'starts with',
  ENDS_WITH: 'ends with',
  EMPTY: 'is empty',
  NOT_EMPTY: 'is not empty',
  IN_NEXT: 'is in the next',
  IN_PAST: 'is in the last',
  MATCHES: 'matches the pattern',
  NOT_MATCHES: 'does not match the pattern',
  COUNT_EQUAL: 'number is',
  COUNT_NOT_EQUAL: 'number is not',
  COUNT_GREATER_THAN: 'number is more than',
  COUNT_LESS_THAN: 'number is less than',
};

const ofInstants: OperatorTexts = {
  ...usual,
  GREATER: 'is after',
  GREATER_OR_EQUAL: 'is on or after',
  LESSER: 'is before',
  LESSER_OR_EQUAL: 'is on or before',
};

const ofLists: OperatorTexts = { ...usual, EQUALS: 'is any of', NOT_EQUALS: 'is none of' };

const byType: Readonly<Record<FilterFieldType, OperatorTexts>> = {
  string: { ...usual, EQUALS: 'is exactly', NOT_EQUALS: 'is not exactly' },
  number: usual,
  boolean: usual,
  list: ofLists,
  date: ofInstants,
  datetime: ofInstants,
};

export const describeCondition = (condition: FilterConditionOperator, type: FilterFieldType): string =>
  byType[type][condition];
