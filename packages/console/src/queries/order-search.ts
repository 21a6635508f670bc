// Search parameters for an order list. Links and the back button restore the same list.
import type { AcmeOrderStatus } from '@signetry/contract';
import { readPage } from '../kit/list-search.ts';

export interface OrderSearch {
  readonly status?: AcmeOrderStatus;
  readonly page?: number;
}

/** In lifecycle order. A record, so that the compiler reports missing statuses. */
const statuses: Readonly<Record<AcmeOrderStatus, true>> = {
  pending: true,
  ready: true,
  processing: true,
  valid: true,
  invalid: true,
};
// `Object.keys` returns strings, hence the cast.
export const ORDER_STATUSES = Object.keys(statuses) as readonly AcmeOrderStatus[];

/** Reads the search parameters. URLs are untrusted, so malformed parameters are dropped. */
export function readOrderSearch({ status, page }: Record<string, unknown>): OrderSearch {
  const known = ORDER_STATUSES.find((each) => each === status);
  return {
    ...(known === undefined ? {} : { status: known }),
    ...readPage(page),
  };
}
