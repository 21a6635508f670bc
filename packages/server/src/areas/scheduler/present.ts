// Presents scheduled jobs in the API format.
import type {
  ScheduledJobDetailDto,
  ScheduledJobDto,
  ScheduledJobHistoryDto,
  ScheduledJobOverview,
} from '@signetry/contract';
import type { ShownJob } from './store.ts';
import type { ScheduledJobRunRow } from './tables.ts';

export const presentJob = (job: ShownJob): ScheduledJobDto => ({
  uuid: job.uuid,
  jobName: job.name,
  jobType: job.job_type,
  cronExpression: job.cron_expression,
  enabled: job.enabled,
  oneTime: job.one_time,
  system: job.system,
  ...(job.last && { lastExecutionStatus: job.last.status }),
});

export const presentDetail = (job: ShownJob): ScheduledJobDetailDto => ({
  ...presentJob(job),
  ...(job.user_uuid !== null && { userUuid: job.user_uuid }),
  ...(job.object_data !== null && { objectData: job.object_data }),
});

export const presentOverview = (job: ShownJob): ScheduledJobOverview => ({
  ...presentJob(job),
  ...(job.username !== null && { username: job.username }),
  timeZone: job.time_zone,
  ...(job.next_run_at !== null && { nextRunAt: job.next_run_at.toISOString() }),
  running: job.run_uuid !== null,
  ...(job.last && { lastRun: presentLast(job.last) }),
});

const presentLast = (run: ScheduledJobRunRow) => ({
  startedAt: run.started_at.toISOString(),
  ...(run.ended_at !== null && { endedAt: run.ended_at.toISOString() }),
  status: run.status,
  ...(run.message !== null && { message: run.message }),
});

export const presentRun = (run: ScheduledJobRunRow): ScheduledJobHistoryDto => ({
  jobUuid: run.job_uuid,
  startTime: run.started_at.toISOString(),
  ...(run.ended_at !== null && { endTime: run.ended_at.toISOString() }),
  status: run.status,
  ...(run.message !== null && { resultMessage: run.message }),
  ...(run.result_resource !== null && { resultObjectType: run.result_resource }),
  ...(run.result_uuids !== null && { resultObjectIdentification: run.result_uuids }),
});
