// Returns an order (RFC 8555 §7.4), and lists the orders of an account (§7.1.2.1).
import { isUuid } from '../../../kernel/ids.ts';
import { linkTo } from '../../../platform/http/header-url.ts';
import type { Platform } from '../../../platform/platform.ts';
import { rejection } from '../model/problems.ts';
import { assertNoPayload, assertOwn } from '../requests/authenticate.ts';
import type { AccountCall, AcmeReply } from '../requests/call.ts';
import { noSuchOrder } from './new-order.ts';
import { impliedProblem, presentOrder, statusOf } from './present.ts';
import type { OrderStatements, OrderView } from './store.ts';

const PAGE = 100;

export function createReadOrder({ clock }: Platform, { orders }: { readonly orders: OrderStatements }) {
  async function readOrder(call: AccountCall): Promise<AcmeReply> {
    assertNoPayload(call);
    if (!isUuid(call.id)) throw noSuchOrder();
    const now = clock.now();
    const order = await orders.read(call, { uuid: call.id, now });
    if (!order) throw noSuchOrder();
    return orderReply(call, order, now);
  }

  async function listOrders(call: AccountCall): Promise<AcmeReply> {
    assertNoPayload(call);
    assertOwn(call);
    const cursor = call.query['cursor'] ?? null;
    if (cursor !== null && !isUuid(cursor)) throw rejection('malformed', 'The cursor was not issued by this server.');
    const { uuids } = await orders.page(call, { cursor, now: clock.now(), limit: PAGE + 1 });
    const shown = uuids.slice(0, PAGE);
    const next = uuids.length > PAGE ? call.urls.orders(call.account.accountId, shown.at(-1)) : undefined;
    return {
      status: 200,
      body: { orders: shown.map((uuid) => call.urls.order(uuid)) },
      ...(next === undefined ? {} : { headers: { link: [linkTo(next, 'next')] } }),
    };
  }

  return { readOrder, listOrders };
}

/** Returns the response for an order. If the order is in progress, it includes Retry-After (RFC 8555 §7.4). */
export function orderReply(call: AccountCall, order: OrderView, now: Date): AcmeReply {
  const status = statusOf(order, now);
  return {
    status: 200,
    body: presentOrder(order, {
      status,
      urls: call.urls,
      error: status === 'invalid' ? impliedProblem(order, now) : undefined,
    }),
    headers: {
      location: call.urls.order(order.uuid),
      ...(status === 'processing' ? { 'retry-after': String(Math.max(1, call.profile.retryInterval)) } : {}),
    },
  };
}
