// Orders that clients placed with the ACME server, as shown to administrators. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { dateTime, uuid } from '../primitives.ts';
import { AcmeOrderStatus } from '../protocols/acme.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

export const ListedAcmeOrder = z
  .object({
    /** Identifier of the order, and the last segment of its URL. */
    uuid: z.string(),
    accountUuid: z.string(),
    /** Account identifier as used in ACME URLs. */
    accountId: z.string(),
    /** DNS names and IP addresses, in the order in which they were requested. */
    names: z.array(z.string()),
    /** Profile that the client selected from the ACME directory. If absent, the ACME profile applies as configured. */
    profile: z.string().optional(),
    /** Status as seen by the client (RFC 8555 §7.1.6). */
    status: AcmeOrderStatus,
    /** Explanation of why the order is invalid. */
    error: z.string().optional(),
    /** Present once the order is finalized, even if no certificate was issued. */
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
    /** Newest first. Orders are retained for several weeks after they expire. */
    listAcmeOrders: {
      route: 'GET /x/v1/acmeProfiles/{uuid}/orders',
      summary: 'List the orders of an ACME profile',
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
