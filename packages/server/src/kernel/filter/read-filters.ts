// Validates a request's filters against a resource's fields. All problems are collected; a single problem rejects the
// whole request.
import type { FilterConditionOperator, SearchFilterRequestDto, SearchRequestDto } from '@signetry/contract';
import { AppError } from '../errors.ts';
import { readPage, type PageRequest } from '../page.ts';
import type { Comparison, FilterCondition } from './condition.ts';
import { addDuration, parseDuration } from './duration.ts';
import type { FieldLookup, FilterField, Scalar } from './field.ts';
import { isComplaint, readPattern, readScalar, readText, type Complaint } from './read-value.ts';

/** Maximum number of conditions, which is more than any form offers; each condition adds planning time. */
export const MAX_FILTERS = 100;
/** Maximum number of values in a condition; users choose them from lists. */
const MAX_VALUES = 1_000;

export interface ReadOptions<Field extends FilterField> {
  readonly lookup: FieldLookup<Field>;
  /** Reference time for IN_NEXT and IN_PAST. */
  readonly now: Date;
}

export interface Search<Field extends FilterField> {
  readonly page: PageRequest;
  readonly conditions: readonly FilterCondition<Field>[];
}

/** Reads the page and conditions of a list request. */
export function readSearch<Field extends FilterField>(
  request: SearchRequestDto,
  options: ReadOptions<Field>,
): Search<Field> {
  return { page: readPage(request), conditions: readFilters(request.filters ?? [], options) };
}

/**
 * Reads conditions from a list of filters, all of which must match. Throws `invalid_fields` with the names of all
 * invalid filters.
 */
export function readFilters<Field extends FilterField>(
  filters: readonly SearchFilterRequestDto[],
  options: ReadOptions<Field>,
): readonly FilterCondition<Field>[] {
  if (filters.length > MAX_FILTERS)
    throw new AppError('invalid_fields', {
      problems: [`filters: must not contain more than ${MAX_FILTERS} conditions`],
    });
  const conditions: FilterCondition<Field>[] = [];
  const problems: string[] = [];
  for (const filter of filters) {
    const result = readFilter(filter, options);
    if (isComplaint(result)) problems.push(result.complaint);
    else conditions.push(result);
  }
  if (problems.length > 0) throw new AppError('invalid_fields', { problems });
  return conditions;
}

function readFilter<Field extends FilterField>(
  filter: SearchFilterRequestDto,
  { lookup, now }: ReadOptions<Field>,
): FilterCondition<Field> | Complaint {
  const { fieldSource, fieldIdentifier, condition } = filter;
  const field = lookup(fieldSource, fieldIdentifier);
  const name = fieldIdentifier.slice(0, MAX_ECHOED_NAME);
  if (!field) return { complaint: `${name}: no such ${fieldSource} field to filter by` };
  if (!isSupported(field, condition))
    return { complaint: `${name}: ${condition} is not supported for this field; use ${field.conditions.join(', ')}` };
  const result = conditionOf(condition, { field, value: filter.value, now });
  return isComplaint(result) ? { complaint: `${name}: the value ${result.complaint}` } : result;
}

const COMPARISONS: readonly FilterConditionOperator[] = ['GREATER', 'GREATER_OR_EQUAL', 'LESSER', 'LESSER_OR_EQUAL'];

/** Numbers for which a choice of values is offered, e.g. key sizes, also support comparisons. */
const isSupported = ({ conditions, valueType, many }: FilterField, condition: FilterConditionOperator): boolean =>
  conditions.includes(condition) || (valueType === 'number' && !many && COMPARISONS.includes(condition));

/** Maximum length of a name in an error message, so that a hostile name cannot make the message long. */
const MAX_ECHOED_NAME = 100;

interface FilterInput<Field extends FilterField> {
  readonly field: Field;
  readonly value: unknown;
  readonly now: Date;
}

