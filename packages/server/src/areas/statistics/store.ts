// Reads of the statistics. Each is one statement, so that counters, deltas and certificates are of one snapshot. Names
// of groups and RA profiles are joined, never written here.
import { CompiledQuery } from 'kysely';
import type { ObjectFilter } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import { chooseSource, SHOWN, type CountSource } from './store-sources.ts';
import type { Dimension } from './store-counted.ts';

/** Runs a statement of this area; `Row` is what its select list says. */
export async function run<Row>(
  executor: Executor,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const { rows } = await executor.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}

/**
 * `expiry`: the value is the number of bounds that the end of the certificate has reached. `all`: objects by their
 * kind. `connector` and `raProfileStatus`: these objects by their status.
 */
export interface Count {
  readonly dimension: Dimension | 'expiry' | 'all' | 'connector' | 'raProfileStatus';
  /** Empty for none; the name of groups and RA profiles. */
  readonly value: string;
  readonly count: number;
}

/** RA profiles whose certificates are counted. */
interface Counted {
  readonly raProfiles: ObjectFilter;
  readonly includeArchived: boolean;
}

/** Objects that may be named and counted; an RA profile is listed by those who may list its authority too. */
export interface ListedObjects {
  readonly groups: ObjectFilter;
  readonly raProfiles: ObjectFilter;
  readonly authorities: ObjectFilter;
  readonly connectors: ObjectFilter;
  readonly credentials: ObjectFilter;
}

export interface DashboardQuery extends Counted {
  /** Of ends, in their order: one is reached when the end is not before it. */
  readonly bounds: readonly Date[];
  readonly listed: ListedObjects;
}

/** Names that the caller may not see are left out with their counts. */
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

/** The text uses the parameter in either case. */
const isShown = (column: string, filter: ObjectFilter, parameter: string): string =>
  filter.kind === 'only'
    ? `coalesce(${column} = ANY (${parameter}::uuid[]), false)`
    : `(${column} IS NULL OR ${column} <> ALL (${parameter}::uuid[]))`;

const named = (filter: ObjectFilter): readonly string[] => [...(filter.kind === 'only' ? filter.uuids : filter.except)];

/** Everything of the dashboard. */
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

/** Certificates in one step of a series, which begin with 0. */
export interface StepCount {
  readonly step: number;
  readonly count: number;
}

export interface SeriesQuery extends Counted {
  /** Beginning of the first step, a midnight in UTC. */
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

/** Certificates by the time when the platform issued them. */
export const countIssued = (executor: Executor, query: SeriesQuery): Promise<readonly StepCount[]> =>
  countSteps(executor, issued, query);

const expiring = (source: CountSource): string => `
  ${source.head}, series AS (SELECT ($2::timestamptz AT TIME ZONE 'UTC')::date AS first_day)
  SELECT (day - first_day) / $4::int AS step, sum(certificates)::bigint AS count
  FROM (${source.days}) AS days, series
  WHERE ${SHOWN} AND live AND day >= first_day AND day < first_day + $3::int * $4::int
  GROUP BY step`;

/** Certificates in state issued by the time of their end. */
export const countExpiring = (executor: Executor, query: SeriesQuery): Promise<readonly StepCount[]> =>
  countSteps(executor, expiring, query);
