// Orders that clients placed with the ACME server, as administrators see them. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { dateTime, uuid } from '../primitives.ts';
import { AcmeOrderStatus } from '../protocols/acme.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

export const ListedAcmeOrder = z
  .object({
    /** Also the last part of its URL in the protocol. */
    uuid: z.string(),
    accountUuid: z.string(),
    /** As in URLs of the protocol. */
    accountId: z.string(),
    /** DNS names and addresses in the order of the request. */
    names: z.array(z.string()),
    /** Of those that the directory offers, the one that the order chose; absent: the ACME profile as it is. */
    profile: z.string().optional(),
    /** As the client sees it (RFC 8555 §7.1.6). */
    status: AcmeOrderStatus,
    /** Why it is invalid, in words. */
    error: z.string().optional(),
    /** Present once the order is finalized, even if nothing was issued. */
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
  { tag: 'ACME Orders', resource: 'acmeAccounts', module: 'protocols', errors: objectErrors },
  {
    /** Newest first. Orders are kept for some weeks after their end. */
    listAcmeOrders: {
      route: 'GET /x/v1/acmeProfiles/{uuid}/orders',
      summary: 'List orders of an ACME Profile',
      query: z.object({
        accountUuid: uuid().optional(),
        status: AcmeOrderStatus.optional(),
        ...pageQuery,
      }),
      answer: AcmeOrderPage,
      access: {
        action: 'list',
        parent: { resource: 'acmeProfiles', action: 'detail', object: 'uuid' },
      },
    },
  },
);
