// The states of scheduled jobs and of their runs, and what jobs do, in words.
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
  UpdateCertificateStatusTask: 'Validates certificates, tells of their end, expires approvals',
};

export const wordsOfJobType = (jobType: string): string => jobTypes[jobType] ?? jobType;

type Job = Pick<ScheduledJobOverview, 'enabled' | 'running' | 'nextRunAt' | 'lastRun'>;

export const JobState = ({ job: { running, enabled } }: { readonly job: Job }) =>
  running ? <RunState of="started" /> : <EnabledState enabled={enabled} />;

/** In the time zone of the reader, with its name: the schedule may be in another one. */
export const wordsOfNextRun = ({ nextRunAt }: Job): string | undefined =>
  nextRunAt && `${formatRelative(nextRunAt)} (${formatDateTime(nextRunAt)}, ${readerTimeZone})`;
