// Bounds what is left behind by orders that nobody completes: how many of an account, and of an address, go without a
// certificate in a time, and how many of an account are open at once. Orders that are issued cost their rate nothing.
import { AppError } from '../../../kernel/errors.ts';
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AccountCall } from '../requests/call.ts';
import { countOpenOrders } from './store-open-orders.ts';

/** Accounts whose open orders are remembered; those of others are counted when they order. */
const MAX_ACCOUNTS = 10_000;
/** A client that waits so long finds some orders issued or over. */
const RETRY_AFTER_S = 60;

export interface OrderLimits {
  /** Counts an order that is about to be placed; refuses one too many. */
  take(call: AccountCall): Promise<void>;
  /** The order has its certificate. */
  giveBack(call: AccountCall): Promise<void>;
}

export interface OrderLimitsOptions {
  /** Open orders of one account. */
  readonly maxOpen: number;
}

export function createOrderLimits({ database, clock, limits }: Platform, { maxOpen }: OrderLimitsOptions): OrderLimits {
  /** Open orders when last counted, and all placed here since: never fewer than there are by this node. */
  const atMost = new Map<string, number>();

  async function takePlace(accountUuid: string): Promise<void> {
    const known = atMost.get(accountUuid);
    let open = known ?? (await count(accountUuid));
    if (open >= maxOpen && known !== undefined) open = await count(accountUuid);
    if (open >= maxOpen)
      throw new AppError('too_many_requests', {
        what: `orders of this account are open (${maxOpen} may be)`,
        retryAfterS: RETRY_AFTER_S,
      });
    atMost.delete(accountUuid);
    atMost.set(accountUuid, open + 1);
    const [oldest] = atMost.keys();
    if (atMost.size > MAX_ACCOUNTS && oldest !== undefined) atMost.delete(oldest);
  }

  const count = (accountUuid: string): Promise<number> =>
    countOpenOrders(database.executor, { accountUuid, now: clock.now(), atMost: maxOpen });

  return {
    async take(call) {
      for (const subject of subjectsOf(call)) await limits.acmeOrders.take(subject);
      if (maxOpen !== Infinity) await takePlace(call.account.uuid);
    },
    async giveBack(call) {
      for (const subject of subjectsOf(call)) await limits.acmeOrders.giveBack(subject);
    },
  };
}

const subjectsOf = ({ account, context }: AccountCall): readonly string[] => [
  account.uuid,
  networkOf(context.source?.ipAddress ?? ''),
];
