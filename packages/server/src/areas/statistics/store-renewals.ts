// Determines whether expired certificates were renewed. `c` is the expired certificate, and `s` is a possible renewal.
import { RENEWAL_STEP_DAYS, type RenewalOutcome } from '@signetry/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { isCounted, type Counted } from './store-composition.ts';

export interface EndedQuery extends Counted {
  /** Earliest expiry, inclusive. */
  readonly from: Date;
  /** Latest expiry, exclusive. */
  readonly until: Date;
}

/** This must match the expression that migration 0052-certificates-by-names indexes. */
const namesOf = (table: 's' | 'c'): RawBuilder<string> =>
  sql`hashtextextended(${sql.ref(`${table}.subject_dn_normalized`)} || ' ' || ${sql.ref(`${table}.subject_alternative_names`)}::text, 0)`;

/**
 * Time at which the first renewal became valid. A renewal is a certificate that was issued to replace this one, or a
 * certificate with the same names that expires later.
 */
const firstRenewal = sql`
  SELECT min(not_before) AS renewed_at FROM (
    SELECT s.not_before FROM certificate_relation r JOIN certificate s ON s.uuid = r.successor_uuid
    WHERE r.predecessor_uuid = c.uuid AND s.state <> 'failed'
    UNION ALL (
      SELECT s.not_before FROM certificate s
      WHERE ${namesOf('s')} = ${namesOf('c')} AND s.not_before > c.not_before AND s.not_after > c.not_after
        AND s.subject_dn_normalized = c.subject_dn_normalized
        AND s.subject_alternative_names = c.subject_alternative_names
        AND (c.subject_dn_normalized <> '' OR c.subject_alternative_names <> '{}')
        AND s.state <> 'failed'
      ORDER BY s.not_before LIMIT 1)) AS renewals`;

const ended = ({ from, until, ...counted }: EndedQuery) => sql`
  SELECT c.uuid, c.common_name, c.subject_alternative_names, c.subject_dn, c.not_after, renewal.renewed_at,
    CASE WHEN renewal.renewed_at IS NULL THEN 'never' WHEN renewal.renewed_at <= c.not_after THEN 'inTime' ELSE 'late' END AS outcome
  FROM certificate c CROSS JOIN LATERAL (${firstRenewal}) AS renewal
  WHERE c.shown_state = 'issued' AND c.not_after >= ${from} AND c.not_after < ${until} AND ${isCounted(counted)}`;

export interface RenewalCount {
  readonly step: number;
  readonly outcome: RenewalOutcome;
  readonly certificates: number;
}

export async function countRenewals(executor: Executor, query: EndedQuery): Promise<readonly RenewalCount[]> {
  const { rows } = await sql<RenewalCount>`
    SELECT floor(extract(epoch FROM not_after - ${query.from}::timestamptz) / ${RENEWAL_STEP_DAYS * 86_400}::int)::int AS step,
      outcome, count(*) AS certificates
    FROM (${ended(query)}) AS ended GROUP BY step, outcome`.execute(executor);
  return rows;
}

export interface EndedRow {
  readonly uuid: string;
  readonly common_name: string;
  readonly alternative_name: string | null;
  readonly subject_dn: string;
  readonly not_after: Date;
  readonly outcome: RenewalOutcome;
  readonly renewed_at: Date | null;
}

export interface EndedPage extends EndedQuery {
  readonly outcome?: RenewalOutcome | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Returns expired certificates, starting with the latest expiry. */
export async function findEnded(executor: Executor, page: EndedPage): Promise<readonly EndedRow[]> {
  const wanted = page.outcome === undefined ? sql`true` : sql`outcome = ${page.outcome}`;
  const { rows } = await sql<EndedRow>`
    SELECT uuid, common_name, subject_dn, not_after, outcome, renewed_at,
      CASE WHEN common_name = '' THEN coalesce(
        subject_alternative_names -> 'dNSName' ->> 0, subject_alternative_names -> 'iPAddress' ->> 0,
        subject_alternative_names -> 'rfc822Name' ->> 0) END AS alternative_name
    FROM (${ended(page)}) AS ended WHERE ${wanted}
    ORDER BY not_after DESC, uuid DESC LIMIT ${page.limit} OFFSET ${page.offset}`.execute(executor);
  return rows;
}
