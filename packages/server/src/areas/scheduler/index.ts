// Scheduler: platform jobs and user jobs that run at times defined by cron expressions, and the history of their runs.
// Owns: scheduled_job, scheduled_job_run. Invariants: a job runs on a single node, and only once at a time; missed runs
// are made up for by a single run; every run ends with a reason, even if its node crashes; a user's job runs with the
// user's current permissions.
import type { Executor } from '../../platform/database/database.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Area, Platform, RetentionPolicy } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { findNextRun } from './cron/next-runs.ts';
import { publishJobEvents } from './events.ts';
import type { JobKind, JobObjects, RunEnd, SystemJob } from './ports.ts';
import { schedulerRoutes } from './routes.ts';
import { endRunsOf } from './run-ends.ts';
import { createRuns, type Users } from './runs.ts';
import { requestColumn } from './sealed-request.ts';
import { createSchedulerService, newRow, type NewJob } from './service.ts';
import { scheduledJobs } from './store.ts';
import { removeOldRuns, lockWaiting, setNextRun } from './store-runs.ts';
import { realignedRun } from './next-run.ts';

export { evaluatedJobs } from './search-fields.ts';
export type { JobKind, JobRun, SystemJob } from './ports.ts';
export type { NewJob } from './service.ts';

/** Scheduler operations for other areas. */
export interface Scheduler {
  /** Must be called before the platform starts, even for platform jobs. */
  register(kind: JobKind): void;
  registerSystemJob(job: SystemJob): void;
  /** Creates a job of a registered kind for the caller. Rejects (422) an expression that cannot be used. */
  create(job: NewJob, context: RequestContext): Promise<string>;
  /**
   * Ends the runs that were handed over to these objects, in the transaction that ends the objects. The caller must
   * wake events afterwards.
   */
  endRunsOf(tx: Executor, ended: JobObjects & RunEnd): Promise<void>;
}

export interface SchedulerParts {
  readonly audit: AuditTrail;
  readonly users: Users;
  /** IANA name of the time zone in which cron expressions are evaluated. */
  readonly timeZone?: string | undefined;
}

export function createSchedulerArea(platform: Platform, parts: SchedulerParts): Area & Scheduler {
  publishJobEvents(platform.events);
  const { timeZone = 'UTC' } = parts;
  const kinds = new Map<string, JobKind>();
  const systemJobs: SystemJob[] = [];
  const keepTime = createTimeKeeper(platform, timeZone);
  const runs = createRuns({ platform, ...parts, kinds, keepTime });
  const service = createSchedulerService(platform, { ...parts, runs, timeZone });
  const register = (kind: JobKind) => void kinds.set(kind.jobType, kind);

  async function seed({ name, jobType, cronExpression }: SystemJob): Promise<void> {
    const nextRunAt = findNextRun({ expression: cronExpression, timeZone }, platform.clock.now());
    const row = { uuid: newUuid(), name, jobType, cronExpression, oneTime: false, timeZone, nextRunAt, system: true };
    await scheduledJobs.insertMissing(platform.database.executor, newRow(row));
  }

  return {
    routes: schedulerRoutes(service),
    sealedColumns: () => [requestColumn],
    retentionPolicies: [retention],
    start: async () => {
      for (const job of systemJobs) await seed(job);
      runs.start();
    },
    stop: runs.stop,
    register,
    registerSystemJob: (job) => {
      register(job);
      systemJobs.push(job);
    },
    create: service.create,
    endRunsOf: (tx, ended) => endRunsOf(platform, tx, ended),
  };
}

const retention: RetentionPolicy = {
  setting: 'jobRunsKeptDays',
  what: 'job runs',
  tables: ['scheduled_job_run'],
  remove: removeOldRuns,
};

/**
 * Adjusts job times to the platform's clock and time zone, at startup and after the clock was set back. Runs that were
 * missed in the meantime remain due.
 */
export function createTimeKeeper({ database, clock }: Pick<Platform, 'database' | 'clock'>, timeZone: string) {
  let seen: Date | undefined;

  async function alignSchedules(now: Date): Promise<void> {
    await database.transaction(async (tx) => {
      for (const job of await lockWaiting(tx)) {
        const nextRunAt = realignedRun(job, { now, timeZone });
        if (nextRunAt?.getTime() !== job.next_run_at?.getTime() || job.time_zone !== timeZone)
          await setNextRun(tx, job.uuid, { nextRunAt, timeZone });
      }
    });
  }

  return async function keepTime(): Promise<void> {
    const now = clock.now();
    if (seen === undefined || now < seen) await alignSchedules(now);
    seen = now;
  };
}
