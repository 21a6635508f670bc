// Compiles conditions into one SQL expression. Values are always sent as parameters, and column names come only from
// declared readings, never from a request. Each case mirrors a case in kernel/filter/evaluate.ts.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Comparison, FilterCondition } from '../../../kernel/filter/condition.ts';
import type { Scalar } from '../../../kernel/filter/field.ts';
import { timestampText } from '../timestamps.ts';
import type { RelatedRows, SqlReading, SqlText } from './reading.ts';
import type { SqlField } from './sql-fields.ts';

export type SqlCondition = FilterCondition<SqlField>;

type Condition = RawBuilder<SqlBool>;

const TRUE: Condition = sql`true`;
const FALSE: Condition = sql`false`;

/**
 * A query's purpose: to find all of a few rows, all of many rows, or one ordered page of many rows. An index condition
 * that helps to find a few rows slows down the search for many.
 */
export type Expected = 'few' | 'many' | 'page';

/** Combines all conditions, for `query.where(...)`. */
export function compileFilters(conditions: readonly SqlCondition[]): Condition {
  if (conditions.length === 0) return TRUE;
  return sql`(${sql.join(
    conditions.map((condition) => compileFilter(condition)),
    sql` AND `,
  )})`;
}

export function compileFilter(condition: SqlCondition, expected: Expected = 'many'): Condition {
  const { reading } = condition.field;
  switch (reading.kind) {
    case 'column':
      return columnCondition(condition, reading, expected);
    case 'reference':
      return referenceCondition(condition, reading);
    case 'related':
      return relatedCondition(condition, reading);
    case 'members':
      return membersCondition(condition, reading);
    case 'bits':
      return bitsCondition(condition, reading);
    case 'exists':
      return existsCondition(condition, reading);
  }
}

type Reading<Kind extends SqlReading['kind']> = Extract<SqlReading, { kind: Kind }>;

function columnCondition(condition: SqlCondition, reading: Reading<'column'>, expected: Expected): Condition {
  const { value, implied, impliedOfAll, impliedOfFew } = reading;
  if (condition.kind === 'empty') return isNull(value, condition.negated);
  const test = testOf(condition, value);
  if (!isNegated(condition)) {
    const followers = [
      implied?.(condition),
      expected === 'page' ? undefined : impliedOfAll?.(condition),
      expected === 'few' ? impliedOfFew?.(condition) : undefined,
    ];
    const indexed = followers.filter((each) => each !== undefined);
    return indexed.length === 0 ? test : sql`(${sql.join([test, ...indexed], sql` AND `)})`;
  }
  // An absent value neither matches an expression nor fails to match it.
  return condition.kind === 'matches' ? sql`(NOT ${test})` : sql`(${value} IS NULL OR NOT ${test})`;
}

function referenceCondition(condition: SqlCondition, { column, table, key, value }: Reading<'reference'>): Condition {
  if (condition.kind === 'empty') return isNull(column, condition.negated);
  const found: Condition = sql`${column} IN (SELECT ${key} FROM ${table} WHERE ${testOf(condition, value)})`;
  if (!isNegated(condition)) return found;
  // `NULL IN (nothing)` is false, not null, so both forms must check for null.
  return condition.kind === 'matches'
    ? sql`(${column} IS NOT NULL AND NOT ${found})`
    : sql`(${column} IS NULL OR NOT ${found})`;
}

function relatedCondition(condition: SqlCondition, { rows, value }: Reading<'related'>): Condition {
  if (condition.kind === 'empty') return anyRow(rows, TRUE, !condition.negated);
  if (condition.kind === 'count') return countOf(rows, condition);
  return anyRow(rows, testOf(condition, value), isNegated(condition));
}

function membersCondition(condition: SqlCondition, { column, member }: Reading<'members'>): Condition {
  if (condition.kind === 'equals') {
    // Containment can use a GIN index and is cheaper than unnesting the array.
    const wanted = condition.values.map((value) => sql`${column} @> ${JSON.stringify([{ [member]: value }])}::jsonb`);
    const found: Condition = sql`(${sql.join(wanted, sql` OR `)})`;
    return condition.negated ? sql`(${column} IS NULL OR NOT ${found})` : found;
  }
  const value = sql`element.value ->> ${sql.lit(member)}`;
  const rows = { from: sql`jsonb_array_elements(${column}) AS element(value)`, where: sql`${value} IS NOT NULL` };
  return relatedCondition(condition, { kind: 'related', rows, value });
}

function bitsCondition(condition: SqlCondition, { column, bits }: Reading<'bits'>): Condition {
  if (condition.kind === 'empty')
    return condition.negated ? sql`coalesce(${column}, 0) <> 0` : sql`coalesce(${column}, 0) = 0`;
  if (condition.kind === 'count') {
    const set = Object.values(bits).map((bit) => sql`(coalesce(${column}, 0) & ${sql.lit(bit)} <> 0)::int`);
    return comparisonTest(sql`(${sql.join(set, sql` + `)})`, condition.comparison, sql`${condition.count}::int`);
  }
  if (condition.kind !== 'equals') return throwUnsupported(condition);
  const mask = condition.values.reduce<number>((sum, code) => sum | bitOf(bits, code), 0);
  const comparison = condition.negated ? sql`=` : sql`<>`;
  return sql`coalesce(${column}, 0) & ${sql.lit(mask)} ${comparison} 0`;
}

