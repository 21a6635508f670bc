// Discovery runs: which node works on a discovery, and the discovery's progress and end. Leases and delays are based on
// the database clock, which all nodes share. Each lease has a unique identifier, so writes by a node that has lost its
// lease have no effect.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { isUnleased, leaseEnd } from '../../platform/jobs/leases.ts';
import type { Ending } from './run-rules.ts';
import { tables } from './store.ts';
import type { DiscoveryRow } from './tables.ts';

export interface Lease {
  readonly uuid: string;
  readonly leaseS: number;
}

/** Leases the discovery that has been due the longest. */
export async function leaseNext(
  executor: Executor,
  { uuid, leaseS }: Lease,
  except: readonly string[],
): Promise<DiscoveryRow | undefined> {
  const { rows } = await sql<DiscoveryRow>`
    UPDATE discovery SET lease = ${uuid}, leased_until = ${leaseEnd(leaseS)}
    WHERE uuid = (
      SELECT uuid FROM discovery
      WHERE ended_at IS NULL AND (next_look_at IS NULL OR next_look_at <= clock_timestamp())
        AND ${isUnleased()} AND uuid <> ALL(${except}::uuid[])
      ORDER BY next_look_at NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING *`.execute(executor);
  return rows[0];
}

/** Returns false if the lease is lost. */
export async function renewLease(executor: Executor, { uuid, leaseS }: Lease): Promise<boolean> {
  const { rows } = await sql`
    UPDATE discovery SET leased_until = ${leaseEnd(leaseS)}
    WHERE lease = ${uuid} AND ended_at IS NULL RETURNING uuid`.execute(executor);
  return rows.length > 0;
}

export interface Wait {
  readonly delayMs: number;
  readonly changes: Partial<Pick<DiscoveryRow, 'failures' | 'silent_since' | 'looks'>>;
}

/** Releases the lease; the discovery is due again after the delay. */
export async function releaseUntil(executor: Executor, lease: string, { delayMs, changes }: Wait): Promise<void> {
  await tables(executor)
    .updateTable('discovery')
    .set({
      ...changes,
      next_look_at: sql<Date>`clock_timestamp() + make_interval(secs => ${delayMs / 1000})`,
      lease: null,
      leased_until: null,
    })
    .where('lease', '=', lease)
    .where('ended_at', 'is', null)
    .execute();
}

export type ReportedProgress = Pick<
  DiscoveryRow,
  'provider_uuid' | 'status' | 'connector_status' | 'announced' | 'page_size' | 'pages'
>;

/** Records the provider's progress; returns undefined if the lease is lost. */
export const recordProgress = (
  tx: Executor,
  lease: string,
  answered: ReportedProgress,
): Promise<DiscoveryRow | undefined> =>
  tables(tx)
    .updateTable('discovery')
    .set({ ...answered, failures: 0, silent_since: null })
    .where('lease', '=', lease)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();

export interface Step {
  readonly from: number;
  readonly to: number;
  readonly results: number;
  readonly found: number;
  readonly newlyFound: number;
  readonly refused: number;
  readonly workingMs: number;
  readonly warning: string | null;
}

/** Updates the counters in the same transaction as a set's results; returns undefined if the lease is lost. */
export async function advance(tx: Executor, { uuid, leaseS }: Lease, step: Step): Promise<DiscoveryRow | undefined> {
  const { rows } = await sql<DiscoveryRow>`
    UPDATE discovery SET pages_read = ${step.to}, results_read = results_read + ${step.results},
      found = found + ${step.found}, newly_found = newly_found + ${step.newlyFound}, refused = refused + ${step.refused},
      repeated = repeated + ${step.results - step.found - step.refused},
      working_ms = working_ms + ${Math.round(step.workingMs)}, warning = coalesce(warning, ${step.warning}),
      failures = 0, silent_since = NULL, leased_until = ${leaseEnd(leaseS)}
    WHERE lease = ${uuid} AND ended_at IS NULL AND pages_read = ${step.from}
    RETURNING *`.execute(tx);
  return rows[0];
}

/**
 * Ends the discovery, either under its lease or regardless of it; returns undefined if it has already ended or the
 * lease is lost.
 */
export const end = (
  tx: Executor,
  which: { readonly lease: string } | { readonly uuid: string },
  { status, message, at, stoppedBy = null }: Ending & { readonly at: Date; readonly stoppedBy?: string | null },
): Promise<DiscoveryRow | undefined> =>
  tables(tx)
    .updateTable('discovery')
    .set({ status, message, ended_at: at, stopped_by: stoppedBy, lease: null, leased_until: null, next_look_at: null })
    .where('lease' in which ? 'lease' : 'uuid', '=', 'lease' in which ? which.lease : which.uuid)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();

/** Reopens an ended discovery; returns undefined if it is running or complete. */
export const reopen = (
  tx: Executor,
  uuid: string,
  { dueBy }: { readonly dueBy: Date },
): Promise<DiscoveryRow | undefined> =>
  tables(tx)
    .updateTable('discovery')
    .set({
      status: sql`CASE WHEN pages IS NULL THEN 'inProgress' ELSE 'processing' END`,
      message: null,
      warning: null,
      ended_at: null,
      stopped_by: null,
      due_by: dueBy,
      failures: 0,
      silent_since: null,
      looks: 0,
    })
    .where('uuid', '=', uuid)
    .where('ended_at', 'is not', null)
    .where((where) => where.or([where('pages', 'is', null), where('pages_read', '<', where.ref('pages'))]))
    .returningAll()
    .executeTakeFirst();
