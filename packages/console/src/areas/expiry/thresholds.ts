// Notification thresholds in days before certificate expiry, as entered and as displayed. Pure.
import { MAX_THRESHOLD_DAYS, MAX_THRESHOLDS } from '@signetry/contract';

/** Returns unique values in descending order; undefined if the text is not a valid list. */
export function daysOf(text: string): number[] | undefined {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const days = [...new Set(words.map((word) => (/^\d+$/.test(word) ? Number(word) : NaN)))];
  if (days.length > MAX_THRESHOLDS || days.some((day) => !(day >= 1 && day <= MAX_THRESHOLD_DAYS))) return undefined;
  return days.toSorted((one, other) => other - one);
}

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' });

export const describeThresholds = (days: readonly number[]): string =>
  days.length === 0
    ? 'Never'
    : `${listed.format(days.map(String))} ${days.length === 1 && days[0] === 1 ? 'day' : 'days'} before`;
