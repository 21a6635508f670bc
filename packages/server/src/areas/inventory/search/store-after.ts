// Builds the condition that a row comes after a position in a sort order, in a form that an index on the order can
// serve.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { SortPosition, SortTerm } from './sort-fields.ts';

type Condition = RawBuilder<SqlBool>;

/**
 * Returns the condition that a row comes after the position. Terms with `known` may have no value; rows without a value
 * come last.
 */
export function isAfter(terms: readonly SortTerm[], place: SortPosition): Condition {
  const range = leading(terms);
  const [first] = range;
  if (!first) return isBeyond(terms, place);
  const { direction } = first;
  const values = sql.join(range.map(({ value }) => value));
  const bounds = sql.join(range.map((term, index) => bound(term, place[index] ?? null)));
  // The row comparison is the entry point into the index. Additional conditions cover the terms that it does not
  // compare.
  if (range.length === terms.length)
    return direction === 'asc' ? sql`(${values}) > (${bounds})` : sql`(${values}) < (${bounds})`;
  const from: Condition = direction === 'asc' ? sql`(${values}) >= (${bounds})` : sql`(${values}) <= (${bounds})`;
  return sql`(${from} AND ${isBeyond(terms, place)})`;
}

/** Returns the leading terms that an index can serve, which always have a value and share the same direction. */
function leading(terms: readonly SortTerm[]): readonly SortTerm[] {
  const end = terms.findIndex(({ known, direction }) => known !== undefined || direction !== terms[0]?.direction);
  return end < 0 ? terms : terms.slice(0, end);
}

/**
 * Compares term by term. A row is beyond the position if its first term is after it, or if the first term is equal and
 * the remaining terms are after it.
 */
function isBeyond([term, ...others]: readonly SortTerm[], [at = null, ...rest]: SortPosition): Condition {
  if (!term) return sql`false`;
  const { value, direction, known } = term;
  const isAbsent: Condition = known ? sql`(${known}) IS NOT TRUE` : sql`false`;
  if (at === null) return sql`(${isAbsent} AND ${isBeyond(others, rest)})`;
  const beyond: Condition =
    direction === 'asc' ? sql`${value} > ${bound(term, at)}` : sql`${value} < ${bound(term, at)}`;
  const further = others.length === 0 ? sql`` : sql` OR (${value} = ${bound(term, at)} AND ${isBeyond(others, rest)})`;
  return known ? sql`(${isAbsent} OR ${beyond}${further})` : sql`(${beyond}${further})`;
}

const bound = ({ type }: SortTerm, text: string | null): RawBuilder<unknown> => sql`${text}::${sql.raw(type)}`;
