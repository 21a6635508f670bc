import { describe, expect, it } from 'vitest';
import { plannedAt, nextAttemptAt, windowStart } from './renewal-window.ts';

const DAY_MS = 86_400_000;
const notBefore = new Date('2026-01-01T00:00:00Z');
const lasting = (days: number) => ({ notBefore, notAfter: new Date(notBefore.getTime() + days * DAY_MS) });
const day = (at: Date): number => (at.getTime() - notBefore.getTime()) / DAY_MS;

describe('the renewal window', () => {
  it.each([
    [90, null, 60],
    [90, 10, 80],
    [47, 30, 23.5],
    [10, 3_650, 5],
  ])(
    'of a certificate valid for %i days, configured as %s days before expiry, begins on day %f',
    (days, before, expected) => {
      expect(day(windowStart(lasting(days), before))).toBe(expected);
    },
  );
});

describe('the planned renewal time', () => {
  it('is always the same for a given certificate, and spreads many certificates over a tenth of the window', () => {
    const days = Array.from({ length: 1_000 }, (_, index) => day(plannedAt(`certificate ${index}`, lasting(90), null)));
    expect(plannedAt('one', lasting(90), null)).toEqual(plannedAt('one', lasting(90), null));
    expect(Math.min(...days)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...days)).toBeLessThan(63);
    const firstHalf = days.filter((each) => each < 61.5).length;
    expect(firstHalf).toBeGreaterThan(400);
    expect(firstHalf).toBeLessThan(600);
  });
});

describe('a failed renewal', () => {
  const now = new Date('2026-03-01T00:00:00Z');
  const minutesUntil = (attempts: number, leftDays: number): number => {
    const notAfter = new Date(now.getTime() + leftDays * DAY_MS);
    return (nextAttemptAt(now, { attempts, notAfter }).getTime() - now.getTime()) / 60_000;
  };

  it('is retried with increasing delays, but at least once a day', () => {
    expect([1, 2, 3, 20].map((attempts) => minutesUntil(attempts, 30))).toEqual([15, 30, 60, 1_440]);
  });

  it('is retried before expiry, but not continuously', () => {
    expect(minutesUntil(20, 0.5)).toBe(360);
    expect(minutesUntil(20, 0)).toBe(1);
  });
});
