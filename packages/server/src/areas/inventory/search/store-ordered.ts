// Pages of selections that an index provides in list order, newest first: all certificates, the certificates of a
// group, and those that expire within a time range. Neither earlier pages nor all matches of a large selection are
// read.
import { sql, type RawBuilder } from 'kysely';
import { isUnlimited } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { SqlCondition } from '../../../platform/database/filter/compile.ts';
import type { SortPosition } from './sort-fields.ts';
import { findBlock } from './store-blocks.ts';
import { boundsOf, expiryIn } from './store-expiry.ts';
import { findPositions, type SortedSelection, type PageRange } from './store-order.ts';

/** Offset from which pages of the whole list are located by block. */
export const DEEP_OFFSET = 2_000;
/** Maximum number of index entries read for a page. */
const MOST_ENTRIES = 20_000;
const DAY_MS = 86_400_000;

/** Returns undefined for all other selections. */
export async function findOrdered(
  executor: Executor,
  query: SortedSelection,
  stretch: PageRange,
): Promise<readonly SortPosition[] | undefined> {
  if (!isListed(query) || stretch.after) return undefined;
  const [condition, ...others] = query.conditions;
  if (others.length > 0) return undefined;
  if (!condition) return stretch.offset < DEEP_OFFSET ? undefined : findInAll(executor, query, stretch);
  const keys = keysOfGroup(condition, stretch) ?? keysByExpiry(condition, stretch);
  return keys && positionsOf(executor, keys, stretch);
}

/** Whether the list is unrestricted, excludes archived certificates and is sorted newest first. */
const isListed = ({ text, visible, includeArchived, sort: [only, ...others] }: SortedSelection): boolean =>
  !text &&
  !includeArchived &&
  isUnlimited(visible.raProfiles) &&
  others.length === 0 &&
  only?.field === 'createdAt' &&
  only.direction === 'desc';

async function findInAll(
  executor: Executor,
  query: SortedSelection,
  { offset, limit }: PageRange,
): Promise<readonly SortPosition[]> {
  const block = await findBlock(executor, offset);
  if (!block) return [];
  const after = block.below === undefined ? undefined : [block.below];
  return findPositions(executor, query, { offset: offset - block.passed, limit, after, expected: 'page' });
}

/** Query for identifiers that include all those that the page needs. */
type Keys = RawBuilder<unknown>;

async function positionsOf(
  executor: Executor,
  keys: Keys,
  { offset, limit }: PageRange,
): Promise<readonly SortPosition[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT uuid FROM (${keys}) AS keys ORDER BY uuid DESC LIMIT ${limit}::int OFFSET ${offset}::bigint`.execute(
    executor,
  );
  return rows.map(({ uuid }) => [uuid]);
}

/** Returns the certificates in a group. Group memberships are indexed in list order, and a group name is unique. */
function keysOfGroup(condition: SqlCondition, { offset, limit }: PageRange): Keys | undefined {
  const { field } = condition;
  if (field.source !== 'property' || field.identifier !== 'GROUP_NAME') return undefined;
  if (condition.kind !== 'equals' || condition.negated || condition.values.length > 1) return undefined;
  return sql`
    SELECT m.object_uuid AS uuid FROM group_membership m JOIN certificate c ON c.uuid = m.object_uuid
    WHERE m.group_uuid = (SELECT uuid FROM object_group WHERE name = ${condition.values[0]}::text)
      AND m.object_resource = 'certificates' AND NOT c.archived
    ORDER BY m.object_uuid DESC LIMIT ${limit + offset}::bigint`;
}

/**
 * Reads the newest certificates for each day of expiry (migration 0115-certificates-by-day-of-expiry), unless the range
 * has too many days.
 */
function keysByExpiry(condition: SqlCondition, { offset, limit }: PageRange): Keys | undefined {
  const expiry = expiryIn(condition);
  if (!expiry) return undefined;
  const days = (expiry.to.getTime() - expiry.from.getTime()) / DAY_MS + 2;
  if (days * (limit + offset) > MOST_ENTRIES) return undefined;
  const [from, to] = boundsOf(expiry);
  const day = (instant: RawBuilder<unknown>) => sql`(${instant} AT TIME ZONE 'UTC')::date`;
  return sql`
    SELECT newest.uuid FROM generate_series(${day(from)}::timestamp, ${day(to)}::timestamp, '1 day') AS day CROSS JOIN LATERAL (
      SELECT c.uuid FROM certificate c
      WHERE (c.not_after AT TIME ZONE 'UTC')::date = day.day::date AND NOT c.archived AND c.not_after IS NOT NULL
        AND c.not_after BETWEEN ${from} AND ${to}
      ORDER BY c.uuid DESC LIMIT ${limit + offset}::bigint) AS newest`;
}
