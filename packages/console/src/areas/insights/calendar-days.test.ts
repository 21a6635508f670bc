import { describe, expect, it } from 'vitest';
import { searchExpiring, monthsOf } from './calendar-days.ts';

const DAY_MS = 86_400_000;
const series = (first: string, counts: Readonly<Record<number, number>>) =>
  Array.from({ length: 365 }, (_, place) => ({
    from: new Date(Date.parse(first) + place * DAY_MS).toISOString().slice(0, 10),
    certificates: counts[place] ?? 0,
  }));

describe('the expiry calendar', () => {
  it('contains every day once, in the correct month, with weeks that start on Monday', () => {
    const months = monthsOf(series('2026-11-23', { 0: 2, 8: 3 }));
    expect(months.map(({ month }) => month)).toEqual(
      expect.arrayContaining(['2026-11-01', '2027-02-01', '2027-11-01']),
    );
    expect(months.flatMap(({ days }) => days)).toHaveLength(365);
    // 2026-11-23 is a Monday, 2026-12-01 a Tuesday.
    expect(months.slice(0, 2)).toMatchObject([
      { certificates: 2, offset: 0 },
      { certificates: 3, offset: 1 },
    ]);
  });

  it('marks the days on which certificates valid for 47, 100 and 200 days would expire', () => {
    const marked = monthsOf(series('2026-11-23', {})).flatMap(({ days }) => days.filter(({ validity }) => validity));
    expect(marked).toMatchObject([
      { day: '2027-01-09', validity: 47 },
      { day: '2027-03-03', validity: 100 },
      { day: '2027-06-11', validity: 200 },
    ]);
  });

  it('shades a day with one certificate visibly, even next to a day with a million', () => {
    const [month] = monthsOf(series('2026-11-01', { 1: 1, 2: 1_000, 3: 1_000_000 }));
    expect(month?.days.slice(0, 4).map(({ shade }) => shade)).toEqual([0, 1, 3, 5]);
  });

  it('links to whole days, and includes the archive if archived certificates are counted', () => {
    const { filters, archived } = searchExpiring('2027-01-09', 1, true);
    expect(archived).toBe(true);
    expect(filters?.map(({ value }) => value)).toEqual([
      ['issued'],
      '2027-01-09T00:00:00.000Z',
      '2027-01-10T00:00:00.000Z',
    ]);
    expect(searchExpiring('2027-01-09', 1, false)).not.toHaveProperty('archived');
  });
});
