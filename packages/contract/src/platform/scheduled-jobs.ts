// Scheduled jobs, which the platform runs at times defined by a cron expression, and their results.
import { z } from 'zod';
import { SchedulerJobExecutionStatus } from '../enums/jobs.ts';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { bounded, dateTime, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { Resource } from './resource.ts';

const MAX_CRON_LENGTH = 255;

/** Six or seven fields in Quartz syntax: seconds, minutes, hours, day of month, month, day of week, year. */
export const cronExpression = () => bounded(MAX_CRON_LENGTH);

export const jobListFields = {
  uuid: uuid(),
  jobName: z.string(),
  /** Type of work, e.g. `DiscoveryCertificateTask`. */
  jobType: z.string(),
  cronExpression: z.string(),
  enabled: z.boolean(),
  /** Whether the job is disabled after its first successful run. */
  oneTime: z.boolean(),
  /** Whether the job belongs to the platform. Platform jobs can only be enabled and disabled. */
  system: z.boolean(),
  /** Status of the latest run; absent before the first one. */
  lastExecutionStatus: SchedulerJobExecutionStatus.optional(),
};

export const ScheduledJobDto = z.object(jobListFields).meta({ id: 'ScheduledJobDto' });
export type ScheduledJobDto = z.output<typeof ScheduledJobDto>;

export const ScheduledJobsResponseDto = z
  .object({ scheduledJobs: z.array(ScheduledJobDto), ...pageTotals })
  .meta({ id: 'ScheduledJobsResponseDto' });
export type ScheduledJobsResponseDto = z.output<typeof ScheduledJobsResponseDto>;

export const ScheduledJobDetailDto = z
  .object({
    ...jobListFields,
    /** User that the job runs as; absent for platform jobs. */
    userUuid: uuid().optional(),
    /** Parameters of the job, without secrets. */
    objectData: z.unknown().optional(),
  })
  .meta({ id: 'ScheduledJobDetailDto' });
export type ScheduledJobDetailDto = z.output<typeof ScheduledJobDetailDto>;

export const UpdateScheduledJob = z.object({ cronExpression: cronExpression() }).meta({ id: 'UpdateScheduledJob' });
export type UpdateScheduledJob = z.output<typeof UpdateScheduledJob>;

export const ScheduledJobHistoryDto = z
  .object({
    jobUuid: uuid().optional(),
    startTime: dateTime(),
    endTime: dateTime().optional(),
    status: SchedulerJobExecutionStatus,
    resultMessage: z.string().optional(),
    /** Resource of the objects produced by the run. */
    resultObjectType: Resource.optional(),
    resultObjectIdentification: z.array(z.string()).optional(),
  })
  .meta({ id: 'ScheduledJobHistoryDto' });
export type ScheduledJobHistoryDto = z.output<typeof ScheduledJobHistoryDto>;

export const ScheduledJobHistoryResponseDto = z
  .object({ scheduledJobHistory: z.array(ScheduledJobHistoryDto), ...pageTotals })
  .meta({ id: 'ScheduledJobHistoryResponseDto' });
export type ScheduledJobHistoryResponseDto = z.output<typeof ScheduledJobHistoryResponseDto>;

export const scheduledJobOperations = operations(
  { tag: 'Scheduled Jobs Management', resource: 'jobs', module: 'scheduler', errors: objectErrors },
  {
    /** Sorted by name. */
    listScheduledJobs: {
      route: 'GET /v1/scheduler/jobs',
      summary: 'List of scheduled jobs',
      query: z.object(pageQuery),
      answer: ScheduledJobsResponseDto,
      errors: plainErrors,
      access: { action: 'list', filtered: true },
    },
    getScheduledJobDetail: {
      route: 'GET /v1/scheduler/jobs/{uuid}',
      summary: 'Scheduled job detail',
      answer: ScheduledJobDetailDto,
      access: { action: 'detail', object: 'uuid' },
    },
    /**
     * Updates only the cron expression. Requires the permission to enable the job, since the expression determines when
     * it runs.
     */
    updateScheduledJob: {
      route: 'PUT /v1/scheduler/jobs/{uuid}',
      summary: 'Edit Scheduled job',
      body: UpdateScheduledJob,
      answer: ScheduledJobDetailDto,
      errors: ruleErrors,
      access: { action: 'enable', object: 'uuid' },
      audit: 'update',
    },
    /** Also deletes the job's history. Rejected (422) for platform jobs and while the job is running. */
    deleteScheduledJob: {
      route: 'DELETE /v1/scheduler/jobs/{uuid}',
      summary: 'Delete Scheduled job',
      errors: ruleErrors,
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    /** Newest first. */
    getScheduledJobHistory: {
      route: 'GET /v1/scheduler/jobs/{uuid}/history',
      summary: 'Scheduled job history',
      query: z.object(pageQuery),
      answer: ScheduledJobHistoryResponseDto,
      access: { action: 'detail', object: 'uuid' },
    },
    enableScheduledJob: {
      route: 'PATCH /v1/scheduler/jobs/{uuid}/enable',
      summary: 'Enabling of Scheduled job',
      errors: ruleErrors,
      access: { action: 'enable', object: 'uuid' },
      audit: 'enable',
    },
    /** A run in progress continues. */
    disableScheduledJob: {
      route: 'PATCH /v1/scheduler/jobs/{uuid}/disable',
      summary: 'Disabling of Scheduled job',
      access: { action: 'enable', object: 'uuid' },
      audit: 'disable',
    },
  },
);
