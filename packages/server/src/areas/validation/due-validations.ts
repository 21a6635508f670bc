// Status changes caused by time alone: certificates are validated when they become valid, near their expiry or expire,
// in small batches, so that lists, searches and counts are up to date without any other writes.
import { runExclusively } from '../../platform/database/exclusive-work.ts';
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import { findDueNow, findNextDue, forgetDue } from './store-many.ts';
import { backgroundContext, VALIDATION_BATCH_SIZE, type ValidateMany } from './validate-many.ts';

/** Maximum delay before this node notices changes made by a different node. */
const PERIOD_MS = 5_000;

export interface DueParts {
  readonly many: Pick<ValidateMany, 'validateMany'>;
}

export function createDueValidations(platform: Platform, { many }: DueParts) {
  const { database, clock, log } = platform;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  /** Validates one batch of due certificates; returns its size. */
  async function runOnce(): Promise<number> {
    const now = clock.now();
    const uuids = await findDueNow(database.executor, { now, limit: VALIDATION_BATCH_SIZE });
    if (uuids.length === 0) return 0;
    const { signal } = stopping;
    const { undecided } = await many.validateMany(uuids, {
      context: backgroundContext(signal),
      asksResponders: true,
      signal,
    });
    await forgetDue(database.executor, { uuids: undecided, now });
    return uuids.length;
  }

  /**
   * Validates all due certificates, on one node at a time, and returns their number; returns 0 while a different node
   * is doing so.
   */
  async function runAll(signal: AbortSignal): Promise<number> {
    let total = 0;
    for (;;) {
      signal.throwIfAborted();
      const done = (await runExclusively(database, 'dueValidations', runOnce)) ?? 0;
      total += done;
      if (done < VALIDATION_BATCH_SIZE) return total;
    }
  }

  /** Sets a timer for the next due certificate if it is due before the next cycle. */
  async function watch(): Promise<void> {
    const next = await findNextDue(database.executor);
    clearTimeout(timer);
    const waitMs = next ? next.getTime() - clock.now().getTime() : PERIOD_MS;
    if (waitMs < PERIOD_MS) timer = setTimeout(rounds.wake, Math.max(1, waitMs));
    timer?.unref();
  }

  const rounds = createRounds({
    log,
    what: 'validation of due certificates',
    periodMs: PERIOD_MS,
    run: async () => {
      const done = await runExclusively(database, 'dueValidations', runOnce);
      if (done === VALIDATION_BATCH_SIZE) return true;
      await watch();
      return false;
    },
  });

  return {
    runOnce,
    runAll,
    start: () => rounds.start(PERIOD_MS),
    stop: () => {
      stopping.abort();
      clearTimeout(timer);
      return rounds.stop();
    },
  };
}
