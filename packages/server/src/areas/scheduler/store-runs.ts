// Scheduled job runs: which job is due, and which node runs it. Job times use the platform clock; leases use the
// database clock, which all nodes share. A lease belongs to a run, so writes by a node that no longer owns the run have
// no effect.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { leaseEnd } from '../../platform/jobs/leases.ts';
import type { JobObjects, RunEnd } from './ports.ts';
import { tables } from './store.ts';
import type { ScheduledJobRow, ScheduledJobRunRow } from './tables.ts';

/** Locks the job that has been due the longest. No other node can claim it until the transaction ends. */
export async function lockDue(
  tx: Executor,
  { now, jobTypes }: { readonly now: Date; readonly jobTypes: readonly string[] },
): Promise<ScheduledJobRow | undefined> {
  const { rows } = await sql<ScheduledJobRow>`
    SELECT * FROM scheduled_job
    WHERE run_uuid IS NULL AND enabled AND (again OR next_run_at <= ${now}) AND job_type = ANY(${jobTypes}::text[])
    ORDER BY next_run_at LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows[0];
}

export interface StartedJobRun {
  readonly job: ScheduledJobRow;
  readonly run: Pick<ScheduledJobRunRow, 'uuid' | 'started_at'>;
  readonly leaseS: number;
  readonly nextRunAt: Date | null;
}

export async function beginRun(tx: Executor, { job, run, leaseS, nextRunAt }: StartedJobRun): Promise<void> {
  const row = { ...run, job_uuid: job.uuid, status: 'started' as const };
  await tables(tx)
    .insertInto('scheduled_job_run')
    .values({ ...nothingYet, ...row })
    .execute();
  await tables(tx)
    .updateTable('scheduled_job')
    .set({ run_uuid: run.uuid, leased_until: leaseEnd(leaseS), next_run_at: nextRunAt, again: false })
    .where('uuid', '=', job.uuid)
    .execute();
}

const nothingYet = { ended_at: null, message: null, result_resource: null, result_uuids: null };

/** Returns false if the run no longer belongs to this node. */
export async function renewLease(
  executor: Executor,
  { runUuid, leaseS }: { readonly runUuid: string; readonly leaseS: number },
): Promise<boolean> {
  const renewed = await tables(executor)
    .updateTable('scheduled_job')
    .set({ leased_until: leaseEnd(leaseS) })
    .where('run_uuid', '=', runUuid)
    .where('leased_until', 'is not', null)
    .returning('uuid')
    .execute();
  return renewed.length > 0;
}

/**
 * Hands the run over to other objects and gives up its lease. Returns false if the run no longer belongs to this node.
 */
export async function transferRun(tx: Executor, runUuid: string, { resource, uuids }: JobObjects): Promise<boolean> {
  const handed = await tables(tx)
    .updateTable('scheduled_job')
    .set({ leased_until: null })
    .where('run_uuid', '=', runUuid)
    .where('leased_until', 'is not', null)
    .returning('uuid')
    .execute();
  if (handed.length === 0) return false;
  await tables(tx)
    .updateTable('scheduled_job_run')
    .set({ result_resource: resource, result_uuids: [...uuids] })
    .where('uuid', '=', runUuid)
    .execute();
  return true;
}

/**
 * Locks a job with an unfinished run on which no node is working. A lease that expires hours from now was acquired
 * before the clock was set back.
 */
export const lockAbandoned = (tx: Executor): Promise<ScheduledJobRow | undefined> =>
  tables(tx)
    .selectFrom('scheduled_job')
    .selectAll()
    .where(sql<boolean>`leased_until < clock_timestamp() OR leased_until > clock_timestamp() + interval '1 hour'`)
    .orderBy('leased_until')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();

/** Locks a run's job if the run has a lease. The lease cannot be taken over until the transaction ends. */
export const lockRun = (tx: Executor, runUuid: string): Promise<ScheduledJobRow | undefined> =>
  tables(tx)
    .selectFrom('scheduled_job')
    .selectAll()
    .where('run_uuid', '=', runUuid)
    .where('leased_until', 'is not', null)
    .forUpdate()
    .executeTakeFirst();

/** Locks the jobs whose runs were handed over to one of these objects. */
export async function lockTransferred(tx: Executor, { resource, uuids }: JobObjects): Promise<ScheduledJobRow[]> {
  const { rows } = await sql<ScheduledJobRow>`
    SELECT j.* FROM scheduled_job j WHERE j.leased_until IS NULL AND j.run_uuid IN (
      SELECT uuid FROM scheduled_job_run
      WHERE ended_at IS NULL AND result_resource = ${resource} AND result_uuids && ${uuids}::uuid[])
    ORDER BY j.uuid FOR UPDATE OF j`.execute(tx);
  return rows;
}

type AfterRun = Pick<ScheduledJobRow, 'again' | 'interruptions'> &
  Partial<Pick<ScheduledJobRow, 'enabled' | 'next_run_at'>>;

/** Ends the run of a locked job. */
export async function endRun(
  tx: Executor,
  { uuid, run_uuid: runUuid }: ScheduledJobRow,
  { status, message, at, after }: RunEnd & { readonly at: Date; readonly after: AfterRun },
): Promise<void> {
  if (runUuid === null) return;
  await tables(tx)
    .updateTable('scheduled_job_run')
    .set({ status, message, ended_at: at })
    .where('uuid', '=', runUuid)
    .execute();
  await tables(tx)
    .updateTable('scheduled_job')
    .set({ ...after, run_uuid: null, leased_until: null })
    .where('uuid', '=', uuid)
    .execute();
}

/** Locks the jobs that are waiting for a scheduled time. */
export const lockWaiting = (tx: Executor): Promise<ScheduledJobRow[]> =>
  tables(tx)
    .selectFrom('scheduled_job')
    .selectAll()
    .where('next_run_at', 'is not', null)
    .orderBy('uuid')
    .forUpdate()
    .execute();

export async function setNextRun(
  tx: Executor,
  uuid: string,
  { nextRunAt, timeZone }: { readonly nextRunAt: Date | null; readonly timeZone: string },
): Promise<void> {
  await tables(tx)
    .updateTable('scheduled_job')
    .set({ next_run_at: nextRunAt, time_zone: timeZone })
    .where('uuid', '=', uuid)
    .execute();
}

/**
 * Removes up to `limit` runs that ended before `before`, and returns the number removed. The last run of each job is
 * retained.
 */
export async function removeOldRuns(
  tx: Executor,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM scheduled_job_run WHERE uuid IN (
      SELECT r.uuid FROM scheduled_job_run r
      WHERE r.ended_at < ${before}
        AND EXISTS (SELECT FROM scheduled_job_run newer WHERE newer.job_uuid = r.job_uuid AND newer.ordinal > r.ordinal)
      ORDER BY r.ended_at LIMIT ${limit})`.execute(tx);
  return Number(numAffectedRows);
}
