// How a filter field is read from the database. An area declares one reading per field; `c.` in the examples is the
// alias of the filtered table in the area's query.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { FilterCondition } from '../../../kernel/filter/condition.ts';
import type { ValueType } from '../../../kernel/filter/field.ts';

export type SqlText = RawBuilder<unknown>;

/** Rows related to the filtered row: `from` is a table list with joins, `where` links it to the outer row. */
export interface RelatedRows {
  readonly from: SqlText;
  readonly where: SqlText;
}

/**
 * Returns a condition implied by a condition on this field, if there is one. It excludes no matching rows, but can use
 * an index.
 */
export type ImpliedCondition = (condition: FilterCondition) => RawBuilder<SqlBool> | undefined;

export interface Indexes {
  readonly implied?: ImpliedCondition;
  /** Also implied, but useful only if all rows are searched, not if the next matching row is found quickly. */
  readonly impliedOfAll?: ImpliedCondition;
  /** Also implied, but useful only if few rows match the condition. */
  readonly impliedOfFew?: ImpliedCondition;
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

const toSql = (named: Named): SqlText => (typeof named === 'string' ? sql.ref(named) : named);

/** Reads a column, or an expression that yields one value or null: `column('c.common_name')`. */
export const column = (value: Named, facts: { readonly valueType?: ValueType } & Indexes = {}): SqlReading => ({
  kind: 'column',
  value: toSql(value),
  ...facts,
});

/**
 * Reads the name of the object that a column references: `reference({ column: 'c.ra_profile_uuid', table: 'ra_profile'
 * })`. The objects are found first, so that an index on the column is used.
 */
export const reference = (facts: {
  readonly column: Named;
  readonly table: string;
  /** Column of the referenced table that the reference points to. */
  readonly key?: string;
  /** Column of the referenced table that is compared; never null. */
  readonly value?: string;
}): SqlReading => ({
  kind: 'reference',
  column: toSql(facts.column),
  table: sql.table(facts.table),
  key: sql.ref(`${facts.table}.${facts.key ?? 'uuid'}`),
  value: sql.ref(`${facts.table}.${facts.value ?? 'name'}`),
});

/** Reads values from rows related to the filtered row, such as the names of its groups. The value is never null. */
export const related = (
  facts: RelatedRows & { readonly value: Named; readonly valueType?: ValueType },
): SqlReading => ({
  kind: 'related',
  rows: { from: facts.from, where: facts.where },
  value: toSql(facts.value),
  ...(facts.valueType ? { valueType: facts.valueType } : {}),
});

/** Reads a text member of the objects in a jsonb array: `members('a.resource_objects', 'uuid')`. */
export const members = (jsonColumn: Named, member: string): SqlReading => ({
  kind: 'members',
  column: toSql(jsonColumn),
  member,
});

/** Reads codes stored as bits in an integer column; null and zero mean that there are none. */
export const bits = (bitColumn: Named, codes: Readonly<Record<string, number>>): SqlReading => ({
  kind: 'bits',
  column: toSql(bitColumn),
  bits: codes,
});

/** Reads a flag that is true if rows related to the filtered row exist. */
export const exists = (rows: RelatedRows): SqlReading => ({ kind: 'exists', rows });

/** Returns whether a reading is a collection, with multiple values per row. */
export const isManyValued = (reading: SqlReading): boolean =>
  reading.kind === 'related' || reading.kind === 'members' || reading.kind === 'bits';