function conditionOf<Field extends FilterField>(
  operator: FilterConditionOperator,
  given: FilterInput<Field>,
): FilterCondition<Field> | Complaint {
  switch (operator) {
    case 'EQUALS':
    case 'NOT_EQUALS':
      return equals(given, operator === 'NOT_EQUALS');
    case 'EMPTY':
    case 'NOT_EMPTY':
      return { kind: 'empty', field: given.field, negated: operator === 'NOT_EMPTY' };
    case 'CONTAINS':
    case 'NOT_CONTAINS':
      return containsText(given, { place: 'anywhere', negated: operator === 'NOT_CONTAINS' });
    case 'STARTS_WITH':
      return containsText(given, { place: 'start', negated: false });
    case 'ENDS_WITH':
      return containsText(given, { place: 'end', negated: false });
    case 'GREATER':
      return compare(given, '>');
    case 'GREATER_OR_EQUAL':
      return compare(given, '>=');
    case 'LESSER':
      return compare(given, '<');
    case 'LESSER_OR_EQUAL':
      return compare(given, '<=');
    case 'IN_NEXT':
      return within(given, 1);
    case 'IN_PAST':
      return within(given, -1);
    case 'MATCHES':
    case 'NOT_MATCHES':
      return matches(given, operator === 'NOT_MATCHES');
    case 'COUNT_EQUAL':
      return count(given, '=');
    case 'COUNT_NOT_EQUAL':
      return count(given, '<>');
    case 'COUNT_GREATER_THAN':
      return count(given, '>');
    case 'COUNT_LESS_THAN':
      return count(given, '<');
  }
}

type Result<Field extends FilterField> = FilterCondition<Field> | Complaint;

function equals<Field extends FilterField>({ field, value }: FilterInput<Field>, negated: boolean): Result<Field> {
  const values = readEach(value, (item) => readScalar(item, field));
  return isComplaint(values) ? values : { kind: 'equals', field, negated, values };
}

function containsText<Field extends FilterField>(
  { field, value }: FilterInput<Field>,
  form: { readonly place: 'anywhere' | 'start' | 'end'; readonly negated: boolean },
): Result<Field> {
  const texts = readEach(value, readText);
  return isComplaint(texts) ? texts : { kind: 'text', field, ...form, texts };
}

function compare<Field extends FilterField>(
  { field, value }: FilterInput<Field>,
  comparison: Comparison,
): Result<Field> {
  const bound = readOne(value, (item) => readScalar(item, field));
  return isComplaint(bound) ? bound : { kind: 'compare', field, comparison, value: bound };
}

function matches<Field extends FilterField>({ field, value }: FilterInput<Field>, negated: boolean): Result<Field> {
  const pattern = readOne(value, readPattern);
  return isComplaint(pattern) ? pattern : { kind: 'matches', field, negated, pattern };
}

function count<Field extends FilterField>({ field, value }: FilterInput<Field>, comparison: Comparison): Result<Field> {
  const number = readOne(value, (item) => {
    const text = readText(item);
    if (isComplaint(text)) return text;
    return /^\d{1,9}$/.test(text) ? Number(text) : { complaint: 'must be a non-negative integer' };
  });
  return isComplaint(number) ? number : { kind: 'count', field, comparison, count: number };
}

function within<Field extends FilterField>(
  { field, value, now }: FilterInput<Field>,
  direction: 1 | -1,
): Result<Field> {
  const text = readOne(value, readText);
  if (isComplaint(text)) return text;
  const duration = parseDuration(text);
  if (!duration) return { complaint: 'must be a duration such as P30D or P1Y6MT12H' };
  // Dates have no time of day, so units below a day are ignored for date fields.
  const other = addDuration(now, field.valueType === 'date' ? { ...duration, seconds: 0 } : duration, direction);
  if (!other) return { complaint: 'results in a date outside the supported range' };
  const [from, to] = direction === 1 ? [now, other] : [other, now];
  const toFieldValue = (moment: Date): Scalar =>
    field.valueType === 'date' ? moment.toISOString().slice(0, 10) : moment;
  return { kind: 'within', field, from: toFieldValue(from), to: toFieldValue(to) };
}

function readOne<Value>(value: unknown, read: (item: unknown) => Value | Complaint): Value | Complaint {
  const values = readEach(value, read);
  if (isComplaint(values)) return values;
  return values.length === 1 ? values[0] : { complaint: 'must be a single value' };
}

/**
 * Reads each member of a list, which matches if any member does; a single value is treated as a list with one member.
 */
function readEach<Value>(
  value: unknown,
  read: (item: unknown) => Value | Complaint,
): readonly [Value, ...Value[]] | Complaint {
  const items: readonly unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  if (items.length > MAX_VALUES) return { complaint: `must not contain more than ${MAX_VALUES} values` };
  const values: Value[] = [];
  for (const item of items) {
    const result = read(item);
    if (isComplaint(result)) return result;
    values.push(result);
  }
  const [first, ...others] = values;
  return first === undefined ? { complaint: 'is missing' } : [first, ...others];
}
