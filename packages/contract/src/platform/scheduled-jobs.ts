// Scheduled jobs: what the platform does again and again at times that a cron expression tells, and what became of it.
import { z } from 'zod';
import { SchedulerJobExecutionStatus } from '../enums/jobs.ts';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { bounded, dateTime, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { Resource } from './resource.ts';

const MAX_CRON_LENGTH = 255;

/** Six or seven fields as Quartz reads them: seconds, minutes, hours, day of month, month, day of week, year. */
export const cronExpression = () => bounded(MAX_CRON_LENGTH);

export const listedJob = {
  uuid: uuid(),
  jobName: z.string(),
  /** What it does, e.g. `DiscoveryCertificateTask`. */
  jobType: z.string(),
  cronExpression: z.string(),
  enabled: z.boolean(),
  /** Is disabled after its first success. */
  oneTime: z.boolean(),
  /** The platform's own: it can be enabled and disabled, and nothing else. */
  system: z.boolean(),
  /** Of the newest run; absent before the first one. */
  lastExecutionStatus: SchedulerJobExecutionStatus.optional(),
};

export const ScheduledJobDto = z.object(listedJob).meta({ id: 'ScheduledJobDto' });
export type ScheduledJobDto = z.output<typeof ScheduledJobDto>;

export const ScheduledJobsResponseDto = z
  .object({ scheduledJobs: z.array(ScheduledJobDto), ...pageTotals })
  .meta({ id: 'ScheduledJobsResponseDto' });
export type ScheduledJobsResponseDto = z.output<typeof ScheduledJobsResponseDto>;

export const ScheduledJobDetailDto = z
  .object({
    ...listedJob,
    /** In whose name it runs; absent for jobs of the platform. */
    userUuid: uuid().optional(),
    /** What it was asked to do, without secrets. */
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
    /** Of the objects that came of it. */
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
    /** By name. */
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
    /** The cron expression only. Who decides whether a job runs decides when. */
    updateScheduledJob: {
      route: 'PUT /v1/scheduler/jobs/{uuid}',
      summary: 'Edit Scheduled job',
      body: UpdateScheduledJob,
      answer: ScheduledJobDetailDto,
      errors: ruleErrors,
      access: { action: 'enable', object: 'uuid' },
      audit: 'update',
    },
    /** With its history. Refused (422) for jobs of the platform, and while it runs. */
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
    /** A run that is under way goes on. */
    disableScheduledJob: {
      route: 'PATCH /v1/scheduler/jobs/{uuid}/disable',
      summary: 'Disabling of Scheduled job',
      access: { action: 'enable', object: 'uuid' },
      audit: 'disable',
    },
  },
);
