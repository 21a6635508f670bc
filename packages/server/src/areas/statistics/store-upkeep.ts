// Statements that keep the counters: moving deltas into them, comparing them with the certificates, building them anew.
import type { Executor } from '../../platform/database/database.ts';
import {
  COUNTED_CERTIFICATES,
  COUNTED_GROUPS,
  countsOf,
  CURRENT_COUNTS,
  CURRENT_EXPIRY_COUNTS,
  expiryCountsOf,
} from './counted.ts';
import { run } from './store.ts';

/** Advisory lock of whoever writes counters; the number only has to be the same on every node. */
const LOCK = 7_240_612;

/** Answers false when somebody else writes counters just now. */
export async function tryLock(tx: Executor): Promise<boolean> {
  const [row] = await run<{ locked: boolean }>(tx, 'SELECT pg_try_advisory_xact_lock($1) AS locked', [LOCK]);
  return row?.locked ?? false;
}

/** Waits until nobody else writes counters. */
export async function lock(tx: Executor): Promise<void> {
  await run(tx, 'SELECT pg_advisory_xact_lock($1)', [LOCK]);
}

export async function hasDeltas(executor: Executor): Promise<boolean> {
  const [row] = await run<{ found: boolean }>(
    executor,
    'SELECT EXISTS (SELECT FROM certificate_count_delta) OR EXISTS (SELECT FROM certificate_group_delta) AS found',
  );
  return row?.found ?? false;
}

const take = (table: string): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} LIMIT $1)) RETURNING *`;

const FOLD = `
  WITH taken AS (${take('certificate_count_delta')}), taken_groups AS (${take('certificate_group_delta')}), counts AS (
    INSERT INTO certificate_count AS kept ${countsOf('taken', 'taken_groups')}
    ON CONFLICT (dimension, value, archived) DO UPDATE SET certificates = kept.certificates + EXCLUDED.certificates
  ), expiry_counts AS (
    INSERT INTO certificate_expiry_count AS kept ${expiryCountsOf('taken')}
    ON CONFLICT (hour, live, archived) DO UPDATE SET certificates = kept.certificates + EXCLUDED.certificates
  )
  SELECT (SELECT count(*) FROM taken) AS deltas, (SELECT count(*) FROM taken_groups) AS group_deltas`;

/**
 * Moves up to `limit` deltas of each kind into the counters, under the lock; answers whether there may be more. Deltas that
 * others commit meanwhile are left for the next time.
 */
export async function fold(tx: Executor, limit: number): Promise<boolean> {
  const [row] = await run<{ deltas: number; group_deltas: number }>(tx, FOLD, [limit]);
  return row !== undefined && Math.max(row.deltas, row.group_deltas) === limit;
}

const REBUILD = `
  WITH counts AS (DELETE FROM certificate_count), expiry_counts AS (DELETE FROM certificate_expiry_count),
    deltas AS (DELETE FROM certificate_count_delta), group_deltas AS (DELETE FROM certificate_group_delta),
    counted_groups AS (INSERT INTO certificate_group_delta ${COUNTED_GROUPS})
  INSERT INTO certificate_count_delta ${COUNTED_CERTIFICATES}`;

/**
 * Replaces all counters and deltas by what is there, as deltas to be folded; under the lock. One statement has one snapshot:
 * what others commit meanwhile is seen with its delta or not at all, and nobody waits.
 */
export async function rebuild(tx: Executor): Promise<void> {
  await run(tx, REBUILD);
}

/** A counter that is not what the certificates say. */
export interface WrongCount {
  readonly dimension: string;
  readonly value: string;
  readonly archived: boolean;
  /** What the counter says. */
  readonly kept: number;
  /** How many there are. */
  readonly counted: number;
}

/** Ends of certificates as two dimensions, so that one comparison serves both kinds of counters. */
const asDimension = (expiryCounts: string): string => `
  SELECT CASE WHEN live THEN 'expiryOfLive' ELSE 'expiryOfOthers' END, to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24'), archived, certificates
  FROM (${expiryCounts}) AS expiring`;

const COMPARE = `
  WITH certificates AS MATERIALIZED (${COUNTED_CERTIFICATES}), memberships AS (${COUNTED_GROUPS}),
    kept AS (${CURRENT_COUNTS} UNION ALL ${asDimension(CURRENT_EXPIRY_COUNTS)}),
    counted AS (${countsOf('certificates', 'memberships')} UNION ALL ${asDimension(expiryCountsOf('certificates'))}),
    both_sides AS (
      SELECT dimension, value, archived, certificates AS kept, 0 AS counted FROM kept
      UNION ALL SELECT dimension, value, archived, 0, certificates FROM counted)
  SELECT dimension, value, archived, sum(kept)::bigint AS kept, sum(counted)::bigint AS counted
  FROM both_sides GROUP BY dimension, value, archived HAVING sum(kept) <> sum(counted)
  ORDER BY dimension, value, archived`;

/** Counts all certificates and answers the counters that differ, in one snapshot. */
export const findWrongCounts = (executor: Executor): Promise<readonly WrongCount[]> => run(executor, COMPARE);
