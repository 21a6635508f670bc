// Labels for the states of scheduled jobs and their runs, and for job types.
import type { ScheduledJobOverview, SchedulerJobExecutionStatus } from '@signetry/contract';
import { formatDateTime, formatRelative, readerTimeZone } from '../../format/dates.ts';
import { EnabledState, stateOf } from '../../ui/state.tsx';

export const RunState = stateOf<SchedulerJobExecutionStatus>({
  started: ['wait', 'Running'],
  succeeded: ['good', 'Succeeded'],
  failed: ['bad', 'Failed'],
});

const jobTypes: Readonly<Record<string, string>> = {
  DiscoveryCertificateTask: 'Discovery',
  UpdateCertificateStatusTask: 'Validates certificates, sends expiry notifications, expires approvals',
};

export const describeJobType = (jobType: string): string => jobTypes[jobType] ?? jobType;

type Job = Pick<ScheduledJobOverview, 'enabled' | 'running' | 'nextRunAt' | 'lastRun'>;

export const JobState = ({ job: { running, enabled } }: { readonly job: Job }) =>
  running ? <RunState of="started" /> : <EnabledState enabled={enabled} />;

/**
 * Returns the next run in the user's time zone. The time zone is named because the schedule may use a different one.
 */
export const describeNextRun = ({ nextRunAt }: Job): string | undefined =>
  nextRunAt && `${formatRelative(nextRunAt)} (${formatDateTime(nextRunAt)}, ${readerTimeZone})`;
