// How long renewals wait for approval, by RA profile.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';

export interface ApprovalWait {
  readonly ra_profile_uuid: string;
  readonly ra_profile_name: string;
  readonly approval_profile_name: string;
  readonly expiry_hours: number;
  /** Number of certificate approvals granted since the given time. If there were none, the times are null. */
  readonly approvals: number;
  readonly median_hours: number | null;
  readonly slow_hours: number | null;
}

/** Returns the RA profiles whose renewals require approval, sorted by name. */
export async function findWaits(
  executor: Executor,
  { raProfileUuids, since }: { readonly raProfileUuids: readonly string[]; readonly since: Date },
): Promise<readonly ApprovalWait[]> {
  const { rows } = await sql<ApprovalWait>`
    SELECT ra.uuid AS ra_profile_uuid, ra.name AS ra_profile_name, p.name AS approval_profile_name, v.expiry_hours,
      taken.approvals, taken.median_hours, taken.slow_hours
    FROM ra_profile ra
    JOIN approval_profile p ON p.uuid = ra.approval_profile_uuid
    JOIN approval_profile_version v ON v.approval_profile_uuid = p.uuid AND v.version = p.latest_version
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS approvals,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY hours) AS median_hours,
        percentile_cont(0.9) WITHIN GROUP (ORDER BY hours) AS slow_hours
      FROM (
        SELECT extract(epoch FROM a.closed_at - a.created_at)::float8 / 3600 AS hours
        FROM approval a JOIN approval_profile_version of_profile ON of_profile.uuid = a.version_uuid
        WHERE of_profile.approval_profile_uuid = p.uuid AND a.resource = 'certificates' AND a.status = 'APPROVED'
          AND a.closed_at >= ${since}) AS closed) AS taken
    WHERE ra.uuid = ANY(${[...raProfileUuids]}::uuid[]) ORDER BY ra.name`.execute(executor);
  return rows;
}
