// Statements that keep the counters: moving deltas into them, comparing them with the certificates, building them anew.
import type { Executor } from '../../platform/database/database.ts';
import {
  COUNTED_CERTIFICATES,
  COUNTED_GROUPS,
  countsOf,
  CURRENT_COUNTS,
  CURRENT_DAYS,
  CURRENT_HOURS,
  daysOf,
  hoursOf,
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
  ), days AS (
    INSERT INTO certificate_expiry_day AS kept ${daysOf('taken')}
    ON CONFLICT (day, live, archived) DO UPDATE SET certificates = kept.certificates + EXCLUDED.certificates
  ), hours AS (
    INSERT INTO certificate_expiry_hour AS kept ${hoursOf('taken')}
    ON CONFLICT (hour, archived) DO UPDATE SET certificates = kept.certificates + EXCLUDED.certificates
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

const REMOVE_COUNTERS = `
  WITH counts AS (DELETE FROM certificate_count), days AS (DELETE FROM certificate_expiry_day)
  DELETE FROM certificate_expiry_hour`;

const COUNT_ALL = `
  WITH deltas AS (DELETE FROM certificate_count_delta), group_deltas AS (DELETE FROM certificate_group_delta),
    counted AS MATERIALIZED (${COUNTED_CERTIFICATES}),
    days AS (
      INSERT INTO certificate_expiry_day SELECT day, live, archived, certificates FROM counted WHERE day IS NOT NULL),
    hours AS (INSERT INTO certificate_expiry_hour SELECT hour, archived, certificates FROM counted WHERE hour IS NOT NULL)
  INSERT INTO certificate_count
  SELECT dimension, value, archived, certificates FROM counted WHERE dimension IS NOT NULL
  UNION ALL ${COUNTED_GROUPS}`;

/**
 * Replaces counters and deltas by what is there, under the lock. The statement that counts has one snapshot: what others commit
 * meanwhile is seen with its delta or not at all, and nobody waits.
 */
export async function rebuild(tx: Executor): Promise<void> {
  await run(tx, REMOVE_COUNTERS);
  await run(tx, COUNT_ALL);
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

/** Ends of certificates as further dimensions, so that one comparison serves all kinds of counters. */
const DAY_DIMENSION = `CASE WHEN live THEN 'dayOfLive' ELSE 'dayOfOthers' END, to_char(day, 'YYYY-MM-DD'), archived, certificates`;
const HOUR_DIMENSION = `'hour', to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24'), archived, certificates`;

const COMPARE = `
  WITH certificates AS MATERIALIZED (${COUNTED_CERTIFICATES}),
    counted (dimension, value, archived, certificates) AS (
      SELECT dimension, value, archived, certificates FROM certificates WHERE dimension IS NOT NULL
      UNION ALL SELECT ${DAY_DIMENSION} FROM certificates WHERE day IS NOT NULL
      UNION ALL SELECT ${HOUR_DIMENSION} FROM certificates WHERE hour IS NOT NULL
      UNION ALL ${COUNTED_GROUPS}),
    kept (dimension, value, archived, certificates) AS (
      ${CURRENT_COUNTS}
      UNION ALL SELECT ${DAY_DIMENSION} FROM (${CURRENT_DAYS}) AS days
      UNION ALL SELECT ${HOUR_DIMENSION} FROM (${CURRENT_HOURS}) AS hours),
    both_sides AS (
      SELECT dimension, value, archived, certificates AS kept, 0 AS counted FROM kept
      UNION ALL SELECT dimension, value, archived, 0, certificates FROM counted)
  SELECT dimension, value, archived, sum(kept)::bigint AS kept, sum(counted)::bigint AS counted
  FROM both_sides GROUP BY dimension, value, archived HAVING sum(kept) <> sum(counted)
  ORDER BY dimension, value, archived`;

/** Counts all certificates and answers the counters that differ, in one snapshot. */
export const findWrongCounts = (executor: Executor): Promise<readonly WrongCount[]> => run(executor, COMPARE);
