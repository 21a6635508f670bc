// Leases, progress and completion of runs that check many objects.
import { sql } from 'kysely';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isFreeFor, leaseEnd, leaseTo, releaseLease, renewLease, type NodeLease } from '../../platform/jobs/leases.ts';
import { tables } from './store.ts';
import type { RunRow } from './tables.ts';

export type NewRun = Pick<RunRow, 'uuid' | 'subject' | 'scope' | 'started_at' | 'started_by' | 'total'>;

export async function insertRun(tx: Executor, run: NewRun): Promise<void> {
  await sql`
    INSERT INTO compliance_run (uuid, subject, scope, started_at, started_by, total)
    VALUES (${run.uuid}, ${run.subject}, ${JSON.stringify(run.scope)}::jsonb, ${run.started_at}, ${run.started_by},
      ${run.total})`.execute(tx);
}

/** A range of run sizes, in objects. */
export interface SizeRange {
  readonly above: number;
  readonly upTo?: number;
}

/** Leases the oldest open run in this size range that no other node is working on. */
export async function leaseRun(
  executor: Executor,
  lease: NodeLease,
  { above, upTo }: SizeRange,
): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    UPDATE compliance_run
    SET ${leaseTo(lease)}
    WHERE uuid = (
      SELECT uuid FROM compliance_run
      WHERE finished_at IS NULL AND ${isFreeFor(lease.nodeId)}
        AND total > ${above} AND total <= coalesce(${upTo ?? null}::bigint, total)
      ORDER BY started_at, uuid LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING *`.execute(executor);
  return rows[0];
}

const TABLE = 'compliance_run';

/** Renews the lease; returns false if the run is no longer leased to this node. */
export const renewRun = (executor: Executor, uuid: string, lease: NodeLease): Promise<boolean> =>
  renewLease(executor, { table: TABLE, uuid, open: sql`finished_at IS NULL` }, lease);

/** Releases the lease, so that another node does not have to wait until it expires. */
export const releaseRun = (executor: Executor, uuid: string, lease: NodeLease): Promise<void> =>
  releaseLease(executor, { table: TABLE, uuid }, lease);

/** Number of objects in a batch, by outcome. */
export interface Outcomes {
  readonly compliant: number;
  readonly notCompliant: number;
  readonly notApplicable: number;
  readonly failed: number;
}

export interface Step extends NodeLease, Outcomes {
  readonly uuid: string;
  readonly from: string | null;
  readonly to: string;
  readonly processed: number;
  readonly workingMs: number;
}

/**
 * Runs in the transaction that stores the results; returns false if another node has taken over the run, or it was
 * stopped.
 */
export async function advanceRun(tx: Executor, step: Step): Promise<boolean> {
  const { rows } = await sql`
    UPDATE compliance_run
    SET cursor = ${step.to}::uuid, processed = processed + ${step.processed}, compliant = compliant + ${step.compliant},
      not_compliant = not_compliant + ${step.notCompliant}, not_applicable = not_applicable + ${step.notApplicable},
      failed = failed + ${step.failed}, working_ms = working_ms + ${Math.round(step.workingMs)},
      leased_until = ${leaseEnd(step.leaseS)}
    WHERE uuid = ${step.uuid}::uuid AND leased_by = ${step.nodeId} AND finished_at IS NULL
      AND cursor IS NOT DISTINCT FROM ${step.from}::uuid
    RETURNING uuid`.execute(tx);
  return rows.length > 0;
}

/** Ends a run; returns undefined if it has already ended. */
export const endRun = (
  executor: Executor,
  uuid: string,
  ending: { readonly at: Date; readonly stoppedBy?: string },
): Promise<RunRow | undefined> =>
  tables(executor)
    .updateTable('compliance_run')
    .set({ finished_at: ending.at, stopped_by: ending.stoppedBy ?? null, leased_by: null, leased_until: null })
    .where('uuid', '=', uuid)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst();

/** Deletes runs that ended before this time. */
export const forgetRuns = (executor: Executor, before: Date): Promise<unknown> =>
  tables(executor).deleteFrom('compliance_run').where('finished_at', '<', before).execute();

export const findRun = (executor: Executor, uuid: string): Promise<RunRow | undefined> =>
  tables(executor).selectFrom('compliance_run').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** Returns a page of runs, newest first. */
export async function findRuns(executor: Executor, page: PageRequest): Promise<Page<RunRow>> {
  const { totalItems } = await tables(executor)
    .selectFrom('compliance_run')
    .select((build) => build.fn.countAll<number>().as('totalItems'))
    .executeTakeFirstOrThrow();
  const items = await tables(executor)
    .selectFrom('compliance_run')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('uuid')
    .limit(page.itemsPerPage)
    .offset(pageOffset(page))
    .execute();
  return { items, totalItems };
}
