// Upcoming runs and results of scheduled jobs, manual runs, and the meaning of cron expressions. Not part of the
// published interface.
import { z } from 'zod';
import { SchedulerJobExecutionStatus } from '../enums/jobs.ts';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { cronExpression, jobListFields } from '../platform/scheduled-jobs.ts';
import { dateTime, int32 } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

/** A job with its run times. */
export const ScheduledJobOverview = z
  .object({
    ...jobListFields,
    /** Name of the user that the job runs as; absent for platform jobs. */
    username: z.string().optional(),
    /** IANA name of the expression's time zone. */
    timeZone: z.string(),
    /** Absent if the job is disabled or will never be due again. */
    nextRunAt: dateTime().optional(),
    running: z.boolean(),
    lastRun: z
      .object({
        startedAt: dateTime(),
        endedAt: dateTime().optional(),
        status: SchedulerJobExecutionStatus,
        message: z.string().optional(),
      })
      .optional(),
  })
  .meta({ id: 'ScheduledJobOverview' });
export type ScheduledJobOverview = z.output<typeof ScheduledJobOverview>;

export const ScheduledJobOverviews = z
  .object({ scheduledJobs: z.array(ScheduledJobOverview), ...pageTotals })
  .meta({ id: 'ScheduledJobOverviews' });
export type ScheduledJobOverviews = z.output<typeof ScheduledJobOverviews>;

const MAX_NEXT_RUNS = 100;

export const CronQuestion = z
  .object({ cronExpression: cronExpression(), count: int32().min(1).max(MAX_NEXT_RUNS).default(5) })
  .meta({ id: 'CronQuestion' });
export type CronQuestion = z.output<typeof CronQuestion>;

export const CronMeaning = z
  .object({
    /** IANA name of the time zone in which the platform interprets expressions. */
    timeZone: z.string(),
    /** Contains fewer runs than requested if the expression has no further runs. */
    nextRuns: z.array(dateTime()),
    /** Why the expression cannot be used for a job, including the name of the field. */
    problem: z.string().optional(),
  })
  .meta({ id: 'CronMeaning' });
export type CronMeaning = z.output<typeof CronMeaning>;

export const scheduledJobRunOperations = operations(
  { tag: 'Scheduled Jobs Management', resource: 'jobs', module: 'scheduler', errors: objectErrors },
  {
    /** Sorted by name. */
    listScheduledJobOverviews: {
      route: 'GET /x/v1/scheduler/jobs',
      summary: 'List scheduled jobs with their run times',
      query: z.object(pageQuery),
      answer: ScheduledJobOverviews,
      errors: plainErrors,
      access: { action: 'list', filtered: true },
    },
    getScheduledJobOverview: {
      route: 'GET /x/v1/scheduler/jobs/{uuid}',
      summary: 'Get a scheduled job with its run times',
      answer: ScheduledJobOverview,
      access: { action: 'detail', object: 'uuid' },
    },
    /**
     * Starts the job immediately and returns without waiting for it to finish. Returns 422 if the job is already
     * running.
     */
    runScheduledJob: {
      route: 'POST /x/v1/scheduler/jobs/{uuid}/run',
      summary: 'Run a scheduled job now',
      answer: ScheduledJobOverview,
      errors: ruleErrors,
      access: { action: 'enable', object: 'uuid' },
      audit: 'schedule',
    },
    /** For an expression that cannot be used, returns the problem. */
    explainCronExpression: {
      route: 'POST /x/v1/scheduler/cron',
      summary: 'Get the next run times of a cron expression',
      body: CronQuestion,
      answer: CronMeaning,
      errors: plainErrors,
      access: 'authenticated',
    },
  },
);
