// Sends queued deliveries. Each instance has its own lane, so that an unresponsive instance does not delay the others.
// A node that claims a delivery owns it until the lease expires.
import { createLanes } from '../../../platform/jobs/lanes.ts';
import { createRounds } from '../../../platform/jobs/rounds.ts';
import type { Platform } from '../../../platform/platform.ts';
import { claimDeliveries, findDueInstances } from '../store-deliveries.ts';
import type { InstanceRow } from '../tables.ts';
import { NOTIFY_TIMEOUT_MS, type Deliverer } from './deliver.ts';

const PERIOD_MS = 1_000;
/** Twice the maximum duration of an attempt's calls: if a lease expires, its node must have crashed. */
const LEASE_MS = 4 * NOTIFY_TIMEOUT_MS;
/** Upper bound for a postponement; receivers can request up to a day. */
const LONGEST_PAUSE_MS = 25 * 3_600_000;
/** Concurrent deliveries per instance, on one node. */
const SLOTS = 4;
const BATCH = 16;

export interface QueueParts {
  readonly platform: Platform;
  readonly deliverer: Deliverer;
}

export interface DeliveryQueue {
  start(): void;
  stop(): Promise<void>;
  /** Called after a delivery has been queued. */
  wake(): void;
}

export function createDeliveryQueue({ platform, deliverer }: QueueParts): DeliveryQueue {
  const { database, clock, log } = platform;
  const lanes = createLanes({
    slots: SLOTS,
    onError: (error, instance) => log.error({ error, instance }, 'sending notifications failed; will retry'),
  });

  /** Returns false if nothing was due. */
  async function sendBatch(instance: InstanceRow): Promise<boolean> {
    const now = clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const claim = { instanceUuid: instance.uuid, ...dueAt(now), until, limit: BATCH };
    const claimed = await claimDeliveries(database.executor, claim);
    await Promise.all(claimed.map((delivery) => deliverer.deliver(instance, delivery)));
    return claimed.length > 0;
  }

  const rounds = createRounds({
    log,
    what: 'looking for notifications to send',
    periodMs: PERIOD_MS,
    run: async () => {
      const due = await findDueInstances(database.executor, dueAt(clock.now()));
      for (const instance of due) lanes.fill(instance.uuid, () => sendBatch(instance));
      return false;
    },
  });

  return {
    start: () => rounds.start(),
    wake: rounds.wake,
    stop: async () => {
      await rounds.stop();
      await lanes.stop();
    },
  };
}

const dueAt = (now: Date) => ({ now, never: new Date(now.getTime() + LONGEST_PAUSE_MS) });
