// Where counts come from: the counters for those who may list every certificate. For others the certificates of the RA
// profiles that their rights name are counted one by one: alone where these are all that they may list, taken off the
// counters where these are hidden from them. The statement that reads them is one snapshot, so both are exact.
import type { ObjectFilter } from '../../kernel/actor.ts';
import { isUnlimited } from '../../kernel/actor.ts';
import { countedCertificates, countedGroups, CURRENT_COUNTS, CURRENT_DAYS, WITH_UNFOLDED } from './store-counted.ts';

/** Text of SQL. `$1` says whether archived certificates count. */
export interface CountSource {
  /** Begins the statement: its first common table expressions. */
  readonly head: string;
  /** Rows of dimension, value, archived, certificates. */
  readonly counts: string;
  /** Rows of day, live, archived, certificates. */
  readonly days: string;
  /** Rows of reached, certificates: how many of the bounds `$2` the ends have reached. */
  readonly ends: string;
  /** Further common table expressions that `ends` needs. */
  readonly endsHead: string;
}

/** In the archive or not, as `$1` says. */
export const SHOWN = '($1 OR NOT archived)';

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
 * Whole days by their counters, the days that a bound lies in by the hour, the hours that a bound lies in one by one.
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

const ENDS_HEAD = `, split_hour AS (
      SELECT DISTINCT date_trunc('hour', bound, 'UTC') AS first, date_trunc('hour', bound, 'UTC') + interval '1 hour' AS next
      FROM unnest($2::timestamptz[]) AS bound),
    split_day AS (
      SELECT DISTINCT date_trunc('day', first, 'UTC') AS first, date_trunc('day', first, 'UTC') + interval '1 day' AS next
      FROM split_hour)`;

const COUNTERS: CountSource = {
  head: WITH_UNFOLDED,
  counts: CURRENT_COUNTS,
  days: CURRENT_DAYS,
  ends: ENDS,
  endsHead: ENDS_HEAD,
};

/** The certificates of the RA profiles `named`; `sign` is `-` where they are to be taken off. */
function named(parameter: string, sign: '' | '-') {
  const where = (table: string) => `${table}.ra_profile_uuid = ANY (${parameter}::uuid[])`;
  return {
    expression: `named AS MATERIALIZED (${countedCertificates(where('certificate'))})`,
    counts: `
      SELECT dimension, value, archived, ${sign}certificates FROM named WHERE dimension IS NOT NULL
      UNION ALL SELECT dimension, value, archived, ${sign}certificates FROM (${countedGroups(where('c'))}) AS named_groups`,
    days: `SELECT day, live, archived, ${sign}certificates FROM named WHERE day IS NOT NULL`,
    ends: `
      SELECT width_bucket(not_after, $2::timestamptz[]) AS reached, ${sign}count(*) AS certificates
      FROM certificate WHERE not_after IS NOT NULL AND ${SHOWN} AND ${where('certificate')} GROUP BY 1`,
  };
}

export interface SourceChoice {
  readonly source: CountSource;
  /** Values of the parameters from `$n` on, where the statement has `n - 1` of its own. */
  readonly values: readonly unknown[];
  /** Does reading take as long as there are certificates to count? */
  readonly counts: boolean;
}

/** Where the counts of the certificates of these RA profiles come from. */
export function chooseSource(raProfiles: ObjectFilter, parameters: number): SourceChoice {
  if (isUnlimited(raProfiles)) return { source: COUNTERS, values: [], counts: false };
  const parameter = `$${parameters}`;
  if (raProfiles.kind === 'only') {
    const { expression, ...parts } = named(parameter, '');
    const source = { head: `WITH ${expression}`, endsHead: '', ...parts };
    return { source, values: [[...raProfiles.uuids]], counts: raProfiles.uuids.size > 0 };
  }
  const hidden = named(parameter, '-');
  const source = {
    head: `${COUNTERS.head}, ${hidden.expression}`,
    counts: `${COUNTERS.counts} UNION ALL ${hidden.counts}`,
    days: `${COUNTERS.days} UNION ALL ${hidden.days}`,
    ends: `${COUNTERS.ends} UNION ALL ${hidden.ends}`,
    endsHead: COUNTERS.endsHead,
  };
  return { source, values: [[...raProfiles.except]], counts: true };
}
