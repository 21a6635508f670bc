// Leases of operations: taken over from stopped workers, renewed while work continues. They rely on the index of
// pending operations by lease expiry.
import { sql } from 'kysely';
import type { Executor, HotExecutor } from '../../../platform/database/database.ts';
import { hotStatement, runHot } from '../../../platform/database/database.ts';
import type { OperationRow } from '../tables.ts';

const TAKE_OVER = hotStatement(
  'take_over_operations',
  `UPDATE certificate_operation SET leased_by = $1, leased_until = $2, attempts = attempts + 1
   WHERE uuid IN (
     SELECT uuid FROM certificate_operation
     WHERE state = 'pending' AND leased_until < $3 AND ra_profile_uuid = ANY ($4)
     ORDER BY leased_until LIMIT $5 FOR UPDATE SKIP LOCKED)
   RETURNING *`,
);

export interface LeaseTakeover {
  readonly by: string;
  readonly until: Date;
  readonly now: Date;
  readonly raProfileUuids: readonly string[];
  readonly limit: number;
}

/**
 * Leases operations under the specified RA profiles whose worker has stopped. The lease ensures that two nodes never
 * carry out the same operation.
 */
export const takeOver = (executor: HotExecutor, lease: LeaseTakeover): Promise<readonly OperationRow[]> =>
  runHot<OperationRow>(executor, TAKE_OVER, [lease.by, lease.until, lease.now, lease.raProfileUuids, lease.limit]);

/** Returns RA profiles that have operations whose worker has stopped. */
export async function findWaitingProfiles(executor: Executor, now: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT DISTINCT ra_profile_uuid AS uuid FROM certificate_operation
    WHERE state = 'pending' AND leased_until < ${now}`.execute(executor);
  return rows.map(({ uuid }) => uuid);
}

/**
 * Releases the leases from a previous run of this node: operations that were created before this startup and were
 * leased at that time.
 */
export async function releaseEarlierLeases(
  executor: Executor,
  facts: { readonly by: string; readonly bornAt: Date; readonly leaseMs: number },
): Promise<void> {
  await sql`
    UPDATE certificate_operation SET leased_until = created_at
    WHERE state = 'pending' AND leased_by = ${facts.by} AND created_at < ${facts.bornAt}
      AND leased_until < ${new Date(facts.bornAt.getTime() + facts.leaseMs)}`.execute(executor);
}

/** Renews the leases that this node still holds, but leaves a lease unchanged if it already extends beyond `until`. */
export async function renewLeases(
  executor: Executor,
  facts: { readonly by: string; readonly uuids: readonly string[]; readonly until: Date },
): Promise<void> {
  await sql`
    UPDATE certificate_operation SET leased_until = ${facts.until}
    WHERE uuid = ANY (${facts.uuids}::uuid[]) AND state = 'pending' AND leased_by = ${facts.by}
      AND leased_until < ${facts.until}`.execute(executor);
}
