// One node at a time does a piece of work for an authority: a lease in the database, taken and given back around work
// that makes calls, which no transaction may span. Failures put the next attempt off. Leases and pauses are measured by
// the database's clock, because the clocks of nodes differ.
import { setTimeout as delay } from 'node:timers/promises';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { DutyOutcome } from './publication-times.ts';
import { giveBackLease, LEASE_RENEWAL_MS, renewLease, takeLease, type Duty, type WorkResult } from './store-duties.ts';

export type { Duty, WorkResult } from './store-duties.ts';

/** Looks for a lease of another node to end. */
const LEASE_POLL_MS = 200;

export interface DutyOptions {
  readonly duty: Duty;
  readonly nodeId: string;
  /** Also when the pause after a failure is not over. */
  readonly evenIfPaused: boolean;
  /** How long to wait for another node that is working on it. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** `paused`: an attempt failed shortly before. `busy`: another node worked on it all the time. */
export type DutyAnswer = WorkResult | { readonly outcome: 'paused' | 'busy'; readonly lastOutcome: DutyOutcome | null };

/** Runs `work` under the lease of a duty. An error of `work` counts as a failure and is thrown on. */
export async function performDuty(
  executor: Executor,
  options: DutyOptions,
  work: () => Promise<WorkResult>,
): Promise<DutyAnswer> {
  const { duty, signal } = options;
  const endMs = performance.now() + options.waitMs;
  const lease = newUuid();
  for (;;) {
    const taken = await takeLease(executor, {
      duty,
      lease,
      nodeId: options.nodeId,
      evenIfPaused: options.evenIfPaused,
    });
    if (taken.got) break;
    if (!taken.leased) return { outcome: 'paused', lastOutcome: taken.lastOutcome };
    if (performance.now() >= endMs) return { outcome: 'busy', lastOutcome: taken.lastOutcome };
    await delay(LEASE_POLL_MS, undefined, signal ? { signal } : {});
  }
  let result: WorkResult = { outcome: 'failed', problem: 'interrupted' };
  const renewal = keepRenewing(() => renewLease(executor, { duty, lease }));
  try {
    result = await work();
    return result;
  } catch (error) {
    result = { outcome: 'failed', problem: error instanceof Error ? error.message : 'an unknown error' };
    throw error;
  } finally {
    await renewal.stop();
    await giveBackLease(executor, { duty, lease, result });
  }
}

/** A renewal that fails is followed by the next one; when all fail, the lease ends as it should. */
function keepRenewing(renew: () => Promise<void>): { stop: () => Promise<void> } {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= renew()
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
      });
  }, LEASE_RENEWAL_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
