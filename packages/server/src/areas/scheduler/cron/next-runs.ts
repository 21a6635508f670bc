// When a cron expression is due, in a time zone. A time of day that a change of clocks leaves out is due right after
// it, and one that comes twice is due once; what is due every hour or minute simply goes on.
import { Cron } from 'croner';
import { croner, CronProblem } from './read-expression.ts';

export interface Due {
  readonly expression: string;
  /** IANA name. */
  readonly timeZone: string;
}

const cronOf = ({ expression, timeZone }: Due): Cron =>
  new Cron(croner(expression), { paused: true, timezone: timeZone, mode: '7-part', fixedTimeRule: 'no-wildcard' });

/** The times after `after`, at most `count` of them; fewer where the expression ends. Throws `CronProblem`. */
export const nextRuns = (due: Due, { after, count }: { readonly after: Date; readonly count: number }): Date[] =>
  cronOf(due).nextRuns(count, after);

/** The first time after `after`. Throws `CronProblem`, also where there is none. */
export function nextRun(due: Due, after: Date): Date {
  const next = findNextRun(due, after);
  if (next === null) throw new CronProblem(`The expression ${due.expression} is never due again.`);
  return next;
}

/** Null where there is none. */
export const findNextRun = (due: Due, after: Date): Date | null => cronOf(due).nextRun(after);
