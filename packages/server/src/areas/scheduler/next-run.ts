// Rules for scheduled jobs: the next due time, taking clock changes into account, and the effects when a run ends.
// Pure.
import { findNextRun, type Due } from './cron/next-runs.ts';
import type { RunEnd } from './ports.ts';
import type { ScheduledJobRow } from './tables.ts';

/**
 * Maximum number of consecutive runs that a node failure may end. After that, the job waits for its next scheduled
 * time.
 */
const MAX_INTERRUPTIONS = 3;

type RunTimes = Pick<ScheduledJobRow, 'cron_expression' | 'time_zone' | 'next_run_at'>;

const dueOf = ({ cron_expression: expression }: Pick<RunTimes, 'cron_expression'>, timeZone: string): Due => ({
  expression,
  timeZone,
});

/** Returns the next time for a job that starts a run now. This run makes up for all missed runs. */
export const nextAfterStart = (job: RunTimes, now: Date): Date | null =>
  job.next_run_at === null || job.next_run_at > now ? job.next_run_at : findNextRun(dueOf(job, job.time_zone), now);

/**
 * Returns when a waiting job is due after the platform's clock or time zone has changed. If the clock was set back, the
 * last run is not repeated, and the job waits no longer than until the second scheduled time from now.
 */
export function realignedRun(job: RunTimes, { now, timeZone }: { readonly now: Date; readonly timeZone: string }) {
  const { next_run_at: next } = job;
  if (next === null || next <= now) return next;
  const due = dueOf(job, timeZone);
  const first = findNextRun(due, now);
  if (job.time_zone !== timeZone || first === null || first >= next) return first;
  const second = findNextRun(due, first);
  return second !== null && second < next ? second : next;
}

type EndedJob = Pick<ScheduledJobRow, 'one_time' | 'enabled' | 'next_run_at' | 'interruptions'>;

/** Returns the changes to a job after a run. A one-time job is disabled after a successful run. */
export const changesAfterEnd = (job: EndedJob, { status }: Pick<RunEnd, 'status'>) => ({
  ...(job.one_time && status === 'succeeded'
    ? { enabled: false, next_run_at: null }
    : { enabled: job.enabled, next_run_at: job.next_run_at }),
  again: false,
  interruptions: 0,
});

/**
 * Returns the changes to a job after the node of its run crashed or stopped, and a sentence about the job's next run. A
 * repeatable run is repeated, but only a limited number of times.
 */
export function changesAfterInterruption(
  { interruptions, enabled }: Pick<EndedJob, 'interruptions' | 'enabled'>,
  runsAgain: boolean,
) {
  const isRepeatable = runsAgain && enabled;
  const again = isRepeatable && interruptions + 1 < MAX_INTERRUPTIONS;
  const told = again
    ? ' It will be run again.'
    : isRepeatable
      ? ` After ${MAX_INTERRUPTIONS} interruptions in a row, it is not repeated.`
      : '';
  return { after: { again, interruptions: again ? interruptions + 1 : 0 }, told };
}
