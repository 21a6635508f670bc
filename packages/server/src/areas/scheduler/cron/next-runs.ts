// Calculates when a cron expression is due in a time zone. If a clock change skips a time of day, it is due immediately
// after the change; if a time of day occurs twice, it is due only once. Expressions that are due every hour or every
// minute are not affected.
import { Cron } from 'croner';
import { croner, CronProblem } from './read-expression.ts';

export interface Due {
  readonly expression: string;
  /** IANA time zone name. */
  readonly timeZone: string;
}

const cronOf = ({ expression, timeZone }: Due): Cron =>
  new Cron(croner(expression), { paused: true, timezone: timeZone, mode: '7-part', fixedTimeRule: 'no-wildcard' });

/**
 * Returns up to `count` times later than `after`; fewer if the expression has no further times. Throws `CronProblem`.
 */
export const nextRuns = (due: Due, { after, count }: { readonly after: Date; readonly count: number }): Date[] =>
  cronOf(due).nextRuns(count, after);

/** Returns the first time later than `after`. Throws `CronProblem`, including when there is no such time. */
export function nextRun(due: Due, after: Date): Date {
  const next = findNextRun(due, after);
  if (next === null) throw new CronProblem(`The expression ${due.expression} will never be due again.`);
  return next;
}

/** Returns null if there is no such time. */
export const findNextRun = (due: Due, after: Date): Date | null => cronOf(due).nextRun(after);
