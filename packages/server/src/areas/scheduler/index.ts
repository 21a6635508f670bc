// The scheduler: jobs at times that cron expressions tell, of the platform and of users, and the history of their runs.
// Owns: scheduled_job, scheduled_job_run. Invariants: one node runs a job, once at a time; what was missed is made up
// for by one run; every run ends, with its reason, whatever becomes of its node; a job of a user has the rights that
// its user has when it runs.
import type { Executor } from '../../platform/database/database.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Area, Platform, RetentionPolicy } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { findNextRun } from './cron/next-runs.ts';
import { createTimeKeeper } from './keep-time.ts';
import { publishJobEvents } from './events.ts';
import type { JobKind, JobObjects, RunEnd, SystemJob } from './ports.ts';
import { schedulerRoutes } from './routes.ts';
import { endRunsOf } from './run-ends.ts';
import { createRuns, type Users } from './runs.ts';
import { requestColumn } from './sealed-request.ts';
import { createSchedulerService, newRow, type NewJob } from './service.ts';
import { scheduledJobs } from './store.ts';
import { removeOldRuns } from './store-runs.ts';

export { evaluatedJobs } from './search-fields.ts';
export type { JobKind, JobRun, SystemJob } from './ports.ts';
export type { NewJob } from './service.ts';

/** What other areas use of the scheduler. */
export interface Scheduler {
  /** Call before the platform starts, and so for jobs of the platform. */
  register(kind: JobKind): void;
  registerSystemJob(job: SystemJob): void;
  /** A job of the caller, of a registered kind. Refused (422) when its expression cannot be used. */
  create(job: NewJob, context: RequestContext): Promise<string>;
  /** Ends the runs that went on as these objects, in the transaction of their end. Wake events after it. */
  endRunsOf(tx: Executor, ended: JobObjects & RunEnd): Promise<void>;
}

export interface SchedulerParts {
  readonly audit: AuditTrail;
  readonly users: Users;
  /** IANA name of the zone that cron expressions are in. */
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
