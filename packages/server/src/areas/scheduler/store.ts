// Scheduled job queries, for lists and detail pages.
import { sql } from 'kysely';
import type { ObjectFilter } from '../../kernel/actor.ts';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isShown } from '../../platform/database/object-filter.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { ScheduledJobRow, ScheduledJobRunRow, SchedulerTables } from './tables.ts';

export const tables = (executor: Executor) => executor.withTables<SchedulerTables>();

export const scheduledJobs = namedObjects<ScheduledJobRow>({ what: 'Scheduled job', table: 'scheduled_job' });

/** Job with its latest run. */
export type ShownJob = ScheduledJobRow & { readonly last: ScheduledJobRunRow | undefined };

/** Returns a page of jobs, sorted by name. */
export async function findPage(
  executor: Executor,
  { visible, page }: { readonly visible: ObjectFilter; readonly page: PageRequest },
): Promise<Page<ShownJob>> {
  const selected = tables(executor)
    .selectFrom('scheduled_job as j')
    .where(isShown(sql.ref('j.uuid'), visible));
  const { count } = await selected.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  const jobs = await selected.selectAll().orderBy('j.name').limit(page.itemsPerPage).offset(pageOffset(page)).execute();
  return { items: await withLastRuns(executor, jobs), totalItems: count };
}

export async function requireShown(executor: Executor, uuid: string): Promise<ShownJob> {
  const [shown] = await withLastRuns(executor, [await scheduledJobs.require(executor, uuid)]);
  // A single job was passed in, so there is exactly one result.
  return shown as ShownJob;
}

async function withLastRuns(executor: Executor, jobs: readonly ScheduledJobRow[]): Promise<ShownJob[]> {
  const uuids = jobs.map(({ uuid }) => uuid);
  const { rows } = await sql<ScheduledJobRunRow>`
    SELECT r.* FROM unnest(${uuids}::uuid[]) AS j (uuid)
    CROSS JOIN LATERAL (
      SELECT * FROM scheduled_job_run WHERE job_uuid = j.uuid ORDER BY ordinal DESC LIMIT 1) r`.execute(executor);
  const lastOf = new Map(rows.map((run) => [run.job_uuid, run]));
  return jobs.map((job) => ({ ...job, last: lastOf.get(job.uuid) }));
}

/** Returns a page of runs, newest first. */
export async function findHistory(
  executor: Executor,
  jobUuid: string,
  page: PageRequest,
): Promise<Page<ScheduledJobRunRow>> {
  const selected = tables(executor).selectFrom('scheduled_job_run').where('job_uuid', '=', jobUuid);
  const { count } = await selected.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  const items = await selected
    .selectAll()
    .orderBy('ordinal', 'desc')
    .limit(page.itemsPerPage)
    .offset(pageOffset(page))
    .execute();
  return { items, totalItems: count };
}
