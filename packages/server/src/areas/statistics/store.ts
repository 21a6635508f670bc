// Queries that read statistics. Each of them is a single statement, so that counters, deltas and certificates come from
// the same snapshot. Group and RA profile names are joined from tables that this area never writes.
import { CompiledQuery } from 'kysely';
import type { ObjectFilter } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import { chooseSource, SHOWN, type CountSource } from './store-sources.ts';
import type { Dimension } from './store-counted.ts';

/** Runs one of this area's statements; `Row` is the type of its result rows. */
export async function run<Row>(
  executor: Executor,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const { rows } = await executor.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}

/**
 * `expiry`: the value is the number of bounds that the certificate's expiry has reached. `all`: number of objects by
 * kind. `connector` and `raProfileStatus`: number of these objects by status.
 */
export interface Count {
  readonly dimension: Dimension | 'expiry' | 'all' | 'connector' | 'raProfileStatus';
  /** Value of the dimension; empty if there is none. For groups and RA profiles, the name. */
  readonly value: string;
  readonly count: number;
}

/** RA profiles whose certificates are counted. */
interface Counted {
  readonly raProfiles: ObjectFilter;
  readonly includeArchived: boolean;
}

/** Objects that can be named and counted. An RA profile is included only if its authority can also be listed. */
export interface ListedObjects {
  readonly groups: ObjectFilter;
  readonly raProfiles: ObjectFilter;
  readonly authorities: ObjectFilter;
  readonly connectors: ObjectFilter;
  readonly credentials: ObjectFilter;
}

export interface DashboardQuery extends Counted {
  /** Expiry bounds in ascending order. A bound is reached if the expiry is not before it. */
  readonly bounds: readonly Date[];
  readonly listed: ListedObjects;
}

/** Omits names that the caller cannot see, along with their counts. */
const dashboard = (source: CountSource, listed: ListedObjects): string => {
  const { groups, raProfiles, authorities, connectors, credentials } = listed;
  const groupListed = isShown('g.uuid', groups, '$3');
  const raProfileListed = `${isShown('p.uuid', raProfiles, '$4')} AND ${isShown('p.authority_uuid', authorities, '$5')}`;
  return `
  ${source.head}${source.endsHead},
    counted AS (
      SELECT dimension, value, sum(certificates)::bigint AS count FROM (${source.counts}) AS current
      WHERE ${SHOWN} AND dimension <> 'issuedOn' GROUP BY dimension, value HAVING sum(certificates) <> 0)
  SELECT dimension, CASE dimension WHEN 'raProfile' THEN coalesce(p.name, '') WHEN 'group' THEN coalesce(g.name, '') ELSE value END AS value, count
  FROM counted
  LEFT JOIN ra_profile p ON dimension = 'raProfile' AND p.uuid::text = value
  LEFT JOIN object_group g ON dimension = 'group' AND g.uuid::text = value
  WHERE (p.uuid IS NULL OR ${raProfileListed}) AND (g.uuid IS NULL OR ${groupListed})
  UNION ALL
  SELECT 'expiry', reached::text, sum(certificates)::bigint FROM (${source.ends}) AS ends
  GROUP BY reached HAVING sum(certificates) <> 0
  UNION ALL
  SELECT 'all', 'groups', count(*) FROM object_group g WHERE ${groupListed}
  UNION ALL
  SELECT 'all', 'authorities', count(*) FROM authority a WHERE ${isShown('a.uuid', authorities, '$5')}
  UNION ALL
  SELECT 'all', 'credentials', count(*) FROM credential c WHERE ${isShown('c.uuid', credentials, '$7')}
  UNION ALL
  SELECT 'connector', status, count(*) FROM connector c WHERE ${isShown('c.uuid', connectors, '$6')} GROUP BY status
  UNION ALL
  SELECT 'raProfileStatus', CASE WHEN enabled THEN 'enabled' ELSE 'disabled' END, count(*)
  FROM ra_profile p WHERE NOT internal AND ${raProfileListed} GROUP BY enabled`;
};

/** The condition uses the parameter in both cases. */
const isShown = (column: string, filter: ObjectFilter, parameter: string): string =>
  filter.kind === 'only'
    ? `coalesce(${column} = ANY (${parameter}::uuid[]), false)`
    : `(${column} IS NULL OR ${column} <> ALL (${parameter}::uuid[]))`;

const named = (filter: ObjectFilter): readonly string[] => [...(filter.kind === 'only' ? filter.uuids : filter.except)];

/** Returns all counts for the dashboard. */
export function countAll(executor: Executor, query: DashboardQuery): Promise<readonly Count[]> {
  const { includeArchived, bounds, listed } = query;
  const { source, values } = chooseSource(query.raProfiles, 8);
  const { groups, raProfiles, authorities, connectors, credentials } = listed;
  const objects = [groups, raProfiles, authorities, connectors, credentials].map(named);
  return run(executor, dashboard(source, listed), [includeArchived, bounds, ...objects, ...values]);
}

const byDimension = (source: CountSource): string => `
  ${source.head}
  SELECT dimension, value, sum(certificates)::bigint AS count FROM (${source.counts}) AS current
  WHERE ${SHOWN} AND dimension = ANY ($2) GROUP BY dimension, value HAVING sum(certificates) <> 0`;

export function countBy(
  executor: Executor,
  { includeArchived, raProfiles, dimensions }: Counted & { readonly dimensions: readonly Dimension[] },
): Promise<readonly Count[]> {
  const { source, values } = chooseSource(raProfiles, 3);
  return run(executor, byDimension(source), [includeArchived, dimensions, ...values]);
}

/** Number of certificates in one step of a series. Step numbers start at 0. */
export interface StepCount {
  readonly step: number;
  readonly count: number;
}

export interface SeriesQuery extends Counted {
  /** Start of the first step, which is midnight UTC. */
  readonly from: Date;
  readonly steps: number;
  readonly daysPerStep: number;
}

function countSteps(
  executor: Executor,
  text: (source: CountSource) => string,
  { includeArchived, raProfiles, from, steps, daysPerStep }: SeriesQuery,
): Promise<readonly StepCount[]> {
  const { source, values } = chooseSource(raProfiles, 5);
  return run(executor, text(source), [includeArchived, from, steps, daysPerStep, ...values]);
}

const issued = (source: CountSource): string => `
  ${source.head}, series AS (SELECT ($2::timestamptz AT TIME ZONE 'UTC')::date AS first_day)
  SELECT (value::date - first_day) / $4::int AS step, sum(certificates)::bigint AS count
  FROM (${source.counts}) AS current, series
  WHERE ${SHOWN} AND dimension = 'issuedOn' AND value >= to_char(first_day, 'YYYY-MM-DD')
    AND value < to_char(first_day + $3::int * $4::int, 'YYYY-MM-DD')
  GROUP BY step`;

/** Counts certificates by the time at which the platform issued them. */
export const countIssued = (executor: Executor, query: SeriesQuery): Promise<readonly StepCount[]> =>
  countSteps(executor, issued, query);

const expiring = (source: CountSource): string => `
  ${source.head}, series AS (SELECT ($2::timestamptz AT TIME ZONE 'UTC')::date AS first_day)
  SELECT (day - first_day) / $4::int AS step, sum(certificates)::bigint AS count
  FROM (${source.days}) AS days, series
  WHERE ${SHOWN} AND live AND day >= first_day AND day < first_day + $3::int * $4::int
  GROUP BY step`;

/** Counts certificates in the state `issued` by expiry. */
export const countExpiring = (executor: Executor, query: SeriesQuery): Promise<readonly StepCount[]> =>
  countSteps(executor, expiring, query);
