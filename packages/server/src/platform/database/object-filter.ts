// What a caller may see, as a condition of SQL.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ObjectFilter } from '../../kernel/actor.ts';

/** Is the object that the column names shown? A column that names none is shown where all but some are. */
export const isShown = (column: RawBuilder<unknown>, filter: ObjectFilter): RawBuilder<SqlBool> =>
  filter.kind === 'only'
    ? sql`${column} = ANY(${[...filter.uuids]}::uuid[])`
    : sql`(${column} IS NULL OR ${column} <> ALL(${[...filter.except]}::uuid[]))`;
