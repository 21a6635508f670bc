// Statements for the leases in `tasks.ts`, based on the database clock.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { isUnleased, leaseEnd } from '../../platform/jobs/leases.ts';
import { retryDelayMs, type TaskName, type TaskOutcome } from './publication-times.ts';

export interface RevocationTask {
  readonly authorityUuid: string;
  readonly name: TaskName;
}

export interface WorkResult {
  readonly outcome: TaskOutcome;
  readonly problem?: string;
  /** Pause before the next attempt, if it differs from the outcome's default. */
  readonly pauseMs?: number;
}

/**
 * The lease is renewed while the work is in progress. A node that crashes or loses its database connection blocks other
 * nodes for at most this long.
 */
const LEASE_MS = 8_000;
/** This interval tolerates two failed renewals. */
export const LEASE_RENEWAL_MS = 2_000;

export type LeaseAttempt =
  { readonly got: true } | { readonly got: false; readonly leased: boolean; readonly lastOutcome: TaskOutcome | null };

export async function acquireLease(
  executor: Executor,
  facts: {
    readonly duty: RevocationTask;
    readonly lease: string;
    readonly nodeId: string;
    readonly evenIfPaused: boolean;
  },
): Promise<LeaseAttempt> {
  const { duty, lease, nodeId, evenIfPaused } = facts;
  const taken = await sql`
    INSERT INTO revocation_duty (authority_uuid, duty, lease_uuid, node_id, leased_until)
    VALUES (${duty.authorityUuid}, ${duty.name}, ${lease}, ${nodeId}, ${leaseEnd(LEASE_MS / 1_000)})
    ON CONFLICT (authority_uuid, duty) DO UPDATE
      SET lease_uuid = excluded.lease_uuid, node_id = excluded.node_id, leased_until = excluded.leased_until
    WHERE ${isUnleased('revocation_duty.leased_until')}
      AND (${evenIfPaused} OR revocation_duty.due_at <= clock_timestamp())
    RETURNING duty`.execute(executor);
  if (taken.rows.length > 0) return { got: true };
  const found = await sql<{ leased: boolean; outcome: TaskOutcome | null }>`
    SELECT coalesce(leased_until >= clock_timestamp(), false) AS leased, outcome
    FROM revocation_duty WHERE authority_uuid = ${duty.authorityUuid} AND duty = ${duty.name}`.execute(executor);
  const row = found.rows[0];
  return { got: false, leased: row?.leased ?? false, lastOutcome: row?.outcome ?? null };
}

/** Has no effect if another node took over the lease after its expiry. */
export async function renewLease(
  executor: Executor,
  { duty, lease }: { readonly duty: RevocationTask; readonly lease: string },
): Promise<void> {
  await sql`
    UPDATE revocation_duty SET leased_until = ${leaseEnd(LEASE_MS / 1_000)}
    WHERE authority_uuid = ${duty.authorityUuid} AND duty = ${duty.name} AND lease_uuid = ${lease}`.execute(executor);
}

/** Releases leases that this node held when it was killed, because they are no longer in use. */
export async function releaseLeasesOf(executor: Executor, nodeId: string): Promise<void> {
  await sql`UPDATE revocation_duty SET lease_uuid = NULL, leased_until = NULL WHERE node_id = ${nodeId}`.execute(
    executor,
  );
}

/** Releases the lease and records the result. Has no effect if another node took over the lease after its expiry. */
export async function releaseLease(
  executor: Executor,
  facts: { readonly duty: RevocationTask; readonly lease: string; readonly result: WorkResult },
): Promise<void> {
  const { duty, lease, result } = facts;
  const failures = await sql<{ failures: number }>`
    SELECT failures FROM revocation_duty
    WHERE authority_uuid = ${duty.authorityUuid} AND duty = ${duty.name} AND lease_uuid = ${lease}`.execute(executor);
  const before = failures.rows[0]?.failures ?? 0;
  const after = result.outcome === 'done' ? 0 : before + 1;
  const pauseMs = result.pauseMs ?? retryDelayMs(duty.name, result.outcome, after);
  await sql`
    UPDATE revocation_duty SET lease_uuid = NULL, leased_until = NULL, outcome = ${result.outcome}, failures = ${after},
      due_at = clock_timestamp() + ${pauseMs} * interval '1 millisecond', last_problem = ${result.problem ?? null}
    WHERE authority_uuid = ${duty.authorityUuid} AND duty = ${duty.name} AND lease_uuid = ${lease}`.execute(executor);
}

/**
 * Makes completed work due again. The work is recorded as failed, so that it is picked up even if this node crashes.
 */
export async function makeTaskDue(executor: Executor, { authorityUuid, name }: RevocationTask): Promise<void> {
  await sql`
    INSERT INTO revocation_duty (authority_uuid, duty, outcome) VALUES (${authorityUuid}, ${name}, 'failed')
    ON CONFLICT (authority_uuid, duty) DO UPDATE SET outcome = 'failed', due_at = clock_timestamp()`.execute(executor);
}

/** Returns failed work that is due for a retry. */
export const findFailedTasks = async (executor: Executor): Promise<RevocationTask[]> => {
  const found = await sql<RevocationTask>`
    SELECT authority_uuid AS "authorityUuid", duty AS name FROM revocation_duty
    WHERE outcome = 'failed' AND due_at <= clock_timestamp() AND ${isUnleased()}`.execute(executor);
  return found.rows;
};
