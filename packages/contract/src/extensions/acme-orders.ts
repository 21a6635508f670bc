// Orders that clients placed with the ACME server, as administrators look into them. Not part of the published
// interface.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { dateTime, uuid } from '../primitives.ts';
import { AcmeOrderStatus } from '../protocols/acme.ts';
import { DEFAULT_ITEMS_PER_PAGE, pageTotals } from '../shared/paging.ts';
import { queryInt32 } from '../shared/query.ts';

export const ListedAcmeOrder = z
  .object({
    /** Also the last part of its URL in the protocol. */
    uuid: z.string(),
    accountUuid: z.string(),
    /** As it stands in URLs of the protocol. */
    accountId: z.string(),
    /** DNS names and addresses in the order of the request. */
    names: z.array(z.string()),
    /** As the client is shown it (RFC 8555 §7.1.6). */
    status: AcmeOrderStatus,
    /** Why it is invalid, in words. */
    error: z.string().optional(),
    /** There from the moment of finalizing, also when nothing was issued. */
    certificateUuid: z.string().optional(),
    createdAt: dateTime(),
    expiresAt: dateTime(),
  })
  .meta({ id: 'ListedAcmeOrder' });
export type ListedAcmeOrder = z.output<typeof ListedAcmeOrder>;

export const AcmeOrderPage = z
  .object({ ...pageTotals, orders: z.array(ListedAcmeOrder) })
  .meta({ id: 'AcmeOrderPage' });
export type AcmeOrderPage = z.output<typeof AcmeOrderPage>;

export const acmeOrderOperations = operations(
  { tag: 'ACME Orders', resource: 'acmeAccounts', errors: objectErrors },
  {
    /** The newest first. Orders are kept for some weeks after their end. */
    listAcmeOrders: {
      route: 'GET /x/v1/acmeProfiles/{uuid}/orders',
      summary: 'List orders of an ACME Profile',
      query: z.object({
        accountUuid: uuid().optional(),
        status: AcmeOrderStatus.optional(),
        itemsPerPage: queryInt32().default(DEFAULT_ITEMS_PER_PAGE),
        pageNumber: queryInt32().default(1),
      }),
      answer: AcmeOrderPage,
      access: {
        action: 'list',
        parent: { resource: 'acmeProfiles', action: 'detail', object: 'uuid' },
      },
    },
  },
);
