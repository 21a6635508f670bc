// Bounds what orders that nobody completes leave behind: how many of an account, and from an address, end without a
// certificate in a period, and how many of an account are open at once. Issued orders do not count against the rate.
import { LRUCache } from 'lru-cache';
import { AppError } from '../../../kernel/errors.ts';
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AccountCall } from '../requests/call.ts';
import { countOpenOrders } from './store-open-orders.ts';

/** Accounts whose open orders are remembered; those of others are counted when they order. */
const MAX_ACCOUNTS = 10_000;
/** Longer than it takes to place an order. */
const COUNT_AGAIN_MS = 1_000;
/** A client that waits so long finds some orders issued or over. */
const RETRY_AFTER_S = 60;

export interface OrderLimits {
  /** Counts an order that is about to be placed; refuses one too many. */
  take(call: AccountCall): Promise<void>;
  /** The order has its certificate. */
  giveBack(call: AccountCall): Promise<void>;
}

interface Counted {
  atMost: number;
  readonly countedMs: number;
}

export interface OrderLimitsOptions {
  /** Open orders of one account. */
  readonly maxOpen: number;
}

export function createOrderLimits({ database, clock, limits }: Platform, { maxOpen }: OrderLimitsOptions): OrderLimits {
  /** Of each account the open orders when last counted, and all placed here since. Requests at once share a count. */
  const accounts = new LRUCache<string, Promise<Counted>>({ max: MAX_ACCOUNTS });

  async function takePlace(accountUuid: string): Promise<void> {
    let open = await (accounts.get(accountUuid) ?? countAnew(accountUuid));
    // What was placed a moment ago may not be in the database yet, and would be missing from a new count.
    if (open.atMost >= maxOpen && clock.monotonicMs() - open.countedMs >= COUNT_AGAIN_MS)
      open = await countAnew(accountUuid);
    if (open.atMost >= maxOpen)
      throw new AppError('too_many_requests', {
        what: `orders of this account are open (at most ${maxOpen})`,
        retryAfterS: RETRY_AFTER_S,
      });
    open.atMost += 1;
  }

  function countAnew(accountUuid: string): Promise<Counted> {
    const countedMs = clock.monotonicMs();
    const counted = count(accountUuid).then((atMost) => ({ atMost, countedMs }));
    accounts.set(accountUuid, counted);
    counted.catch(() => accounts.delete(accountUuid)); // the callers are told
    return counted;
  }

  const count = (accountUuid: string): Promise<number> =>
    countOpenOrders(database.executor, { accountUuid, now: clock.now(), atMost: maxOpen });

  return {
    async take(call) {
      if (maxOpen !== Infinity) await takePlace(call.account.uuid);
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
