// Sources of counts. Callers who can list every certificate get the counters. For all other callers, the certificates
// under the RA profiles named in their permissions are counted individually: if only these certificates are visible,
// the result is used directly; if they are hidden, it is subtracted from the counters. Each statement reads a single
// snapshot, so both results are exact.
import type { ObjectFilter } from '../../kernel/actor.ts';
import { isUnlimited } from '../../kernel/actor.ts';
import { countedCertificates, countedGroups, CURRENT_COUNTS, CURRENT_DAYS, WITH_UNFOLDED } from './store-counted.ts';

/** SQL text. `$1` specifies whether archived certificates are counted. */
export interface CountSource {
  /** Start of the statement, with its first common table expressions. */
  readonly head: string;
  /** Rows with the columns dimension, value, archived and certificates. */
  readonly counts: string;
  /** Rows with the columns day, live, archived and certificates. */
  readonly days: string;
  /**
   * Rows with the columns reached and certificates; `reached` is the number of bounds in `$2` that the expiry has
   * reached.
   */
  readonly ends: string;
  /** Additional common table expressions that `ends` uses. */
  readonly endsHead: string;
}

/** Includes archived certificates only if `$1` is true. */
export const SHOWN = '($1 OR NOT archived)';

/** The lateral join forces the planner to use the index. */
const reachedStatement = (
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
 * Whole days are read from their counters. Days that contain a bound are counted by hour, and hours that contain a
 * bound are counted certificate by certificate.
 */
const ENDS = `
  SELECT width_bucket(day::timestamp AT TIME ZONE 'UTC', $2::timestamptz[]) AS reached, certificates
  FROM certificate_expiry_day WHERE ${SHOWN} AND day NOT IN (SELECT (first AT TIME ZONE 'UTC')::date FROM split_day)
  UNION ALL ${reachedStatement('split_day', 'certificate_expiry_hour', {
    end: 'hour',
    count: 'sum(certificates)',
    where: `${SHOWN} AND hour NOT IN (SELECT first FROM split_hour)`,
  })}
  UNION ALL
  SELECT width_bucket(hour, $2::timestamptz[]), certificates
  FROM unfolded WHERE hour IS NOT NULL AND ${SHOWN} AND hour NOT IN (SELECT first FROM split_hour)
  UNION ALL ${reachedStatement('split_hour', 'certificate', { end: 'not_after', count: 'count(*)', where: 'NOT archived' })}
  UNION ALL ${reachedStatement('split_hour', 'certificate', { end: 'not_after', count: 'count(*)', where: 'archived AND $1' })}`;

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

/** Counts the certificates under the given RA profiles. `sign` is `-` if the counts are to be subtracted. */
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
  /** Parameter values starting with `$n`, for a statement that has `n - 1` parameters of its own. */
  readonly values: readonly unknown[];
  /** Whether the time for reading is proportional to the number of certificates counted. */
  readonly counts: boolean;
}

/** Returns the source of the certificate counts for these RA profiles. */
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
