// Frequently executed statements for existing orders. The guarded ones (store-guard.ts) are declared once per server.
// They rely on the primary keys of acme_order and acme_authorization.
import { sql } from 'kysely';
import { isCompromisedSql } from '../../../areas/certificates/index.ts';
import {
  hotStatement,
  runHot,
  type Database,
  type Executor,
  type HotExecutor,
} from '../../../platform/database/database.ts';
import { guardStatement, matchedRow, type Guarded } from '../requests/store-guard.ts';
import type { Identifier, StoredProblem } from '../model/vocabulary.ts';

/** Data from which an order is presented. */
export interface OrderView {
  readonly uuid: string;
  readonly status: 'pending' | 'processing' | 'valid' | 'invalid';
  readonly identifiers: readonly Identifier[];
  readonly authorization_uuids: readonly string[];
  /** Statuses of the authorizations, unordered; expired ones have the status `expired`. */
  readonly authorization_statuses: readonly string[];
  readonly not_before: Date | null;
  readonly not_after: Date | null;
  readonly replaces: string | null;
  /** Offered profile that the order selected. */
  readonly profile: string | null;
  readonly certificate_uuid: string | null;
  /** Null if the certificate object does not exist (yet). */
  readonly certificate_state: string | null;
  readonly error: StoredProblem | null;
  readonly expires_at: Date;
}

/** Choices made in an order, except its names; they never change. */
export type OrderChoices = Pick<OrderView, 'not_before' | 'not_after' | 'profile'>;

/** Guarded statements for orders. */
export interface OrderStatements {
  /** Returns the order if it belongs to the account, or undefined. */
  readonly read: Guarded<{ readonly uuid: string; readonly now: Date }, OrderView | undefined>;
  /**
   * Claims a ready order for issuance: only the caller issues the certificate that the order now refers to. Returns
   * undefined if the order is not ready, does not belong to the account, or has different names.
   */
  readonly take: Guarded<OrderToClaim, ClaimedOrder | undefined>;
  /** Returns identifiers of orders that are not invalid, newest first, starting after the cursor. */
  readonly page: Guarded<
    { readonly cursor: string | null; readonly now: Date; readonly limit: number },
    { readonly uuids: readonly string[] }
  >;
}

export function createOrderStatements({ relaxed }: Pick<Database, 'relaxed'>): OrderStatements {
  const read = guardStatement<object, OrderView>(relaxed, READ);
  // This commit is not awaited: the subsequent reservation is, and the log is ordered.
  const take = guardStatement<object, ClaimedOrder>(relaxed, TAKE);
  const page = guardStatement<object, { readonly uuids: readonly string[] }>(relaxed, PAGE);
  return {
    read: async (call, { uuid, now }) => matchedRow(await read(call, { target: uuid, at: now })),
    take: async (call, order) => matchedRow(await take(call, claimFields(order))),
    page: (call, { cursor, now, limit }) => page(call, { target: cursor, at: now, wanted: limit }),
  };
}

const READ = {
  name: 'acme_read_orders',
  fields: 'target uuid, at timestamptz',
  columns: `o.uuid, o.status, o.identifiers, o.authorization_uuids,
    ARRAY(SELECT CASE WHEN z.expires_at <= item.at AND z.status IN ('pending', 'valid') THEN 'expired' ELSE z.status END
      FROM unnest(o.authorization_uuids) AS part (uuid) JOIN acme_authorization z ON z.uuid = part.uuid) AS authorization_statuses,
    o.not_before, o.not_after, o.replaces, o.profile, o.certificate_uuid,
    (SELECT c.state FROM certificate c WHERE c.uuid = o.certificate_uuid) AS certificate_state, o.error, o.expires_at`,
  join: 'LEFT JOIN acme_order o ON o.uuid = item.target AND o.account_uuid = item.account_uuid',
} as const;

export interface OrderToClaim {
  readonly uuid: string;
  readonly certificateUuid: string;
  readonly csr: Uint8Array;
  /** Node that issues the certificate. */
  readonly leasedBy: string;
  readonly leasedUntil: Date;
  readonly now: Date;
  /** Sorted names of the CSR; they must equal those of the order. */
  readonly names: readonly string[];
  /** Fingerprint with which keys that were revoked as compromised are rejected. */
  readonly publicKeyFingerprint: string;
}

export type ClaimedOrder = Omit<OrderView, 'authorization_statuses' | 'certificate_state'>;

