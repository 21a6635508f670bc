// What the address holds of a list of orders, so that a link or "back" shows the same.
import type { AcmeOrderStatus } from '@signetry/contract';
import { readPage } from '../kit/list-search.ts';

export interface OrderSearch {
  readonly status?: AcmeOrderStatus;
  readonly page?: number;
}

/** In the order in which an order goes through them. As a table, so that the compiler tells when there are more. */
const statuses: Readonly<Record<AcmeOrderStatus, true>> = {
  pending: true,
  ready: true,
  processing: true,
  valid: true,
  invalid: true,
};
export const ORDER_STATUSES = Object.keys(statuses) as readonly AcmeOrderStatus[]; // of the table above

/** Addresses come from anywhere; what cannot be read is left out. */
export function readOrderSearch({ status, page }: Record<string, unknown>): OrderSearch {
  const known = ORDER_STATUSES.find((each) => each === status);
  return {
    ...(known === undefined ? {} : { status: known }),
    ...readPage(page),
  };
}
