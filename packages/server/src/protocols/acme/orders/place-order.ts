// Places an order, or finds the open one that was placed for the same: a client that asks again, because an answer was
// lost or it was started anew, goes on with what it has. What "the same" means stands in the key of an order; the
// database sees to it that one open order has it, on whatever node.
import { createHash } from 'node:crypto';
import type { HotExecutor } from '../../../platform/database/database.ts';
import type { AccountCall } from '../requests/call.ts';
import type { OrderView } from './store.ts';
import { releaseOrder, type NewOrderRow, type NewOrderStatements, type OpenOrder } from './store-new-orders.ts';

/** What a client asks for, in canonical form. */
export type OrderWish = Pick<NewOrderRow, 'names' | 'notBefore' | 'notAfter' | 'profile' | 'replaces'>;

export interface PlacedOrder extends Pick<OrderView, 'uuid' | 'identifiers' | 'authorization_uuids' | 'expires_at'> {
  readonly status: 'pending' | 'ready';
  /** It was there before. */
  readonly isReused: boolean;
}

export type PlaceOrder = ReturnType<typeof createPlaceOrder>;

/** Others may place, finish and place again the same order meanwhile. */
const MAX_ATTEMPTS = 4;

export function createPlaceOrder({
  executor,
  statements,
}: {
  readonly executor: HotExecutor;
  readonly statements: NewOrderStatements;
}) {
  return {
    async place(call: AccountCall, order: NewOrderRow & { readonly reuseKey: string }): Promise<PlacedOrder> {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const { authorization_uuids, reused, open } = await statements.insert(call, order);
        if (authorization_uuids) return newlyPlaced(order, { authorization_uuids, reused });
        if (open?.serves) return reusedOrder(open);
        if (open) await releaseOrder(executor, { uuid: open.uuid, reuseKey: order.reuseKey });
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
  const status = reused === identifiers.length ? 'ready' : 'pending';
  return { uuid, identifiers, authorization_uuids, expires_at: expiresAt, status, isReused: false };
}

function reusedOrder({ uuid, identifiers, authorization_uuids, expires_at, proven }: OpenOrder): PlacedOrder {
  const status = proven === authorization_uuids.length ? 'ready' : 'pending';
  return { uuid, identifiers, authorization_uuids, expires_at, status, isReused: true };
}

/**
 * One for each account, version of its profile and wish: an order that was placed under other rules is none to go on
 * with.
 */
export function reuseKeyOf({ account, profile }: AccountCall, wish: OrderWish): string {
  const { names, notBefore, notAfter, profile: chosen, replaces } = wish;
  const all = [account.uuid, profile.version, names, notBefore, notAfter, chosen, replaces];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, UUID_DIGITS);
}

const UUID_DIGITS = 32;

/** Time for a client to prove its names; an order that expires earlier is not answered again. */
const NEEDED_MS = 3_600_000;

/**
 * Half of a life that is short. An order that replaces a certificate is answered as long as it is open: another one for
 * the same certificate would be refused (RFC 9773 §5).
 */
export function neededUntil({ profile }: AccountCall, { replaces }: Pick<OrderWish, 'replaces'>, now: Date): Date {
  if (replaces !== null) return now;
  return new Date(now.getTime() + Math.min(NEEDED_MS, (profile.validityS * 1000) / 2));
}
