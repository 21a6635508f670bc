// The search parameters of a list of orders. A link or "back" shows the same list.
import type { AcmeOrderStatus } from '@signetry/contract';
import { readPage } from '../kit/list-search.ts';

export interface OrderSearch {
  readonly status?: AcmeOrderStatus;
  readonly page?: number;
}

/** In the order in which an order goes through them. A record, so that the compiler reports one that is missing. */
const statuses: Readonly<Record<AcmeOrderStatus, true>> = {
  pending: true,
  ready: true,
  processing: true,
  valid: true,
  invalid: true,
};
export const ORDER_STATUSES = Object.keys(statuses) as readonly AcmeOrderStatus[]; // of the table above

/** URLs come from anywhere; parameters that cannot be read are dropped. */
export function readOrderSearch({ status, page }: Record<string, unknown>): OrderSearch {
  const known = ORDER_STATUSES.find((each) => each === status);
  return {
    ...(known === undefined ? {} : { status: known }),
    ...readPage(page),
  };
}
