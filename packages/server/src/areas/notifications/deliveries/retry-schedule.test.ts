// Goal: delays grow, receivers can request longer ones, and a receiver that was down for a day still gets its message.
import { describe, expect, it } from 'vitest';
import { nextAttemptAt } from './retry-schedule.ts';

const queuedAt = new Date('2026-03-01T00:00:00Z');
const seconds = (attempts: number, more: { readonly retryAfterS?: number; readonly chance?: number } = {}) => {
  const at = nextAttemptAt(queuedAt, { attempts, queuedAt }, { chance: 0.5, ...more });
  return at === null ? null : (at.getTime() - queuedAt.getTime()) / 1_000;
};

describe('a failed delivery', () => {
  it('is retried with increasing delays of up to four hours', () => {
    expect([1, 2, 3, 4, 30].map((attempts) => seconds(attempts))).toEqual([10, 20, 40, 80, 14_400]);
  });

  it('is not retried at the same time as all other failed deliveries', () => {
    expect(seconds(1, { chance: 0 })).toBe(8);
    expect(seconds(1, { chance: 1 })).toBe(12);
  });

  it('is retried after the delay that the receiver requests, up to a day', () => {
    expect(seconds(1, { retryAfterS: 600 })).toBe(600);
    expect(seconds(1, { retryAfterS: 1 })).toBe(10);
    expect(seconds(1, { retryAfterS: 10_000_000 })).toBe(86_400);
  });

  it('is still retried after a full day of downtime, and then abandoned', () => {
    let now = queuedAt;
    let attempts = 0;
    for (;;) {
      attempts += 1;
      const next = nextAttemptAt(now, { attempts, queuedAt }, { chance: 0.5 });
      if (next === null) break;
      now = next;
    }
    const hours = (now.getTime() - queuedAt.getTime()) / 3_600_000;
    expect(hours).toBeGreaterThan(24);
    expect(hours).toBeLessThan(29);
    expect(attempts).toBeLessThan(25);
  });
});
