// Places an order, or finds an identical open order: a client that repeats its request because a response was lost, or
// because it was restarted, continues with the existing order. An order's reuse key defines which orders are identical;
// the database ensures that only one open order has it across all nodes.
import type { Database } from '../../../platform/database/database.ts';
import type { AccountCall } from '../requests/call.ts';
import type { OrderView } from './store.ts';
import { createNewOrderStatements, releaseOrder, type NewOrderRow, type OpenOrder } from './store-new-orders.ts';

export interface PlacedOrder extends Pick<OrderView, 'uuid' | 'identifiers' | 'authorization_uuids' | 'expires_at'> {
  /** Number of valid authorizations. */
  readonly proven: number;
  /** Whether the order already existed. */
  readonly isReused: boolean;
}

export type PlaceOrder = ReturnType<typeof createPlaceOrder>;

/** More than one attempt may be needed, because other requests can place and finish the same order in between. */
const MAX_ATTEMPTS = 4;

export function createPlaceOrder(database: Pick<Database, 'hot' | 'relaxed'>) {
  const statements = createNewOrderStatements(database);
  return {
    async place(call: AccountCall, order: NewOrderRow & { readonly reuseKey: string }): Promise<PlacedOrder> {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const { authorization_uuids, reused, open } = await statements.insert(call, order);
        if (authorization_uuids) return newPlacedOrder(order, { authorization_uuids, reused });
        if (open?.serves) return reusedOrder(open);
        if (open) await releaseOrder(database.hot, { uuid: open.uuid, reuseKey: order.reuseKey });
      }
      const { authorization_uuids, reused } = await statements.insert(call, { ...order, reuseKey: null });
      if (!authorization_uuids) throw new Error('An order without a reuse key was not placed.');
      return newPlacedOrder(order, { authorization_uuids, reused });
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

function newPlacedOrder(
  { uuid, identifiers, expiresAt }: NewOrderRow,
  { authorization_uuids, reused }: { readonly authorization_uuids: readonly string[]; readonly reused: number },
): PlacedOrder {
  return { uuid, identifiers, authorization_uuids, expires_at: expiresAt, proven: reused, isReused: false };
}

function reusedOrder({ uuid, identifiers, authorization_uuids, expires_at, proven }: OpenOrder): PlacedOrder {
  return { uuid, identifiers, authorization_uuids, expires_at, proven, isReused: true };
}
