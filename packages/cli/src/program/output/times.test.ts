import { describe, expect, it } from 'vitest';
import { describeTime, relativeTime } from './times.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

describe('a time', () => {
  it.each([
    ['2026-11-20T12:00:59Z', 'now'],
    ['2026-11-20T11:59:01Z', 'now'],
    ['2026-11-20T12:01:00Z', 'in 1 minute'],
    ['2026-11-20T10:00:00Z', '2 hours ago'],
    ['2026-11-21T11:59:59Z', 'in 23 hours'],
    ['2027-02-17T12:00:00Z', 'in 89 days'],
    ['2027-12-20T12:00:00Z', 'in 395 days'],
    ['2028-11-20T12:00:00Z', 'in 2 years'],
    ['2016-11-20T12:00:00Z', '10 years ago'],
  ])('%s is displayed as %s', (text, expected) => {
    expect(relativeTime(Date.parse(text), now)).toBe(expected);
  });

  it('is shown in UTC to the second, with the relative time', () => {
    expect(describeTime('2027-02-17T13:00:00.123+01:00', now)).toBe('2027-02-17T12:00:00Z (in 89 days)');
  });

  it('is left unchanged if it cannot be parsed as a time', () => {
    expect([describeTime(undefined, now), describeTime('soon', now)]).toEqual(['', 'soon']);
  });
});
