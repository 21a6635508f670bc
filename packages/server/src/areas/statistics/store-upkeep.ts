// Statements that maintain the counters: applying deltas, comparing counters with the certificates, and rebuilding
// them.
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.ts';
import type { Executor } from '../../platform/database/database.ts';
import {
  COUNTED_CERTIFICATES,
  COUNTED_GROUPS,
  countedDeltas,
  countedGroupDeltas,
  CURRENT_COUNTS,
  CURRENT_DAYS,
  CURRENT_HOURS,
  WITH_UNFOLDED,
} from './store-counted.ts';
import { run } from './store.ts';

/** Tries to acquire the lock on the counters. Returns false if another transaction is currently writing counters. */
export async function tryLock(tx: Executor): Promise<boolean> {
  const [row] = await run<{ locked: boolean }>(tx, 'SELECT pg_try_advisory_xact_lock($1) AS locked', [
    ADVISORY_LOCKS.counters,
  ]);
  return row?.locked ?? false;
}

/** Acquires the lock on the counters, after waiting for other transactions that are writing them. */
export async function lock(tx: Executor): Promise<void> {
  await run(tx, 'SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.counters]);
}

export async function hasDeltas(executor: Executor): Promise<boolean> {
  const [row] = await run<{ found: boolean }>(
    executor,
    'SELECT EXISTS (SELECT FROM certificate_count_delta) OR EXISTS (SELECT FROM certificate_group_delta) AS found',
  );
  return row?.found ?? false;
}

const claimStatement = (table: string): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} LIMIT $1)) RETURNING *`;

const COUNTS = 'SELECT dimension, value, archived, certificates FROM counted WHERE dimension IS NOT NULL';
const DAYS = 'SELECT day, live, archived, certificates FROM counted WHERE day IS NOT NULL';
const HOURS = 'SELECT hour, archived, certificates FROM counted WHERE hour IS NOT NULL';
const ADDED = 'DO UPDATE SET certificates = kept.certificates + EXCLUDED.certificates';

const FOLD = `
  WITH taken AS (${claimStatement('certificate_count_delta')}), taken_groups AS (${claimStatement('certificate_group_delta')}),
    counted AS MATERIALIZED (${countedDeltas('taken')}),
    counts AS (
      INSERT INTO certificate_count AS kept ${COUNTS} UNION ALL ${countedGroupDeltas('taken_groups')}
      ON CONFLICT (dimension, value, archived) ${ADDED}),
    days AS (INSERT INTO certificate_expiry_day AS kept ${DAYS} ON CONFLICT (day, live, archived) ${ADDED}),
    hours AS (INSERT INTO certificate_expiry_hour AS kept ${HOURS} ON CONFLICT (hour, archived) ${ADDED})
  SELECT (SELECT count(*) FROM taken) AS deltas, (SELECT count(*) FROM taken_groups) AS group_deltas`;

/**
 * While holding the lock, applies up to `limit` deltas of each kind to the counters; returns whether there may be more.
 * Deltas that are committed concurrently are left for the next call.
 */
export async function fold(tx: Executor, limit: number): Promise<boolean> {
  const [row] = await run<{ deltas: number; group_deltas: number }>(tx, FOLD, [limit]);
  return row !== undefined && Math.max(row.deltas, row.group_deltas) === limit;
}

/** Counter that does not match the certificates. */
export interface CountMismatch {
  readonly dimension: string;
  readonly value: string;
  readonly archived: boolean;
  /** Value of the counter in the table. */
  readonly kept: number;
  /** Actual number of certificates. */
  readonly counted: number;
}

/** Treats expiry counters as additional dimensions, so that a single comparison covers all kinds of counters. */
const DAY_DIMENSION = `CASE WHEN live THEN 'dayOfLive' ELSE 'dayOfOthers' END, to_char(day, 'YYYY-MM-DD'), archived, certificates`;
const HOUR_DIMENSION = `'hour', to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24'), archived, certificates`;

/** Counts all certificates and compares the result with the counters. */
const COMPARED = `
  ${WITH_UNFOLDED}, counted AS MATERIALIZED (${COUNTED_CERTIFICATES}),
    counts AS MATERIALIZED (${COUNTS} UNION ALL ${COUNTED_GROUPS}), days AS (${DAYS}), hours AS (${HOURS}),
    both_sides (dimension, value, archived, kept, counted) AS (
      SELECT *, 0 FROM (
        ${CURRENT_COUNTS}
        UNION ALL SELECT ${DAY_DIMENSION} FROM (${CURRENT_DAYS}) AS current
        UNION ALL SELECT ${HOUR_DIMENSION} FROM (${CURRENT_HOURS}) AS current) AS kept
      UNION ALL SELECT dimension, value, archived, 0, certificates FROM (
        SELECT * FROM counts
        UNION ALL SELECT ${DAY_DIMENSION} FROM days
        UNION ALL SELECT ${HOUR_DIMENSION} FROM hours) AS counted),
    wrong AS (
      SELECT dimension, value, archived, sum(kept)::bigint AS kept, sum(counted)::bigint AS counted
      FROM both_sides GROUP BY dimension, value, archived HAVING sum(kept) <> sum(counted))`;

const WRONG = 'SELECT * FROM wrong ORDER BY dimension, value, archived';

/** Counts all certificates and returns the counters that differ, in a single snapshot. */
export const findCountMismatches = (executor: Executor): Promise<readonly CountMismatch[]> =>
  run(executor, `${COMPARED} ${WRONG}`);

/** Replaces the contents of a counter table with `rows`. */
const replaceStatement = (table: string, rows: string, key: readonly string[]): string => `
  ${rows}_gone AS (
    DELETE FROM ${table} AS kept WHERE NOT EXISTS (
      SELECT FROM ${rows} AS fresh WHERE ${key.map((column) => `fresh.${column} = kept.${column}`).join(' AND ')})),
  ${rows}_kept AS (
    INSERT INTO ${table} SELECT * FROM ${rows} ON CONFLICT (${key.join(', ')}) DO UPDATE SET certificates = EXCLUDED.certificates)`;

const REBUILD = `
  ${COMPARED},
  deltas AS (DELETE FROM certificate_count_delta), group_deltas AS (DELETE FROM certificate_group_delta),
  ${replaceStatement('certificate_count', 'counts', ['dimension', 'value', 'archived'])},
  ${replaceStatement('certificate_expiry_day', 'days', ['day', 'live', 'archived'])},
  ${replaceStatement('certificate_expiry_hour', 'hours', ['hour', 'archived'])}
  ${WRONG}`;

/**
 * While holding the lock, rebuilds the counters from the certificates and discards the deltas; returns the counters
 * that were wrong. A statement reads a single snapshot, so a concurrent commit is visible either together with its
 * delta or not at all, and no transaction has to wait.
 */
export const rebuild = (tx: Executor): Promise<readonly CountMismatch[]> => run(tx, REBUILD);
