// Leases of operations: taken over from workers that are gone, renewed while work goes on. They rely on the index of
// pending operations by the end of their lease.
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

export interface TakeOver {
  readonly by: string;
  readonly until: Date;
  readonly now: Date;
  readonly raProfileUuids: readonly string[];
  readonly limit: number;
}

/**
 * Leases operations whose worker is gone, of some RA profiles. The lease makes sure that two nodes never carry out the
 * same operation.
 */
export const takeOver = (executor: HotExecutor, lease: TakeOver): Promise<readonly OperationRow[]> =>
  runHot<OperationRow>(executor, TAKE_OVER, [lease.by, lease.until, lease.now, lease.raProfileUuids, lease.limit]);

/** RA profiles that have operations whose worker is gone. */
export async function findWaitingProfiles(executor: Executor, now: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT DISTINCT ra_profile_uuid AS uuid FROM certificate_operation
    WHERE state = 'pending' AND leased_until < ${now}`.execute(executor);
  return rows.map(({ uuid }) => uuid);
}

/**
 * Frees what an earlier run of this node held when it ended: operations from before this start, under leases of that
 * time.
 */
export async function freeEarlierLeases(
  executor: Executor,
  facts: { readonly by: string; readonly bornAt: Date; readonly leaseMs: number },
): Promise<void> {
  await sql`
    UPDATE certificate_operation SET leased_until = created_at
    WHERE state = 'pending' AND leased_by = ${facts.by} AND created_at < ${facts.bornAt}
      AND leased_until < ${new Date(facts.bornAt.getTime() + facts.leaseMs)}`.execute(executor);
}

/** Leases that this node still has; one that was put off further than `until` stays as it is. */
export async function renewLeases(
  executor: Executor,
  facts: { readonly by: string; readonly uuids: readonly string[]; readonly until: Date },
): Promise<void> {
  await sql`
    UPDATE certificate_operation SET leased_until = ${facts.until}
    WHERE uuid = ANY (${facts.uuids}::uuid[]) AND state = 'pending' AND leased_by = ${facts.by}
      AND leased_until < ${facts.until}`.execute(executor);
}
