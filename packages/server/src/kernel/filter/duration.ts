// ISO 8601 durations in filters: non-negative whole numbers of calendar units from years to seconds.

export interface Duration {
  readonly months: number;
  readonly days: number;
  readonly seconds: number;
}

const DURATION =
  /^P(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/** Last year that both PostgreSQL and the API can represent. */
const MAX_YEAR = 9999;

export function parseDuration(text: string): Duration | undefined {
  const match = DURATION.exec(text);
  if (!match || /[PT]$/.test(text)) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = match.slice(1).map((digits) => Number(digits ?? 0));
  return {
    months: (years ?? 0) * 12 + (months ?? 0),
    days: (weeks ?? 0) * 7 + (days ?? 0),
    seconds: (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0),
  };
}

/**
 * Adds a duration to an instant or subtracts it, in UTC. If the resulting month lacks the day, its last day is used:
 * one month after 31 January is 28 February. Returns `undefined` if the result is outside the representable years.
 */
export function addDuration(start: Date, duration: Duration, direction: 1 | -1): Date | undefined {
  const moved = new Date(start);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + direction * duration.months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  moved.setTime(moved.getTime() + direction * (duration.days * 86_400 + duration.seconds) * 1000);
  const year = moved.getUTCFullYear();
  return year >= 1 && year <= MAX_YEAR ? moved : undefined;
}
