// When scheduled jobs run next and how they ended, a run out of turn, and what a cron expression means. Not part of the
// published interface.
import { z } from 'zod';
import { SchedulerJobExecutionStatus } from '../enums/jobs.ts';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { cronExpression, listedJob } from '../platform/scheduled-jobs.ts';
import { dateTime, int32 } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

/** A job with its times. */
export const ScheduledJobOverview = z
  .object({
    ...listedJob,
    /** Name of the user as whom it runs; absent for jobs of the platform. */
    username: z.string().optional(),
    /** IANA name of the zone that the expression is in. */
    timeZone: z.string(),
    /** Absent when it is disabled, or never due again. */
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
    /** IANA name of the zone that the platform reads expressions in. */
    timeZone: z.string(),
    /** Fewer than were asked for where the expression ends. */
    nextRuns: z.array(dateTime()),
    /** Why no job can have the expression, with the name of the field. */
    problem: z.string().optional(),
  })
  .meta({ id: 'CronMeaning' });
export type CronMeaning = z.output<typeof CronMeaning>;

export const scheduledJobRunOperations = operations(
  { tag: 'Scheduled Jobs Management', resource: 'jobs', module: 'scheduler', errors: objectErrors },
  {
    /** By name. */
    listScheduledJobOverviews: {
      route: 'GET /x/v1/scheduler/jobs',
      summary: 'List scheduled jobs with their times',
      query: z.object(pageQuery),
      answer: ScheduledJobOverviews,
      errors: plainErrors,
      access: { action: 'list', filtered: true },
    },
    getScheduledJobOverview: {
      route: 'GET /x/v1/scheduler/jobs/{uuid}',
      summary: 'Get a scheduled job with its times',
      answer: ScheduledJobOverview,
      access: { action: 'detail', object: 'uuid' },
    },
    /** Begins at once, and answers. Refused (422) while the job runs. */
    runScheduledJob: {
      route: 'POST /x/v1/scheduler/jobs/{uuid}/run',
      summary: 'Run a scheduled job now',
      answer: ScheduledJobOverview,
      errors: ruleErrors,
      access: { action: 'enable', object: 'uuid' },
      audit: 'schedule',
    },
    /** An expression that cannot be used is answered with its problem. */
    explainCronExpression: {
      route: 'POST /x/v1/scheduler/cron',
      summary: 'Tell when a cron expression is due',
      body: CronQuestion,
      answer: CronMeaning,
      errors: plainErrors,
      access: 'authenticated',
    },
  },
);
