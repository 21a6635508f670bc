// Finds the certificates that have reached a threshold and records them, many per statement. `c` is the certificate.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { isSucceeded } from '../certificates/index.ts';

export interface ReachedQuery {
  readonly now: Date;
  /** Thresholds that apply if neither the RA profile nor a group has any. */
  readonly platformDays: readonly number[];
  /** The longest of all thresholds, in days. */
  readonly longestDays: number;
  /** Position after the previous batch; batches are sorted by expiry. */
  readonly after: ReachedPosition | undefined;
  readonly limit: number;
}

export interface ReachedPosition {
  readonly not_after: Date;
  readonly certificate_uuid: string;
}

export interface ReachedRow extends ReachedPosition {
  /** Whether this call recorded the threshold; otherwise, another node had already done so. */
  readonly is_new: boolean;
  readonly days: number;
  readonly fingerprint: string;
  readonly serial_number: string;
  readonly subject_dn: string;
  readonly issuer_dn: string;
  readonly not_before: Date;
  readonly authority_uuid: string | null;
  readonly ra_profile_uuid: string | null;
  readonly ra_profile_name: string | null;
}

/** Returns the longest threshold in days, or 0 if there are no thresholds. */
export async function findLongest(executor: Executor, platformDays: readonly number[]): Promise<number> {
  const { rows } = await sql<{ longest: number }>`
    SELECT coalesce(max(d), 0) AS longest FROM (
      SELECT unnest(days) AS d FROM expiry_threshold_of_ra_profile
      UNION ALL SELECT unnest(days) FROM expiry_threshold_of_group
      UNION ALL SELECT unnest(${[...platformDays]}::int[])) AS said`.execute(executor);
  return rows[0]?.longest ?? 0;
}

/**
 * The RA profile's thresholds and the groups' thresholds are combined; the platform's thresholds apply only if there
 * are none.
 */
const thresholds = (platformDays: readonly number[]) => sql`
  SELECT unnest(CASE WHEN p.days IS NULL AND g.days IS NULL THEN ${[...platformDays]}::int[]
    ELSE coalesce(p.days, '{}') || coalesce(g.days, '{}') END) AS d`;

const ofItsGroups = sql`
  SELECT array_agg(d) AS days FROM (
    SELECT unnest(CASE WHEN own.days = '{}' THEN '{NULL}' ELSE own.days END) AS d
    FROM group_membership m JOIN expiry_threshold_of_group own ON own.group_uuid = m.group_uuid
    WHERE m.object_resource = 'certificates' AND m.object_uuid = c.uuid) AS said`;

/**
 * Returns the smallest threshold that each certificate has reached, unless that threshold or a smaller one has already
 * been recorded. As a result, a certificate that is first seen late is reported only once, and setting the clock back
 * does not repeat any notification. Rows are locked in no particular order, because nothing else changes them.
 */
export async function claimReached(tx: Executor, query: ReachedQuery): Promise<readonly ReachedRow[]> {
  const { now, platformDays, longestDays, after, limit } = query;
  const place = after ? sql`(c.not_after, c.uuid) > (${after.not_after}, ${after.certificate_uuid}::uuid)` : sql`true`;
  const { rows } = await sql<ReachedRow>`
    WITH found AS (
      SELECT c.uuid AS certificate_uuid, reached.days, c.fingerprint, coalesce(c.serial_number, '') AS serial_number, c.subject_dn,
        coalesce(c.issuer_dn, '') AS issuer_dn, c.not_before, c.not_after, ra.authority_uuid, ra.uuid AS ra_profile_uuid,
        ra.name AS ra_profile_name
      FROM certificate c
      LEFT JOIN ra_profile ra ON ra.uuid = c.ra_profile_uuid
      LEFT JOIN expiry_threshold_of_ra_profile p ON p.ra_profile_uuid = c.ra_profile_uuid
      CROSS JOIN LATERAL (${ofItsGroups}) AS g
      CROSS JOIN LATERAL (SELECT min(d) AS days FROM (${thresholds(platformDays)}) AS each
        WHERE c.not_after <= ${now}::timestamptz + d * interval '1 day') AS reached
      WHERE NOT c.archived AND c.state = 'issued' AND c.fingerprint IS NOT NULL
        AND c.not_after > ${now} AND c.not_after <= ${now}::timestamptz + ${longestDays}::int * interval '1 day' AND ${place}
        AND reached.days IS NOT NULL
        AND NOT EXISTS (SELECT FROM expiry_notice n WHERE n.certificate_uuid = c.uuid AND n.days <= reached.days)
        AND NOT ${isSucceeded}
      ORDER BY c.not_after, c.uuid LIMIT ${limit}
    ), noted AS (
      INSERT INTO expiry_notice (certificate_uuid, days, raised_at)
      SELECT certificate_uuid, days, ${now} FROM found ON CONFLICT DO NOTHING RETURNING certificate_uuid
    )
    SELECT found.*, noted.certificate_uuid IS NOT NULL AS is_new
    FROM found LEFT JOIN noted USING (certificate_uuid) ORDER BY not_after, certificate_uuid`.execute(tx);
  return rows;
}
