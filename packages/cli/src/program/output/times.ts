// Human-readable times: ISO 8601 in UTC, and the time relative to now.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/**
 * The largest unit that fits at least once is used. Years are used only from two years up, because `400 days` is more
 * precise than `1 year`.
 */
const UNITS = [
  { name: 'year', length: YEAR, from: 2 * YEAR },
  { name: 'day', length: DAY, from: DAY },
  { name: 'hour', length: HOUR, from: HOUR },
  { name: 'minute', length: MINUTE, from: MINUTE },
] as const;

/** Returns `in 89 days`, `3 hours ago` or `now`, in whole units, rounded down. */
export function relativeTime(atMs: number, nowMs: number): string {
  const distance = Math.abs(atMs - nowMs);
  const unit = UNITS.find(({ from }) => distance >= from);
  if (!unit) return 'now';
  const count = Math.floor(distance / unit.length);
  const text = `${count} ${unit.name}${count === 1 ? '' : 's'}`;
  return atMs > nowMs ? `in ${text}` : `${text} ago`;
}

/**
 * Returns `2027-02-18T10:00:00Z (in 89 days)`; empty if the text is absent, or the text itself if it is not a
 * timestamp.
 */
export function describeTime(text: string | undefined, nowMs: number): string {
  if (text === undefined) return '';
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? text : `${isoTime(atMs)} (${relativeTime(atMs, nowMs)})`;
}

/** Returns the time in ISO 8601 format and UTC, to the second. */
export const isoTime = (atMs: number): string => new Date(atMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
