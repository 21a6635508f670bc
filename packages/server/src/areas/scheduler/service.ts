// Use cases of scheduled jobs. Every change is committed together with its audit record.
import type {
  CronMeaning,
  CronQuestion,
  ScheduledJobDetailDto,
  ScheduledJobHistoryResponseDto,
  ScheduledJobOverview,
  ScheduledJobOverviews,
  ScheduledJobsResponseDto,
} from '@signetry/contract';
import { visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import { AppError, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { pageFacts, readPage, type PageRequest } from '../../kernel/page.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { nextRun, nextRuns, type Due } from './cron/next-runs.ts';
import { CronProblem } from './cron/read-expression.ts';
import { presentDetail, presentJob, presentOverview, presentRun } from './present.ts';
import type { StartedRun, Runs } from './runs.ts';
import { sealRequest } from './sealed-request.ts';
import { findHistory, findPage, requireShown, scheduledJobs } from './store.ts';
import type { ScheduledJobRow } from './tables.ts';

export interface SchedulerServiceParts {
  readonly audit: AuditTrail;
  readonly runs: Pick<Runs, 'begin' | 'carryOut'>;
  readonly timeZone: string;
}

/** Job that an area creates for a user. */
export interface NewJob {
  readonly name: string;
  readonly jobType: string;
  readonly cronExpression: string;
  readonly oneTime: boolean;
  /** Parameters passed to each run. They are stored sealed, because they can contain secrets. */
  readonly request: unknown;
  /** The same parameters for display, without secrets. */
  readonly shown: unknown;
}

export type SchedulerService = ReturnType<typeof createSchedulerService>;

export const createSchedulerService = (platform: Platform, parts: SchedulerServiceParts) => ({
  ...createReads(platform, parts),
  ...createChanges(platform, parts),
  run: createRunNow(parts),
});

function createReads({ database, clock }: Platform, { timeZone }: SchedulerServiceParts) {
  const { executor } = database;

  async function pageOf(asked: PageRequest, { actor }: RequestContext) {
    const page = readPage(asked);
    const visible = visibleObjects(actor.permissions, 'jobs', 'list');
    const { items, totalItems } = await findPage(executor, { visible, page });
    return { jobs: items, facts: pageFacts(page, totalItems) };
  }

  async function list(asked: PageRequest, context: RequestContext): Promise<ScheduledJobsResponseDto> {
    const { jobs, facts } = await pageOf(asked, context);
    return { ...facts, scheduledJobs: jobs.map(presentJob) };
  }

  async function overviews(asked: PageRequest, context: RequestContext): Promise<ScheduledJobOverviews> {
    const { jobs, facts } = await pageOf(asked, context);
    return { ...facts, scheduledJobs: jobs.map(presentOverview) };
  }

  const detail = async (uuid: string): Promise<ScheduledJobDetailDto> =>
    presentDetail(await requireShown(executor, uuid));

  const overview = async (uuid: string): Promise<ScheduledJobOverview> =>
    presentOverview(await requireShown(executor, uuid));

  async function history(uuid: string, asked: PageRequest): Promise<ScheduledJobHistoryResponseDto> {
    const page = readPage(asked);
    const { uuid: known } = await scheduledJobs.require(executor, uuid);
    const { items, totalItems } = await findHistory(executor, known, page);
    return { ...pageFacts(page, totalItems), scheduledJobHistory: items.map(presentRun) };
  }

  function explain({ cronExpression: expression, count }: CronQuestion): CronMeaning {
    try {
      const after = clock.now();
      nextRun({ expression, timeZone }, after);
      const due = nextRuns({ expression, timeZone }, { after, count });
      return { timeZone, nextRuns: due.map((time) => time.toISOString()) };
    } catch (error) {
      if (error instanceof CronProblem) return { timeZone, nextRuns: [], problem: error.message };
      throw error;
    }
  }

  return { list, overviews, detail, overview, history, explain };
}

function createChanges(platform: Platform, { audit, timeZone }: SchedulerServiceParts) {
  const { database, clock } = platform;

  const nextDueTime = (expression: string): Date => requireNextRun({ expression, timeZone }, clock.now());

  async function create(job: NewJob, context: RequestContext): Promise<string> {
    const { name } = job;
    const { actor } = context;
    if (await scheduledJobs.findByName(database.executor, name))
      throw new AppError('already_exists', { what: scheduledJobs.what, name });
    const uuid = newUuid();
    const row: ScheduledJobRow = {
      ...newRow({ ...job, uuid, timeZone, nextRunAt: nextDueTime(job.cronExpression) }),
      user_uuid: actor.userUuid,
      username: actor.username,
      object_data: JSON.stringify(job.shown),
      sealed_request: sealRequest(platform, uuid, job.request),
    };
    await rejectTakenName(scheduledJobs, name, () => audit.change(context, (tx) => scheduledJobs.insert(tx, row)));
    return uuid;
  }

  /** Locks a job and changes it. */
  async function change(
    uuid: string,
    context: RequestContext,
    changesOf: (job: ScheduledJobRow) => Partial<ScheduledJobRow>,
  ): Promise<void> {
    await audit.change(context, async (tx) => {
      const job = await scheduledJobs.lock(tx, uuid);
      await scheduledJobs.update(tx, uuid, changesOf(job));
      return [job];
    });
  }

  const setExpression = (uuid: string, expression: string, context: RequestContext): Promise<void> =>
    change(uuid, context, (job) => {
      assertOfUser(job, 'Its schedule cannot be changed.');
      const nextRunAt = nextDueTime(expression);
      return {
        cron_expression: expression,
        time_zone: timeZone,
        next_run_at: job.enabled ? nextRunAt : null,
      };
    });

  const enable = (uuid: string, context: RequestContext): Promise<void> =>
    change(uuid, context, (job) => ({
      enabled: true,
      time_zone: timeZone,
      next_run_at: job.enabled && job.next_run_at ? job.next_run_at : nextDueTime(job.cron_expression),
    }));

  const disable = (uuid: string, context: RequestContext): Promise<void> =>
    change(uuid, context, () => ({ enabled: false, next_run_at: null, again: false }));

  async function remove(uuid: string, context: RequestContext): Promise<void> {
    await audit.change(context, async (tx) => {
      const job = await scheduledJobs.lock(tx, uuid);
      assertOfUser(job, 'It cannot be deleted. Disable it instead.');
      assertIdle(job, 'Delete it after the run has ended.');
      return scheduledJobs.removeMany(tx, [job.uuid]);
    });
  }

  return { create, setExpression, enable, disable, remove };
}

function createRunNow({ audit, runs }: SchedulerServiceParts) {
  return async function run(uuid: string, context: RequestContext): Promise<void> {
    let begun: StartedRun | undefined;
    await audit.change(context, async (tx) => {
      const job = await scheduledJobs.lock(tx, uuid);
      assertIdle(job, 'Run it again after the run has ended.');
      begun = await runs.begin(tx, job);
      return [job];
    });
    if (begun) runs.carryOut(begun);
  };
}

/** Rejects an expression that cannot be used. */
function requireNextRun(due: Due, now: Date): Date {
  try {
    return nextRun(due, now);
  } catch (error) {
    throw error instanceof CronProblem ? rejected(`Cannot use the cron expression: ${error.message}`) : error;
  }
}

function assertOfUser({ name, system }: ScheduledJobRow, help: string): void {
  if (system) throw rejected(`Scheduled job ${name} is a platform job. ${help}`);
}

function assertIdle({ name, run_uuid: runUuid }: ScheduledJobRow, help: string): void {
  if (runUuid !== null) throw rejected(`Scheduled job ${name} is running. ${help}`);
}

/** Returns the row for a platform job, unless the caller also sets the user columns. */
export const newRow = (job: {
  readonly uuid: string;
  readonly name: string;
  readonly jobType: string;
  readonly cronExpression: string;
  readonly oneTime: boolean;
  readonly timeZone: string;
  readonly nextRunAt: Date | null;
  readonly system?: boolean;
}): ScheduledJobRow => ({
  uuid: job.uuid,
  name: job.name,
  job_type: job.jobType,
  cron_expression: job.cronExpression,
  time_zone: job.timeZone,
  enabled: true,
  one_time: job.oneTime,
  system: job.system ?? false,
  user_uuid: null,
  username: null,
  object_data: null,
  sealed_request: null,
  next_run_at: job.nextRunAt,
  again: false,
  interruptions: 0,
  run_uuid: null,
  leased_until: null,
});
