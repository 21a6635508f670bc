// Reads of the statistics. Each is one statement, so that counters, deltas and certificates are of one snapshot. Names of groups
// and RA profiles are joined, never written here.
import { CompiledQuery } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { CURRENT_COUNTS, CURRENT_DAYS, WITH_UNFOLDED, type Dimension } from './counted.ts';

/** Runs a statement of this area; `Row` is what its select list says. */
export async function run<Row>(
  executor: Executor,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const { rows } = await executor.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}

/** `expiry`: the value is the number of bounds that the end of the certificate has reached. `all`: objects by their kind. */
export interface Count {
  readonly dimension: Dimension | 'expiry' | 'all';
  /** Empty for none; the name of groups and RA profiles. */
  readonly value: string;
  readonly count: number;
}

/** In the archive or not, as `$1` says. */
const SHOWN = '($1 OR NOT archived)';

/** A lateral look-up leaves the planner no choice but the index. */
const reachedIn = (
  split: string,
  table: string,
  facts: { readonly end: string; readonly count: string; readonly where: string },
): string => `
  SELECT counted.reached, counted.certificates
  FROM ${split} CROSS JOIN LATERAL (
    SELECT width_bucket(${facts.end}, $2::timestamptz[]) AS reached, ${facts.count} AS certificates
    FROM ${table} WHERE ${facts.end} >= ${split}.first AND ${facts.end} < ${split}.next AND ${facts.where}
    GROUP BY 1) AS counted`;

/**
 * How many bounds the ends have reached: whole days by their counters, the days that a bound lies in by the hour, the hours that a
 * bound lies in one by one.
 */
const ENDS = `
  SELECT width_bucket(day::timestamp AT TIME ZONE 'UTC', $2::timestamptz[]) AS reached, certificates
  FROM certificate_expiry_day WHERE ${SHOWN} AND day NOT IN (SELECT (first AT TIME ZONE 'UTC')::date FROM split_day)
  UNION ALL ${reachedIn('split_day', 'certificate_expiry_hour', {
    end: 'hour',
    count: 'sum(certificates)',
    where: `${SHOWN} AND hour NOT IN (SELECT first FROM split_hour)`,
  })}
  UNION ALL
  SELECT width_bucket(hour, $2::timestamptz[]), certificates
  FROM unfolded WHERE hour IS NOT NULL AND ${SHOWN} AND hour NOT IN (SELECT first FROM split_hour)
  UNION ALL ${reachedIn('split_hour', 'certificate', { end: 'not_after', count: 'count(*)', where: 'NOT archived' })}
  UNION ALL ${reachedIn('split_hour', 'certificate', { end: 'not_after', count: 'count(*)', where: 'archived AND $1' })}`;

const DASHBOARD = `
  ${WITH_UNFOLDED}, split_hour AS (
      SELECT DISTINCT date_trunc('hour', bound, 'UTC') AS first, date_trunc('hour', bound, 'UTC') + interval '1 hour' AS next
      FROM unnest($2::timestamptz[]) AS bound),
    split_day AS (
      SELECT DISTINCT date_trunc('day', first, 'UTC') AS first, date_trunc('day', first, 'UTC') + interval '1 day' AS next
      FROM split_hour),
    counted AS (
      SELECT dimension, value, sum(certificates)::bigint AS count FROM (${CURRENT_COUNTS}) AS current
      WHERE ${SHOWN} AND dimension <> 'issuedOn' GROUP BY dimension, value HAVING sum(certificates) <> 0)
  SELECT dimension, CASE dimension WHEN 'raProfile' THEN coalesce(p.name, '') WHEN 'group' THEN coalesce(g.name, '') ELSE value END AS value, count
  FROM counted
  LEFT JOIN ra_profile p ON dimension = 'raProfile' AND p.uuid::text = value
  LEFT JOIN object_group g ON dimension = 'group' AND g.uuid::text = value
  UNION ALL
  SELECT 'expiry', reached::text, sum(certificates)::bigint FROM (${ENDS}) AS ends
  GROUP BY reached HAVING sum(certificates) <> 0
  UNION ALL
  SELECT 'all', 'groups', count(*) FROM object_group
  UNION ALL
  SELECT 'all', 'raProfiles', count(*) FROM ra_profile`;

/** Everything of the dashboard. `bounds` of ends in their order: one is reached when the end is not before it. */
export const countAll = (
  executor: Executor,
  { includeArchived, bounds }: { readonly includeArchived: boolean; readonly bounds: readonly Date[] },
): Promise<readonly Count[]> => run(executor, DASHBOARD, [includeArchived, bounds]);

const BY_DIMENSION = `
  ${WITH_UNFOLDED}
  SELECT dimension, value, sum(certificates)::bigint AS count FROM (${CURRENT_COUNTS}) AS current
  WHERE ${SHOWN} AND dimension = ANY ($2) GROUP BY dimension, value HAVING sum(certificates) <> 0`;

export const countBy = (
  executor: Executor,
  { includeArchived, dimensions }: { readonly includeArchived: boolean; readonly dimensions: readonly Dimension[] },
): Promise<readonly Count[]> => run(executor, BY_DIMENSION, [includeArchived, dimensions]);

/** Certificates in one step of a series, which begin with 0. */
export interface StepCount {
  readonly step: number;
  readonly count: number;
}

export interface SeriesQuery {
  readonly includeArchived: boolean;
  /** Begin of the first step, a midnight of UTC. */
  readonly from: Date;
  readonly steps: number;
  readonly daysPerStep: number;
}

const seriesValues = ({ includeArchived, from, steps, daysPerStep }: SeriesQuery) => [
  includeArchived,
  from,
  steps,
  daysPerStep,
];

const ISSUED = `
  ${WITH_UNFOLDED}, series AS (SELECT ($2::timestamptz AT TIME ZONE 'UTC')::date AS first_day)
  SELECT (value::date - first_day) / $4::int AS step, sum(certificates)::bigint AS count
  FROM (${CURRENT_COUNTS}) AS current, series
  WHERE ${SHOWN} AND dimension = 'issuedOn' AND value >= to_char(first_day, 'YYYY-MM-DD')
    AND value < to_char(first_day + $3::int * $4::int, 'YYYY-MM-DD')
  GROUP BY step`;

/** Certificates by the time when the platform issued them. */
export const countIssued = (executor: Executor, query: SeriesQuery): Promise<readonly StepCount[]> =>
  run(executor, ISSUED, seriesValues(query));

const EXPIRING = `
  ${WITH_UNFOLDED}, series AS (SELECT ($2::timestamptz AT TIME ZONE 'UTC')::date AS first_day)
  SELECT (day - first_day) / $4::int AS step, sum(certificates)::bigint AS count
  FROM (${CURRENT_DAYS}) AS days, series
  WHERE ${SHOWN} AND live AND day >= first_day AND day < first_day + $3::int * $4::int
  GROUP BY step`;

/** Certificates in state issued by the time of their end. */
export const countExpiring = (executor: Executor, query: SeriesQuery): Promise<readonly StepCount[]> =>
  run(executor, EXPIRING, seriesValues(query));
