import { describe, expect, it } from 'vitest';
import { comingDays, EXPIRY_BUCKETS, expiryBounds, fillSeries, lastDays } from './expiry-buckets.ts';

const now = new Date('2026-11-20T17:45:30.250Z');
const DAY_MS = 86_400_000;

/** Determines the bucket as the database does: by the number of bounds that the expiry has reached. */
const bucketOf = (end: number): string | undefined =>
  EXPIRY_BUCKETS[expiryBounds(now).filter((bound) => end >= bound.getTime()).length];

describe('an expiry time', () => {
  it.each([
    [-1, 'Expired'],
    [0, '10'],
    [10 * DAY_MS, '10'],
    [10 * DAY_MS + 1, '20'],
    [20 * DAY_MS, '20'],
    [30 * DAY_MS, '30'],
    [30 * DAY_MS + 1, '60'],
    [60 * DAY_MS, '60'],
    [90 * DAY_MS, '90'],
    [90 * DAY_MS + 1, 'More'],
  ])('%i ms from now is in bucket %s', (distance, bucket) => {
    expect(bucketOf(now.getTime() + distance)).toBe(bucket);
  });
});

describe('daily series', () => {
  it('end or begin with the current day in UTC', () => {
    expect(fillSeries(lastDays(now, 3), [{ step: 2, count: 5 }])).toEqual([
      { from: '2026-11-18', certificates: 0 },
      { from: '2026-11-19', certificates: 0 },
      { from: '2026-11-20', certificates: 5 },
    ]);
    expect(fillSeries(comingDays(now, 2, 1), [{ step: 0, count: 1 }])).toEqual([
      { from: '2026-11-20', certificates: 1 },
      { from: '2026-11-21', certificates: 0 },
    ]);
  });

  it('cover the year in weeks, the last of which may extend beyond the year', () => {
    const weeks = fillSeries(comingDays(now, 365, 7), []);
    expect(weeks).toHaveLength(53);
    expect([weeks[1]?.from, weeks.at(-1)?.from]).toEqual(['2026-11-27', '2027-11-19']);
  });
});