const TAKE = {
  name: 'acme_take_orders',
  fields: `target uuid, certificate_uuid uuid, csr text, leased_by uuid, leased_until timestamptz, at timestamptz, names text[],
    public_key_fingerprint text`,
  work: `taken AS (
       UPDATE acme_order o SET status = 'processing', certificate_uuid = item.certificate_uuid, csr = decode(item.csr, 'base64'),
         leased_until = item.leased_until, leased_by = item.leased_by
       FROM item
       WHERE o.uuid = item.target AND o.uuid = ANY (ARRAY(SELECT target FROM item)) AND o.account_uuid = item.account_uuid
         AND o.status = 'pending' AND o.expires_at > item.at AND o.names = item.names
         AND NOT EXISTS (SELECT FROM unnest(o.authorization_uuids) AS part (uuid) LEFT JOIN acme_authorization z ON z.uuid = part.uuid
           WHERE z.status IS DISTINCT FROM 'valid' OR z.expires_at <= item.at)
         AND NOT ${isCompromisedSql('item.public_key_fingerprint')}
       RETURNING o.*, item.place
     )`,
  columns: `o.uuid, o.status, o.identifiers, o.authorization_uuids, o.not_before, o.not_after, o.replaces, o.profile, o.certificate_uuid,
    o.error, o.expires_at`,
  join: 'LEFT JOIN taken o ON o.place = item.place',
} as const;

const claimFields = (order: OrderToClaim): object => ({
  target: order.uuid,
  certificate_uuid: order.certificateUuid,
  csr: Buffer.from(order.csr).toString('base64'),
  leased_by: order.leasedBy,
  leased_until: order.leasedUntil,
  at: order.now,
  names: order.names,
  public_key_fingerprint: order.publicKeyFingerprint,
});

const PAGE = {
  name: 'acme_order_pages',
  fields: 'target uuid, at timestamptz, wanted integer',
  columns: `ARRAY(
      SELECT o.uuid FROM acme_order o WHERE o.account_uuid = item.account_uuid AND o.status <> 'invalid'
        AND (o.status <> 'pending' OR o.expires_at > item.at) AND (item.target IS NULL OR o.uuid < item.target)
      ORDER BY o.uuid DESC LIMIT item.wanted) AS uuids`,
  join: '',
} as const;

/**
 * Returns whether a claimed order was claimed with this CSR. The DER encodings are compared until the certificate
 * object exists; afterwards, the keys are compared.
 */
export async function isClaimedFor(
  executor: HotExecutor,
  request: { readonly uuid: string; readonly csr: Uint8Array; readonly publicKeyFingerprint: string },
): Promise<boolean> {
  const values = [request.uuid, Buffer.from(request.csr), request.publicKeyFingerprint];
  const rows = await runHot(executor, TAKEN_FOR, values);
  return rows.length > 0;
}

const TAKEN_FOR = hotStatement(
  'acme_order_taken_for',
  `SELECT FROM acme_order o LEFT JOIN certificate c ON c.uuid = o.certificate_uuid
   WHERE o.uuid = $1::uuid AND (c.public_key_fingerprint = $3::text OR (c.uuid IS NULL AND o.csr = $2::bytea))`,
);

const SETTLE_ORDERS = hotStatement(
  'acme_settle_orders',
  `UPDATE acme_order o SET status = item.status, error = item.error, csr = NULL, leased_until = NULL
   FROM jsonb_to_recordset($1::jsonb) AS item (uuid uuid, status text, error jsonb)
   WHERE o.uuid = item.uuid AND o.uuid = ANY ($2::uuid[]) AND o.status = 'processing'`,
);

export interface SettledOrder {
  readonly uuid: string;
  readonly status: 'valid' | 'invalid';
  readonly error: StoredProblem | null;
}

/** Stores the outcome of orders in progress. */
export async function settleOrders(executor: HotExecutor, orders: readonly SettledOrder[]): Promise<void> {
  await runHot(executor, SETTLE_ORDERS, [JSON.stringify(orders), orders.map(({ uuid }) => uuid)]);
}

/** Invalidates an order that should not have been placed. */
export async function withdrawOrder(
  executor: Executor,
  { uuid, error }: { readonly uuid: string; readonly error: StoredProblem },
): Promise<void> {
  await sql`UPDATE acme_order SET status = 'invalid', error = ${JSON.stringify(error)}::jsonb
    WHERE uuid = ${uuid}::uuid AND status = 'pending'`.execute(executor);
}
