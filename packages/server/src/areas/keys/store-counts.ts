// Counts key items without scanning them, by adding up rows of `key_item_count`. Triggers update this table with every
// change (migration 0062-keys-counted).
import { sql } from 'kysely';
import { isUnlimited, showsAny } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import { compileFilters, type SqlCondition } from '../../platform/database/filter/compile.ts';
import type { KeyFilter } from './access.ts';
import { isInGroups, isVisibleKey, withoutGroups } from './store-visible.ts';

/** Columns by which items are counted. */
const COLUMNS = sql.raw(
  'token_uuid, token_profile_uuid, owner_uuid, owner_username, type, algorithm, format, length, usages, state',
);

/** Filter fields that the counters support. */
const COUNTED_FIELDS: ReadonlySet<string> = new Set([
  'CKI_TYPE',
  'CKI_FORMAT',
  'CKI_STATE',
  'CKI_CRYPTOGRAPHIC_ALGORITHM',
  'CKI_USAGE',
  'CKI_LENGTH',
  'CK_TOKEN_PROFILE',
  'CK_TOKEN_INSTANCE',
  'CK_OWNER',
]);

export interface Selection {
  readonly conditions: readonly SqlCondition[];
  readonly visible: KeyFilter;
}

/**
 * Returns undefined if a filter uses any other field. Items that are visible only through groups are counted
 * individually, because there are few of them.
 */
export async function countedTotal(executor: Executor, { conditions, visible }: Selection) {
  if (!conditions.every(({ field }) => field.source === 'property' && COUNTED_FIELDS.has(field.identifier)))
    return undefined;
  const filters = compileFilters(conditions);
  const byKind = isVisibleKey(withoutGroups(visible));
  const others =
    isUnlimited(visible.tokens) || !showsAny(visible.groups)
      ? sql`0`
      : sql`(SELECT count(*) FROM key_item i JOIN key k ON k.uuid = i.key_uuid
          WHERE ${filters} AND ${isInGroups(visible)} AND ${byKind} IS NOT TRUE)`;
  // The conditions refer to an item `i` and its key `k`. A counter row has the required columns of both.
  const { rows } = await sql<{ total: number }>`
    SELECT coalesce(sum(i.items), 0)::bigint + ${others} AS total FROM key_item_count AS i
    CROSS JOIN LATERAL (SELECT i.token_uuid, i.token_profile_uuid, i.owner_uuid, i.owner_username) AS k
    WHERE ${filters} AND ${byKind}`.execute(executor);
  return rows[0]?.total ?? 0;
}

export async function countUnmerged(executor: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM key_item_count WHERE NOT added_up`.execute(executor);
  return rows[0]?.count ?? 0;
}

/**
 * Replaces the rows with their sums. This is a single statement, so no intermediate state is visible. If two calls run
 * concurrently, each row is processed by only one of them.
 */
export async function mergeCounts(executor: Executor): Promise<void> {
  await sql`
    WITH taken AS (DELETE FROM key_item_count RETURNING *)
    INSERT INTO key_item_count
    SELECT ${COLUMNS}, sum(items), true FROM taken GROUP BY ${COLUMNS} HAVING sum(items) <> 0`.execute(executor);
}

/** Counter that does not match the items. */
export interface CountMismatch {
  readonly kind: readonly (string | null)[];
  readonly kept: number;
  readonly counted: number;
}

const WRONG = sql`
  SELECT ${COLUMNS}, sum(kept)::bigint AS kept, sum(counted)::bigint AS counted FROM (
    SELECT ${COLUMNS}, items AS kept, 0 AS counted FROM key_item_count
    UNION ALL
    SELECT ${COLUMNS}, 0, 1 FROM key_item i JOIN (
      SELECT uuid AS key_uuid, token_uuid, token_profile_uuid, owner_uuid, owner_username FROM key) AS k USING (key_uuid)
  ) AS both_sides GROUP BY ${COLUMNS} HAVING sum(kept) <> sum(counted)`;

const KIND = sql.raw(
  'ARRAY[token_uuid::text, owner_username, type, algorithm, format, length::text, usages::text, state] AS kind',
);

/** Reads everything from one snapshot. */
export async function findCountMismatches(executor: Executor): Promise<readonly CountMismatch[]> {
  const { rows } = await sql<CountMismatch>`SELECT ${KIND}, kept, counted FROM (${WRONG}) AS wrong`.execute(executor);
  return rows;
}

/**
 * Corrects the counters and returns those that were wrong. Keys can still be changed while this runs; concurrent
 * repairs wait.
 */
export async function repairCounts(tx: Executor): Promise<readonly CountMismatch[]> {
  await sql`LOCK TABLE key_item_count IN SHARE UPDATE EXCLUSIVE MODE`.execute(tx);
  const { rows } = await sql<CountMismatch>`
    WITH wrong AS MATERIALIZED (${WRONG}),
      added AS (INSERT INTO key_item_count SELECT ${COLUMNS}, counted - kept FROM wrong)
    SELECT ${KIND}, kept, counted FROM wrong`.execute(tx);
  return rows;
}
