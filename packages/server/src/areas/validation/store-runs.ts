// Validation runs over the whole inventory, one at a time: the user who started it, its progress, and the node that
// executes it.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { isFreeFor, leaseEnd, leaseTo, type NodeLease } from '../../platform/jobs/leases.ts';
import { validationTables, type RunRow } from './tables.ts';

/** Returns the open run, or the most recently finished one. */
export const findLatestRun = (executor: Executor): Promise<RunRow | undefined> =>
  validationTables(executor)
    .selectFrom('certificate_validation_run')
    .selectAll()
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Inserts a run unless a different run is open; returns whether it was inserted. */
export async function insertRun(
  tx: Executor,
  run: Pick<RunRow, 'uuid' | 'started_at' | 'started_by' | 'total'>,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO certificate_validation_run (uuid, started_at, started_by, total)
    VALUES (${run.uuid}, ${run.started_at}, ${run.started_by}, ${run.total})
    ON CONFLICT ((true)) WHERE finished_at IS NULL DO NOTHING RETURNING uuid`.execute(tx);
  return rows.length > 0;
}

/** Leases and returns the open run, unless a different node is working on it. */
export async function leaseRun(executor: Executor, lease: NodeLease): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    UPDATE certificate_validation_run
    SET ${leaseTo(lease)}
    WHERE finished_at IS NULL AND ${isFreeFor(lease.nodeId)}
    RETURNING *`.execute(executor);
  return rows[0];
}

export interface Step extends NodeLease {
  readonly uuid: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly processed: number;
  readonly changed: number;
  readonly workingMs: number;
}

/**
 * Advances the run in the transaction that stores the verdicts; returns false if a different node has taken over the
 * run.
 */
export async function advanceRun(tx: Executor, step: Step): Promise<boolean> {
  const { rows } = await sql`
    UPDATE certificate_validation_run
    SET cursor = ${step.to}, processed = processed + ${step.processed}, changed = changed + ${step.changed},
      working_ms = working_ms + ${Math.round(step.workingMs)},
      leased_until = ${leaseEnd(step.leaseS)}
    WHERE uuid = ${step.uuid} AND leased_by = ${step.nodeId} AND cursor IS NOT DISTINCT FROM ${step.from}::uuid
      AND finished_at IS NULL
    RETURNING uuid`.execute(tx);
  return rows.length > 0;
}

export const finishRun = (executor: Executor, uuid: string, at: Date): Promise<unknown> =>
  validationTables(executor)
    .updateTable('certificate_validation_run')
    .set({ finished_at: at, leased_by: null, leased_until: null })
    .where('uuid', '=', uuid)
    .execute();
