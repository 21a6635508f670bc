// How a filter field is read from the database. An area declares one reading per field; `c.` in the examples is the
// alias of the filtered table in the area's own query.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { FilterCondition } from '../../../kernel/filter/condition.ts';
import type { ValueType } from '../../../kernel/filter/field.ts';

export type SqlText = RawBuilder<unknown>;

/** Rows that belong to the filtered row: `from` is a table list with joins, `where` ties it to the outer row. */
export interface RelatedRows {
  readonly from: SqlText;
  readonly where: SqlText;
}

/** A condition that follows from one on this field, if there is one: it excludes nothing, but an index serves it. */
export type Implied = (condition: FilterCondition) => RawBuilder<SqlBool> | undefined;

export interface Indexes {
  readonly implied?: Implied;
  /** Follows too, but pays only where all rows are looked for, not where the next one that fits is at hand. */
  readonly impliedOfAll?: Implied;
  /** Follows too, but pays only where few rows fulfil the condition. */
  readonly impliedOfFew?: Implied;
}

export type SqlReading =
  | ({ readonly kind: 'column'; readonly value: SqlText; readonly valueType?: ValueType } & Indexes)
  | {
      readonly kind: 'reference';
      readonly column: SqlText;
      readonly table: SqlText;
      readonly key: SqlText;
      readonly value: SqlText;
      readonly valueType?: ValueType;
    }
  | { readonly kind: 'related'; readonly rows: RelatedRows; readonly value: SqlText; readonly valueType?: ValueType }
  | { readonly kind: 'members'; readonly column: SqlText; readonly member: string }
  | { readonly kind: 'bits'; readonly column: SqlText; readonly bits: Readonly<Record<string, number>> }
  | { readonly kind: 'exists'; readonly rows: RelatedRows };

type Named = string | SqlText;

const asSql = (named: Named): SqlText => (typeof named === 'string' ? sql.ref(named) : named);

/** A column, or an expression that yields one value or null: `column('c.common_name')`. */
export const column = (value: Named, facts: { readonly valueType?: ValueType } & Indexes = {}): SqlReading => ({
  kind: 'column',
  value: asSql(value),
  ...facts,
});

/**
 * The name of one object that a column points at: `reference({ column: 'c.ra_profile_uuid', table: 'ra_profile' })`.
 * The objects are found first, so that an index on the column is used.
 */
export const reference = (facts: {
  readonly column: Named;
  readonly table: string;
  /** Column of the table that is pointed at. */
  readonly key?: string;
  /** Column of the table that is compared; never null. */
  readonly value?: string;
}): SqlReading => ({
  kind: 'reference',
  column: asSql(facts.column),
  table: sql.table(facts.table),
  key: sql.ref(`${facts.table}.${facts.key ?? 'uuid'}`),
  value: sql.ref(`${facts.table}.${facts.value ?? 'name'}`),
});

/** Values of rows that belong to the filtered row, such as the names of its groups. The value is never null. */
export const related = (
  facts: RelatedRows & { readonly value: Named; readonly valueType?: ValueType },
): SqlReading => ({
  kind: 'related',
  rows: { from: facts.from, where: facts.where },
  value: asSql(facts.value),
  ...(facts.valueType ? { valueType: facts.valueType } : {}),
});

/** A text member of the objects of a jsonb array: `members('a.resource_objects', 'uuid')`. */
export const members = (jsonColumn: Named, member: string): SqlReading => ({
  kind: 'members',
  column: asSql(jsonColumn),
  member,
});

/** Codes kept as bits of an integer column; null and zero are empty. */
export const bits = (bitColumn: Named, codes: Readonly<Record<string, number>>): SqlReading => ({
  kind: 'bits',
  column: asSql(bitColumn),
  bits: codes,
});

/** A flag that is true when there are rows that belong to the filtered row. */
export const exists = (rows: RelatedRows): SqlReading => ({ kind: 'exists', rows });

/** Readings of collections: several values per row. */
export const isManyValued = (reading: SqlReading): boolean =>
  reading.kind === 'related' || reading.kind === 'members' || reading.kind === 'bits';
