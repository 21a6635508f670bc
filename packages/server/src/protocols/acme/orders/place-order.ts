// Places an order, or finds the open one that was placed for the same: a client that asks again, because an answer was
// lost or it was started anew, goes on with what it has. What "the same" means stands in the key of an order; the
// database sees to it that one open order has it, on whatever node.
import type { Database } from '../../../platform/database/database.ts';
import type { AccountCall } from '../requests/call.ts';
import type { OrderView } from './store.ts';
import { createNewOrderStatements, releaseOrder, type NewOrderRow, type OpenOrder } from './store-new-orders.ts';

export interface PlacedOrder extends Pick<OrderView, 'uuid' | 'identifiers' | 'authorization_uuids' | 'expires_at'> {
  /** How many of the authorizations are valid. */
  readonly proven: number;
  /** It was there before. */
  readonly isReused: boolean;
}

export type PlaceOrder = ReturnType<typeof createPlaceOrder>;

/** Others may place, finish and place again the same order meanwhile. */
const MAX_ATTEMPTS = 4;

export function createPlaceOrder(database: Pick<Database, 'hot' | 'relaxed'>) {
  const statements = createNewOrderStatements(database);
  return {
    async place(call: AccountCall, order: NewOrderRow & { readonly reuseKey: string }): Promise<PlacedOrder> {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const { authorization_uuids, reused, open } = await statements.insert(call, order);
        if (authorization_uuids) return newlyPlaced(order, { authorization_uuids, reused });
        if (open?.serves) return reusedOrder(open);
        if (open) await releaseOrder(database.hot, { uuid: open.uuid, reuseKey: order.reuseKey });
      }
      const { authorization_uuids, reused } = await statements.insert(call, { ...order, reuseKey: null });
      if (!authorization_uuids) throw new Error('An order without a key is placed.');
      return newlyPlaced(order, { authorization_uuids, reused });
    },

    async findOpen(
      call: AccountCall,
      wanted: Pick<NewOrderRow, 'reuseKey' | 'neededUntil'>,
    ): Promise<PlacedOrder | undefined> {
      const open = await statements.findOpen(call, wanted);
      return open && reusedOrder(open);
    },
  };
}

function newlyPlaced(
  { uuid, identifiers, expiresAt }: NewOrderRow,
  { authorization_uuids, reused }: { readonly authorization_uuids: readonly string[]; readonly reused: number },
): PlacedOrder {
  return { uuid, identifiers, authorization_uuids, expires_at: expiresAt, proven: reused, isReused: false };
}

function reusedOrder({ uuid, identifiers, authorization_uuids, expires_at, proven }: OpenOrder): PlacedOrder {
  return { uuid, identifiers, authorization_uuids, expires_at, proven, isReused: true };
}
