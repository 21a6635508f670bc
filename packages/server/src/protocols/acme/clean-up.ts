// Removes expired data: used nonces after their lifetime, orders and authorizations long after their expiry, and
// renewal windows of expired certificates. Account totals stay exact, because removed orders are added to counters.
import type { Platform } from '../../platform/platform.ts';
import { firstNonceOf, NONCE_MEMORY_MS } from './requests/nonces.ts';
import { removeOldAuthorizations, removeOldNonces, removeOldOrders, removeOldWindows } from './store-upkeep.ts';

/** Orders can be retrieved for this long after their expiry; their certificates stay in the inventory. */
const RETENTION_MS = 30 * 24 * 3_600_000;
const BATCH = 5_000;
const QUEUE = 'acme-clean-up';
const EVERY_TEN_MINUTES = '*/10 * * * *';

interface RemovalCounts {
  readonly nonces: number;
  readonly orders: number;
  readonly authorizations: number;
  readonly windows: number;
}

export function createCleanUp({ database, clock, jobs }: Platform) {
  /** Returns the number of rows removed, by kind. */
  async function runOnce(signal?: AbortSignal): Promise<RemovalCounts> {
    const now = clock.now().getTime();
    const before = new Date(now - RETENTION_MS);
    const below = firstNonceOf(new Date(now - NONCE_MEMORY_MS));
    const all = async (remove: () => Promise<number>): Promise<number> => {
      let total = 0;
      for (;;) {
        const removed = await remove();
        total += removed;
        if (removed < BATCH || signal?.aborted) return total;
      }
    };
    return {
      nonces: await all(() => removeOldNonces(database.executor, { below, limit: BATCH })),
      orders: await all(() => removeOldOrders(database.executor, { before, limit: BATCH })),
      authorizations: await all(() => removeOldAuthorizations(database.executor, { before, limit: BATCH })),
      windows: await all(() => removeOldWindows(database.executor, { before: new Date(now), limit: BATCH })),
    };
  }

  return {
    runOnce,
    declare: (): void =>
      jobs.declare({
        name: QUEUE,
        schedule: EVERY_TEN_MINUTES,
        handle: async (_payload, { signal }) => void (await runOnce(signal)),
      }),
  };
}
