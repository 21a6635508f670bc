// Reads the values of filter fields for conditions that are evaluated in memory. They are the same values that compiled
// conditions compare in the database.
import { sql } from 'kysely';
import type { FieldLookup, FieldValue, Scalar, ValueType } from '../../../kernel/filter/field.ts';
import type { Executor } from '../database.ts';
import { compileFilters, type SqlCondition } from './compile.ts';
import type { SqlReading, SqlText } from './reading.ts';
import type { SqlField } from './sql-fields.ts';

/** Values of an object's fields. */
export type ObjectValues = ReadonlyMap<SqlField, FieldValue>;

/** Where objects are stored: the tables of a query with the alias that the readings use, and the key column. */
export interface ObjectSource {
  readonly from: SqlText;
  readonly key: SqlText;
  /** Display name of the object. */
  readonly name?: SqlText;
}

const MAX_ARGUMENTS = 100;

/** Returns the values by key; objects that do not exist have no entry. */
export async function readValues(
  executor: Executor,
  { from, key }: ObjectSource,
  { fields, uuids }: { readonly fields: readonly SqlField[]; readonly uuids: readonly string[] },
): Promise<ReadonlyMap<string, ObjectValues>> {
  if (uuids.length === 0) return new Map();
  const values = fields.map(({ reading }) => valueOf(reading));
  // Values are returned in arrays, since separate columns would each need a name. A function accepts at most 100
  // arguments.
  const arrays = Array.from(
    { length: Math.ceil(values.length / MAX_ARGUMENTS) },
    (_, index) => sql`jsonb_build_array(${sql.join(values.slice(index * MAX_ARGUMENTS, (index + 1) * MAX_ARGUMENTS))})`,
  );
  const { rows } = await sql<{ key: string; values: readonly unknown[] }>`
    SELECT ${key} AS key, ${arrays.length === 0 ? sql`'[]'::jsonb` : sql.join(arrays, sql` || `)} AS values
    FROM ${from} WHERE ${key} = ANY (${uuids}::uuid[])`.execute(executor);
  return new Map(
    rows.map((row) => [row.key, new Map(fields.map((field, index) => [field, fieldValue(field, row.values[index])]))]),
  );
}

function valueOf(reading: SqlReading): SqlText {
  switch (reading.kind) {
    case 'column':
      return reading.value;
    case 'reference':
      return sql`(SELECT ${reading.value} FROM ${reading.table} WHERE ${reading.key} = ${reading.column})`;
    case 'related':
      return sql`ARRAY (SELECT ${reading.value} FROM ${reading.rows.from} WHERE ${reading.rows.where})`;
    case 'members':
      return sql`ARRAY (SELECT element.value ->> ${sql.lit(reading.member)}
        FROM jsonb_array_elements(${reading.column}) AS element(value) WHERE element.value ->> ${sql.lit(reading.member)} IS NOT NULL)`;
    case 'bits':
      return reading.column;
    case 'exists':
      return sql`EXISTS (SELECT FROM ${reading.rows.from} WHERE ${reading.rows.where})`;
  }
}

/** Converts a value from its JSON form. */
function fieldValue({ reading, valueType }: SqlField, value: unknown): FieldValue {
  if (reading.kind === 'bits') {
    const mask = Number(value ?? 0);
    return Object.entries(reading.bits).flatMap(([code, bit]) => ((mask & bit) === 0 ? [] : [code]));
  }
  if (Array.isArray(value)) return value.flatMap((member: unknown) => scalar(member, valueType) ?? []);
  return scalar(value, valueType);
}

function scalar(value: unknown, type: ValueType): Scalar | null {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'text':
      return String(value);
    case 'number':
      return Number(value);
    case 'boolean':
      return value === true || value === 'true';
    case 'date':
    case 'time':
      return String(value);
    case 'datetime':
      return new Date(String(value));
  }
}

/** A resource's objects, as evaluated by conditions. */
export interface EvaluatedObjects {
  readonly lookup: FieldLookup<SqlField>;
  /** Returns the values by key; objects that do not exist have no entry. */
  read(
    executor: Executor,
    asked: { readonly fields: readonly SqlField[]; readonly uuids: readonly string[] },
  ): Promise<ReadonlyMap<string, ObjectValues>>;
  /** Returns the names of existing objects by key. */
  findNames(executor: Executor, uuids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the keys of the newest objects that match all conditions, regardless of permissions. */
  findMatching(executor: Executor, conditions: readonly SqlCondition[], limit: number): Promise<readonly string[]>;
}

export const evaluatedObjects = (lookup: FieldLookup<SqlField>, source: ObjectSource): EvaluatedObjects => ({
  lookup,
  read: (executor, asked) => readValues(executor, source, asked),
  async findNames(executor, uuids) {
    const { rows } = await sql<{ key: string; name: string | null }>`
      SELECT ${source.key} AS key, ${source.name ?? sql`NULL`} AS name FROM ${source.from}
      WHERE ${source.key} = ANY (${uuids}::uuid[])`.execute(executor);
    return new Map(rows.map(({ key, name }) => [key, name ?? key]));
  },
  async findMatching(executor, conditions, limit) {
    const { rows } = await sql<{ key: string }>`
      SELECT ${source.key} AS key FROM ${source.from} WHERE ${compileFilters(conditions)}
      ORDER BY ${source.key} DESC LIMIT ${limit}`.execute(executor);
    return rows.map(({ key }) => key);
  },
});
