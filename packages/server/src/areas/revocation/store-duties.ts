// Statements of the leases in `duties.ts`, by the database's clock.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { isUnleased, leaseEnd } from '../../platform/jobs/leases.ts';
import { retryDelayMs, type DutyName, type DutyOutcome } from './publication-times.ts';

export interface Duty {
  readonly authorityUuid: string;
  readonly name: DutyName;
}

export interface WorkResult {
  readonly outcome: DutyOutcome;
  readonly problem?: string;
  /** Pause before the next attempt, where the outcome alone does not say it. */
  readonly pauseMs?: number;
}

/** Renewed while the work goes on; a node that died, or lost its database, blocks the others for so long at most. */
const LEASE_MS = 8_000;
/** Two renewals may fail. */
export const LEASE_RENEWAL_MS = 2_000;

export type Taken =
  { readonly got: true } | { readonly got: false; readonly leased: boolean; readonly lastOutcome: DutyOutcome | null };

export async function takeLease(
  executor: Executor,
  facts: { readonly duty: Duty; readonly lease: string; readonly nodeId: string; readonly evenIfPaused: boolean },
): Promise<Taken> {
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
  const found = await sql<{ leased: boolean; outcome: DutyOutcome | null }>`
    SELECT coalesce(leased_until >= clock_timestamp(), false) AS leased, outcome
    FROM revocation_duty WHERE authority_uuid = ${duty.authorityUuid} AND duty = ${duty.name}`.execute(executor);
  const row = found.rows[0];
  return { got: false, leased: row?.leased ?? false, lastOutcome: row?.outcome ?? null };
}

/** Somebody who took the lease over after its end keeps it. */
export async function renewLease(
  executor: Executor,
  { duty, lease }: { readonly duty: Duty; readonly lease: string },
): Promise<void> {
  await sql`
    UPDATE revocation_duty SET leased_until = ${leaseEnd(LEASE_MS / 1_000)}
    WHERE authority_uuid = ${duty.authorityUuid} AND duty = ${duty.name} AND lease_uuid = ${lease}`.execute(executor);
}

/** Leases that an earlier run of this node held when it was killed: nobody works under them any more. */
export async function dropLeasesOf(executor: Executor, nodeId: string): Promise<void> {
  await sql`UPDATE revocation_duty SET lease_uuid = NULL, leased_until = NULL WHERE node_id = ${nodeId}`.execute(
    executor,
  );
}

/** Somebody who took the lease over after its end keeps it: then nothing is changed. */
export async function giveBackLease(
  executor: Executor,
  facts: { readonly duty: Duty; readonly lease: string; readonly result: WorkResult },
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

/** What was done must be done again: it counts as failed, so that it is found whatever becomes of this node. */
export async function makeDutyDue(executor: Executor, { authorityUuid, name }: Duty): Promise<void> {
  await sql`
    INSERT INTO revocation_duty (authority_uuid, duty, outcome) VALUES (${authorityUuid}, ${name}, 'failed')
    ON CONFLICT (authority_uuid, duty) DO UPDATE SET outcome = 'failed', due_at = clock_timestamp()`.execute(executor);
}

/** Work that failed and may be tried again now. */
export const findFailedDuties = async (executor: Executor): Promise<Duty[]> => {
  const found = await sql<Duty>`
    SELECT authority_uuid AS "authorityUuid", duty AS name FROM revocation_duty
    WHERE outcome = 'failed' AND due_at <= clock_timestamp() AND ${isUnleased()}`.execute(executor);
  return found.rows;
};
