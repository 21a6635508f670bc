// Goal: pauses grow, receivers may ask for longer ones, and what was out of order for a day gets its message after it.
import { describe, expect, it } from 'vitest';
import { triedAgainAt } from './retry-schedule.ts';

const queuedAt = new Date('2026-03-01T00:00:00Z');
const seconds = (attempts: number, more: { readonly retryAfterS?: number; readonly chance?: number } = {}) => {
  const at = triedAgainAt(queuedAt, { attempts, queuedAt }, { chance: 0.5, ...more });
  return at === null ? null : (at.getTime() - queuedAt.getTime()) / 1_000;
};

describe('a delivery that failed', () => {
  it('is tried again after ever longer pauses, of four hours at most', () => {
    expect([1, 2, 3, 4, 30].map((attempts) => seconds(attempts))).toEqual([10, 20, 40, 80, 14_400]);
  });

  it('is not tried together with all others that failed', () => {
    expect(seconds(1, { chance: 0 })).toBe(8);
    expect(seconds(1, { chance: 1 })).toBe(12);
  });

  it('waits as long as the receiver asks, and a day at most', () => {
    expect(seconds(1, { retryAfterS: 600 })).toBe(600);
    expect(seconds(1, { retryAfterS: 1 })).toBe(10);
    expect(seconds(1, { retryAfterS: 10_000_000 })).toBe(86_400);
  });

  it('is tried after a whole day out of order, and given up then', () => {
    let now = queuedAt;
    let attempts = 0;
    for (;;) {
      attempts += 1;
      const next = triedAgainAt(now, { attempts, queuedAt }, { chance: 0.5 });
      if (next === null) break;
      now = next;
    }
    const hours = (now.getTime() - queuedAt.getTime()) / 3_600_000;
    expect(hours).toBeGreaterThan(24);
    expect(hours).toBeLessThan(29);
    expect(attempts).toBeLessThan(25);
  });
});
