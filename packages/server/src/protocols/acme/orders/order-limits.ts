// Limits abandoned orders: how many orders per account and per client address can end without a certificate within a
// period, and how many of an account's orders can be open simultaneously. Issued orders do not count toward the rate
// limit.
import { LRUCache } from 'lru-cache';
import { AppError } from '../../../kernel/errors.ts';
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AccountCall } from '../requests/call.ts';
import { countOpenOrders } from './store-open-orders.ts';

/** Number of accounts whose open order count is cached; for others, orders are counted on demand. */
const MAX_ACCOUNTS = 10_000;
/** Longer than it takes to place an order. */
const COUNT_AGAIN_MS = 1_000;
/** Some orders will have been issued or have expired by then. */
const RETRY_AFTER_S = 60;

export interface OrderLimits {
  /** Counts an order that is about to be placed; rejects it if the limit is exceeded. */
  take(call: AccountCall): Promise<void>;
  /** Called when the order has its certificate. */
  giveBack(call: AccountCall): Promise<void>;
}

interface OpenOrderCount {
  atMost: number;
  readonly countedMs: number;
}

export interface OrderLimitsOptions {
  /** Maximum number of open orders per account. */
  readonly maxOpen: number;
}

export function createOrderLimits({ database, clock, limits }: Platform, { maxOpen }: OrderLimitsOptions): OrderLimits {
  /**
   * Per account, the open orders at the last count plus all orders placed here since. Concurrent requests share a
   * count.
   */
  const accounts = new LRUCache<string, Promise<OpenOrderCount>>({ max: MAX_ACCOUNTS });

  async function reserveSlot(accountUuid: string): Promise<void> {
    let open = await (accounts.get(accountUuid) ?? countAgain(accountUuid));
    // Recently placed orders may not be in the database yet, so a new count could miss them.
    if (open.atMost >= maxOpen && clock.monotonicMs() - open.countedMs >= COUNT_AGAIN_MS)
      open = await countAgain(accountUuid);
    if (open.atMost >= maxOpen)
      throw new AppError('too_many_requests', {
        what: `open orders for this account (at most ${maxOpen})`,
        retryAfterS: RETRY_AFTER_S,
      });
    open.atMost += 1;
  }

  function countAgain(accountUuid: string): Promise<OpenOrderCount> {
    const countedMs = clock.monotonicMs();
    const counted = count(accountUuid).then((atMost) => ({ atMost, countedMs }));
    accounts.set(accountUuid, counted);
    counted.catch(() => accounts.delete(accountUuid)); // The error itself is passed to the callers.
    return counted;
  }

  const count = (accountUuid: string): Promise<number> =>
    countOpenOrders(database.executor, { accountUuid, now: clock.now(), atMost: maxOpen });

  return {
    async take(call) {
      if (maxOpen !== Infinity) await reserveSlot(call.account.uuid);
      for (const subject of subjectsOf(call)) await limits.acmeOrders.take(subject);
    },
    async giveBack(call) {
      const open = await accounts.get(call.account.uuid);
      if (open && open.atMost > 0) open.atMost -= 1;
      for (const subject of subjectsOf(call)) await limits.acmeOrders.giveBack(subject);
    },
  };
}

const subjectsOf = ({ account, context }: AccountCall): readonly string[] => [
  account.uuid,
  networkOf(context.source?.ipAddress ?? ''),
];
