// Ensures that only one node at a time performs a piece of work for an authority. The work makes calls, which must not
// happen inside a transaction, so it runs under a lease in the database. A failure postpones the next attempt. Leases
// and pauses use the database clock, because the nodes' clocks differ.
import { setTimeout as delay } from 'node:timers/promises';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { TaskOutcome } from './publication-times.ts';
import {
  releaseLease,
  LEASE_RENEWAL_MS,
  renewLease,
  acquireLease,
  type RevocationTask,
  type WorkResult,
} from './store-tasks.ts';

export type { RevocationTask, WorkResult } from './store-tasks.ts';

/** How often to check whether another node's lease has expired. */
const LEASE_POLL_MS = 200;

export interface TaskOptions {
  readonly duty: RevocationTask;
  readonly nodeId: string;
  /** Whether to ignore the pause after a failure. */
  readonly evenIfPaused: boolean;
  /** How long to wait if another node is doing the work. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** `paused`: an attempt failed recently. `busy`: another node was doing the work the entire time. */
export type TaskResponse =
  WorkResult | { readonly outcome: 'paused' | 'busy'; readonly lastOutcome: TaskOutcome | null };

/** Runs `work` under a duty's lease. An error thrown by `work` is recorded as a failure and rethrown. */
export async function performTask(
  executor: Executor,
  options: TaskOptions,
  work: () => Promise<WorkResult>,
): Promise<TaskResponse> {
  const { duty, signal } = options;
  const endMs = performance.now() + options.waitMs;
  const lease = newUuid();
  for (;;) {
    const taken = await acquireLease(executor, {
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
  const renewal = renewPeriodically(() => renewLease(executor, { duty, lease }));
  try {
    result = await work();
    return result;
  } catch (error) {
    result = { outcome: 'failed', problem: error instanceof Error ? error.message : 'unknown error' };
    throw error;
  } finally {
    await renewal.stop();
    await releaseLease(executor, { duty, lease, result });
  }
}

/** If a renewal fails, the next one is still attempted; if all of them fail, the lease expires, as intended. */
function renewPeriodically(renew: () => Promise<void>): { stop: () => Promise<void> } {
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