/** Returns 0 for a code without a bit, which therefore is never set. */
const bitOf = (bits: Readonly<Record<string, number>>, code: Scalar): number =>
  typeof code === 'string' && Object.hasOwn(bits, code) ? (bits[code] ?? 0) : 0;

function existsCondition(condition: SqlCondition, { rows }: Reading<'exists'>): Condition {
  if (condition.kind === 'empty') return condition.negated ? TRUE : FALSE;
  if (condition.kind !== 'equals') return throwUnsupported(condition);
  const wanted = (flag: boolean) => condition.values.includes(flag) !== condition.negated;
  if (wanted(true) && wanted(false)) return TRUE;
  if (wanted(true)) return anyRow(rows, TRUE, false);
  return wanted(false) ? anyRow(rows, TRUE, true) : FALSE;
}

const isNegated = (condition: SqlCondition): boolean => 'negated' in condition && condition.negated;

const isNull = (value: SqlText, negated: boolean): Condition =>
  negated ? sql`${value} IS NOT NULL` : sql`${value} IS NULL`;

const anyRow = ({ from, where }: RelatedRows, test: Condition, negated: boolean): Condition => {
  const found: Condition = sql`EXISTS (SELECT 1 FROM ${from} WHERE ${where} AND ${test})`;
  return negated ? sql`(NOT ${found})` : found;
};

const countOf = ({ from, where }: RelatedRows, condition: Extract<SqlCondition, { kind: 'count' }>): Condition =>
  comparisonTest(
    sql`(SELECT count(*) FROM ${from} WHERE ${where})`,
    condition.comparison,
    sql`${condition.count}::bigint`,
  );

/** Tests whether one non-null value matches the condition, ignoring negation. */
function testOf(condition: SqlCondition, value: SqlText): Condition {
  switch (condition.kind) {
    case 'equals':
      // `=` is used for a single value, so that an index also preserves its order.
      return condition.values.length === 1
        ? sql`(${value} = ${parameter(condition.values[0], condition.field)})`
        : sql`(${value} = ANY (${parameters(condition.values, condition.field)}))`;
    case 'text': {
      const [first, ...others] = condition.texts.map((text) => likePattern(text, condition.place));
      // ANY is not used for a single pattern, because only this form can use an index.
      return others.length === 0
        ? sql`(${value} LIKE ${first}::text)`
        : sql`(${value} LIKE ANY (${[first, ...others]}::text[]))`;
    }
    case 'compare':
      return comparisonTest(value, condition.comparison, parameter(condition.value, condition.field));
    case 'within':
      return sql`(${value} BETWEEN ${parameter(condition.from, condition.field)} AND ${parameter(condition.to, condition.field)})`;
    case 'matches':
      return sql`(${value} ~ ${condition.pattern}::text)`;
    case 'empty':
    case 'count':
      return throwUnsupported(condition);
  }
}

/**
 * Throws for an operator that the catalog offers but the field's reading does not support, which is an error in the
 * declaration.
 */
function throwUnsupported(condition: SqlCondition): never {
  throw new Error(
    `The reading of ${condition.field.identifier}, ${condition.field.reading.kind}, does not support ${condition.kind}.`,
  );
}

const comparisons: Readonly<Record<Comparison, SqlText>> = {
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
  '=': sql`=`,
  '<>': sql`<>`,
};

const comparisonTest = (value: SqlText, comparison: Comparison, bound: SqlText): Condition =>
  sql`(${value} ${comparisons[comparison]} ${bound})`;

/** Escapes `%`, `_` and the escape character, so that they match literally. */
export function likePattern(text: string, place: 'anywhere' | 'start' | 'end'): string {
  const literal = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return `${place === 'start' ? '' : '%'}${literal}${place === 'end' ? '' : '%'}`;
}

const parameter = (value: Scalar, field: SqlField): SqlText =>
  sql`${parameterValue(value)}::${sql.raw(sqlType([value], field))}`;

const parameters = (values: readonly Scalar[], field: SqlField): SqlText =>
  sql`${values.map(parameterValue)}::${sql.raw(sqlType(values, field))}[]`;

const parameterValue = (value: Scalar): Scalar => (value instanceof Date ? timestampText(value) : value);

function sqlType(values: readonly Scalar[], field: SqlField): string {
  switch (field.valueType) {
    case 'text':
      return 'text';
    case 'number':
      // An index on an integer column can be used with bigint, but not with numeric.
      return values.every((value) => Number.isSafeInteger(value)) ? 'bigint' : 'numeric';
    case 'boolean':
      return 'boolean';
    case 'date':
      return 'date';
    case 'time':
      return 'time';
    case 'datetime':
      return 'timestamptz';
  }
}
