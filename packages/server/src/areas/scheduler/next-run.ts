// Rules of scheduled jobs: when one is due next, whatever happened to the clock, and what follows from the end of a
// run. Pure.
import { findNextRun, type Due } from './cron/next-runs.ts';
import type { RunEnd } from './ports.ts';
import type { ScheduledJobRow } from './tables.ts';

/** Runs in a row that may end with their node before the job waits for its next time. */
const MAX_INTERRUPTIONS = 3;

type Times = Pick<ScheduledJobRow, 'cron_expression' | 'time_zone' | 'next_run_at'>;

const dueOf = ({ cron_expression: expression }: Pick<Times, 'cron_expression'>, timeZone: string): Due => ({
  expression,
  timeZone,
});

/** Of a job that begins a run now: however many times were missed, they are made up for by this one. */
export const nextAfterStart = (job: Times, now: Date): Date | null =>
  job.next_run_at === null || job.next_run_at > now ? job.next_run_at : findNextRun(dueOf(job, job.time_zone), now);

/**
 * When a job that waits is due, after the clock or the time zone of the platform was changed. A clock that was set back
 * neither brings the last run again nor has the job wait for longer than until the second time from now on.
 */
export function realigned(job: Times, { now, timeZone }: { readonly now: Date; readonly timeZone: string }) {
  const { next_run_at: next } = job;
  if (next === null || next <= now) return next;
  const due = dueOf(job, timeZone);
  const first = findNextRun(due, now);
  if (job.time_zone !== timeZone || first === null || first >= next) return first;
  const second = findNextRun(due, first);
  return second !== null && second < next ? second : next;
}

type Ended = Pick<ScheduledJobRow, 'one_time' | 'enabled' | 'next_run_at' | 'interruptions'>;

/** What the end of a run changes: one that succeeded was the last one of a job for one time. */
export const afterEnd = (job: Ended, { status }: Pick<RunEnd, 'status'>) => ({
  ...(job.one_time && status === 'succeeded'
    ? { enabled: false, next_run_at: null }
    : { enabled: job.enabled, next_run_at: job.next_run_at }),
  again: false,
  interruptions: 0,
});

/**
 * What it changes that the node of a run died, or stopped, and what becomes of the job in words: one that can be
 * repeated is, but not for ever.
 */
export function afterInterruption(
  { interruptions, enabled }: Pick<Ended, 'interruptions' | 'enabled'>,
  runsAgain: boolean,
) {
  const isRepeatable = runsAgain && enabled;
  const again = isRepeatable && interruptions + 1 < MAX_INTERRUPTIONS;
  const told = again
    ? ' It is run again.'
    : isRepeatable
      ? ` After ${MAX_INTERRUPTIONS} such ends in a row it is not repeated.`
      : '';
  return { after: { again, interruptions: again ? interruptions + 1 : 0 }, told };
}
