// Which objects are visible to a caller, as an SQL condition.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ObjectFilter } from '../../kernel/actor.ts';

/**
 * Returns a condition for whether the object that the column references is visible. A null reference is visible only if
 * the filter is a list of exceptions.
 */
export const isShown = (column: RawBuilder<unknown>, filter: ObjectFilter): RawBuilder<SqlBool> =>
  filter.kind === 'only'
    ? sql`${column} = ANY(${[...filter.uuids]}::uuid[])`
    : sql`(${column} IS NULL OR ${column} <> ALL(${[...filter.except]}::uuid[]))`;
