import { setTimeout as passTime } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Logger } from '../logging/logger.ts';
import { createRounds } from './rounds.ts';

const NEVER_MS = 60_000;

function startRounds(options: {
  readonly run: () => Promise<boolean>;
  readonly periodMs?: number;
  readonly restMs?: number;
}) {
  const errors: string[] = [];
  // The only method that is called.
  const log = { error: (_facts: object, message: string) => errors.push(message) } as unknown as Logger;
  const rounds = createRounds({ log, what: 'looking', periodMs: NEVER_MS, ...options });
  onTestFinished(() => rounds.stop());
  rounds.start();
  return { rounds, errors };
}

describe('rounds', () => {
  it('follow each other without a pause while there is more work', async () => {
    let left = 3;
    const run = vi.fn(async () => --left > 0);
    startRounds({ run });
    await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(3));
    await passTime(20);
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('continue after a failure, which is logged', async () => {
    const run = vi.fn(() => Promise.reject(new Error('no')));
    const { errors } = startRounds({ run, periodMs: 1 });
    await vi.waitFor(() => expect(run.mock.calls.length).toBeGreaterThan(2));
    expect(errors[0]).toBe('looking failed; retrying');
  });

  it('start immediately when woken, and run one more time if woken during a round', async () => {
    const ends: (() => void)[] = [];
    const run = vi.fn(() => new Promise<boolean>((resolve) => ends.push(() => resolve(false))));
    const { rounds } = startRounds({ run });
    await vi.waitFor(() => expect(ends).toHaveLength(1));
    rounds.wake();
    rounds.wake();
    await passTime(20);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await vi.waitFor(() => expect(ends).toHaveLength(2));
    ends[1]?.();
    await passTime(20);
    expect(ends).toHaveLength(2);
    rounds.wake();
    await vi.waitFor(() => expect(ends).toHaveLength(3));
    ends[2]?.();
  });

  it('pause between requested rounds, but not while there is more work', async () => {
    const began: number[] = [];
    let left = 3;
    const run = vi.fn(async () => {
      began.push(performance.now());
      return --left > 0;
    });
    const { rounds } = startRounds({ run, restMs: 150 });
    await vi.waitFor(() => expect(began).toHaveLength(3), { interval: 1 });
    expect(began[2]! - began[0]!).toBeLessThan(150);
    rounds.wake();
    rounds.wake();
    await vi.waitFor(() => expect(began).toHaveLength(4), { interval: 1 });
    // A timer counts whole milliseconds, from the loop's own clock.
    expect(began[3]! - began[2]!).toBeGreaterThanOrEqual(145);
  });

  it('pause longer after a long round', async () => {
    const began: number[] = [];
    const run = vi.fn(async () => {
      began.push(performance.now());
      await passTime(20);
      return false;
    });
    const { rounds } = startRounds({ run, restMs: 1 });
    await vi.waitFor(() => expect(began).toHaveLength(1), { interval: 1 });
    rounds.wake();
    await vi.waitFor(() => expect(began).toHaveLength(2), { interval: 1 });
    expect(began[1]! - began[0]!).toBeGreaterThanOrEqual(300);
  });

  it('have finished when the stop promise resolves, and no further rounds are started', async () => {
    let underWay = 0;
    const run = vi.fn(async () => {
      underWay += 1;
      await passTime(20);
      underWay -= 1;
      return true;
    });
    const { rounds } = startRounds({ run });
    await vi.waitFor(() => expect(underWay).toBe(1), { interval: 1 });
    await rounds.stop();
    expect(underWay).toBe(0);
    run.mockClear();
    rounds.wake();
    await passTime(20);
    expect(run).not.toHaveBeenCalled();
  });
});
