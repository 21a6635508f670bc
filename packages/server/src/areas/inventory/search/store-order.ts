// Pages of a search in the requested order. The identifiers on a page are found first, with an index-only scan if the
// order has an index, so that a deep page reads full rows only for its own certificates.
import type { CertificateSort } from '@signetry/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { Expected } from '../../../platform/database/filter/compile.ts';
import { keyAt, sortTerms, type SortPosition, type SortTerm } from './sort-fields.ts';
import { isAfter } from './store-after.ts';
import { countSelected, selected, type NarrowedQuery, type Selection } from './store.ts';
import { selectedTexts } from './store-texts.ts';

export interface SortedSelection extends Selection {
  readonly sort: readonly CertificateSort[];
}

export interface PageRange {
  readonly offset: number;
  readonly limit: number;
  /** Starts after this position. */
  readonly after?: SortPosition | undefined;
  /** Expected number of rows; default: all. */
  readonly expected?: Expected;
}

export const findKeys = async (
  executor: Executor,
  query: SortedSelection,
  stretch: PageRange,
): Promise<readonly string[]> => (await findPositions(executor, query, stretch)).map(keyAt);

/**
 * Scans in sort order. An index on the first sort value contains the certificates that have a value and can be read in
 * both directions. Certificates without a value follow.
 */
export async function findPositions(
  executor: Executor,
  query: SortedSelection,
  { offset, limit, after, expected = 'many' }: PageRange,
): Promise<readonly SortPosition[]> {
  const [first] = sortTerms(query.sort);
  if (!first?.known) return positionsOf(executor, query, { offset, limit, after, expected });
  const nameless = { ...query, only: sql<SqlBool>`(${first.known}) IS NOT TRUE` };
  if (after?.[0] === null) return positionsOf(executor, nameless, { offset, limit, after, expected });
  const named = { ...query, only: first.known, known: first.known };
  const places = await positionsOf(executor, named, { offset, limit, after, expected });
  if (places.length === limit) return places;
  const passed = places.length > 0 || offset === 0 ? offset + places.length : await countSelected(executor, named);
  const stretch = { offset: Math.max(0, offset - passed), limit: limit - places.length, expected };
  return [...places, ...(await positionsOf(executor, nameless, stretch))];
}

type OrderedQuery = NarrowedQuery<SortedSelection> & {
  /** Condition that all rows satisfy. */
  readonly known?: RawBuilder<SqlBool>;
};

async function positionsOf(
  executor: Executor,
  query: OrderedQuery,
  { offset, limit, after, expected }: PageRange,
): Promise<SortPosition[]> {
  const terms = sortTerms(query.sort).map(({ known, ...term }): SortTerm => {
    // An index matches only an order without a NULLS clause.
    if (!known || known === query.known) return term;
    return { ...term, value: conditionalValue(term, known), known };
  });
  let ordered = joinSortColumns(selected(executor, query, expected), query.sort).select(terms.map(named));
  if (after) ordered = ordered.where(isAfter(terms, after));
  for (const { value, direction, known } of terms)
    ordered = ordered.orderBy(value, (order) => {
      const directed = direction === 'asc' ? order.asc() : order.desc();
      return known ? directed.nullsLast() : directed;
    });
  const { rows } = await sql<{ place: SortPosition }>`
    WITH found AS MATERIALIZED (${ordered.limit(limit).offset(offset)})
    SELECT ${positionExpression(terms)} AS place FROM found ORDER BY ${orderExpression(terms)}`.execute(executor);
  return rows.map((row) => row.place);
}

export interface CollectedPage {
  readonly total: number;
  readonly places: readonly SortPosition[];
}

/**
 * Finds all certificates of a selection and returns a page of them, or undefined if there are more than `most`. A small
 * selection is found through its selective condition, regardless of the sort order.
 */
export async function collectPositions(
  executor: Executor,
  query: SortedSelection,
  { offset, limit, after, most }: PageRange & { readonly most: number },
): Promise<CollectedPage | undefined> {
  const terms = sortTerms(query.sort).map(({ known, ...term }): SortTerm =>
    known ? { ...term, value: conditionalValue(term, known), known } : term,
  );
  const found =
    keysInTexts(executor, query)?.limit(most + 1) ??
    joinSortColumns(selected(executor, query, 'few'), query.sort)
      .select(terms.map(named))
      .limit(most + 1);
  const collected = terms.map(({ known, ...term }, index): SortTerm => {
    const value = sql.ref(nameOf(index));
    return known ? { ...term, value, known: sql`${value} IS NOT NULL` } : { ...term, value };
  });
  const continued = after ? sql`WHERE ${isAfter(collected, after)}` : sql``;
  const { rows } = await sql<{ total: number; places: readonly SortPosition[] }>`
    WITH found AS MATERIALIZED (${found})
    SELECT (SELECT count(*)::int FROM found) AS total,
      ARRAY(SELECT ${positionExpression(terms)} FROM found ${continued} ORDER BY ${orderExpression(terms)}
        LIMIT ${limit}::int OFFSET ${offset}::bigint) AS places`.execute(executor);
  const [row] = rows;
  return row && row.total <= most ? row : undefined;
}

/** Reads only the texts if certificates are sorted only by creation. */
function keysInTexts(executor: Executor, query: SortedSelection) {
  const [only, ...others] = query.sort;
  if (only?.field !== 'createdAt' || others.length > 0) return undefined;
  return selectedTexts(executor, query)?.select(named({ value: sql`t.certificate_uuid` }, 0));
}

const conditionalValue = ({ value }: Pick<SortTerm, 'value'>, known: RawBuilder<SqlBool>) =>
  sql`CASE WHEN ${known} THEN ${value} END`;

const nameOf = (index: number): string => `value_${index}`;
const named = ({ value }: Pick<SortTerm, 'value'>, index: number) => value.as(nameOf(index));

const positionExpression = (terms: readonly SortTerm[]): RawBuilder<SortPosition> =>
  sql`ARRAY[${sql.join(terms.map((_, index) => sql`${sql.ref(nameOf(index))}::text`))}]`;

const orderExpression = (terms: readonly SortTerm[]) =>
  sql.join(terms.map(({ direction }, index) => sql`${sql.ref(nameOf(index))} ${sql.raw(direction)} NULLS LAST`));

/** Joins RA profiles if the result is sorted by their names. */
const joinSortColumns = (rows: ReturnType<typeof selected>, sort: readonly CertificateSort[]) =>
  sort.some(({ field }) => field === 'raProfile')
    ? rows.leftJoin('ra_profile as p', 'p.uuid', 'c.ra_profile_uuid')
    : rows;
