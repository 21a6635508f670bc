// Dates and times in the user's language and time zone.
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const utcDate = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const utcMonth = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const utcWeekday = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' });

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const formatDate = (instant: string | Date): string => date.format(new Date(instant));
/** Short format for chart axes. */
export const formatDay = (instant: string | Date): string => day.format(new Date(instant));
/** For the platform's calendar days, which begin at midnight UTC. */
export const formatUtcDate = (instant: string | Date): string => utcDate.format(new Date(instant));
export const formatUtcMonth = (instant: string | Date): string => utcMonth.format(new Date(instant));
export const formatUtcWeekday = (instant: string | Date): string => utcWeekday.format(new Date(instant));
export const formatDateTime = (instant: string | Date): string => dateAndTime.format(new Date(instant));

/** The user's time zone, e.g. `Europe/Berlin`. */
export const readerTimeZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns text such as `in 3 months` or `2 hours ago`. Months and years are used only for counts of two or more. */
export function formatRelative(instant: string | Date, now: number = Date.now()): string {
  const distance = new Date(instant).getTime() - now;
  const size = Math.abs(distance);
  if (size < HOUR_MS) return relative.format(Math.trunc(distance / MINUTE_MS), 'minute');
  if (size < DAY_MS) return relative.format(Math.trunc(distance / HOUR_MS), 'hour');
  if (size < 60 * DAY_MS) return relative.format(Math.round(distance / DAY_MS), 'day');
  if (size < 730 * DAY_MS) return relative.format(Math.round(distance / (30.44 * DAY_MS)), 'month');
  return relative.format(Math.round(distance / (365.25 * DAY_MS)), 'year');
}

/** Formats the length of a period in the most readable unit, such as `90 days` or `10 years`. */
export function formatPeriod(fromInstant: string, toInstant: string): string {
  const days = Math.round((Date.parse(toInstant) - Date.parse(fromInstant)) / DAY_MS);
  if (days >= 730) return `${Math.round(days / 365.25)} years`;
  if (days >= 2) return `${days} days`;
  const hours = Math.round((Date.parse(toInstant) - Date.parse(fromInstant)) / HOUR_MS);
  return hours === 1 ? '1 hour' : `${hours} hours`;
}
