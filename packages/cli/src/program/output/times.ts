// Times for people: ISO 8601 in UTC, and the distance from now.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/**
 * The largest unit that fits at least once; years only from two on, because `400 days` says more than `1 year`.
 */
const UNITS = [
  { name: 'year', length: YEAR, from: 2 * YEAR },
  { name: 'day', length: DAY, from: DAY },
  { name: 'hour', length: HOUR, from: HOUR },
  { name: 'minute', length: MINUTE, from: MINUTE },
] as const;

/** `in 89 days`, `3 hours ago`, `now`; whole units, rounded down. */
export function relativeTime(atMs: number, nowMs: number): string {
  const distance = Math.abs(atMs - nowMs);
  const unit = UNITS.find(({ from }) => distance >= from);
  if (!unit) return 'now';
  const count = Math.floor(distance / unit.length);
  const text = `${count} ${unit.name}${count === 1 ? '' : 's'}`;
  return atMs > nowMs ? `in ${text}` : `${text} ago`;
}

/** `2027-02-18T10:00:00Z (in 89 days)`; empty for an absent instant, the text itself when it is none. */
export function describeTime(text: string | undefined, nowMs: number): string {
  if (text === undefined) return '';
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? text : `${isoTime(atMs)} (${relativeTime(atMs, nowMs)})`;
}

/** ISO 8601 in UTC, to the second. */
export const isoTime = (atMs: number): string => new Date(atMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
