// Hot statements of orders. Each is guarded (store-guard.ts) and relies on the primary keys of acme_order and
// acme_authorization; a new order with a reuse time also on acme_authorization_by_account.
import { auditInsertCte } from '../../../areas/audit/index.ts';
import { hotStatement, runHot, type HotExecutor } from '../../../platform/database/database.ts';
import type { AccountCall } from '../requests/call.ts';
import { GUARD, GUARD_FACTS, runGuarded } from '../store-guard.ts';
import type { Identifier, StoredProblem } from '../vocabulary.ts';

/** What an order is presented from. */
export interface OrderView {
  readonly uuid: string;
  readonly status: 'pending' | 'processing' | 'valid' | 'invalid';
  readonly identifiers: readonly Identifier[];
  readonly authorization_uuids: readonly string[];
  /** Of the authorizations, in no order; expired ones count as `expired`. */
  readonly authorization_statuses: readonly string[];
  readonly not_before: Date | null;
  readonly not_after: Date | null;
  readonly replaces: string | null;
  readonly certificate_uuid: string | null;
  /** Empty when there is no certificate object (yet). */
  readonly certificate_state: string | null;
  readonly error: StoredProblem | null;
  readonly expires_at: Date;
}

export interface NewOrderRow {
  readonly uuid: string;
  readonly identifiers: readonly Identifier[];
  readonly names: readonly string[];
  readonly authorizations: readonly {
    readonly uuid: string;
    readonly type: string;
    readonly value: string;
    readonly wildcard: boolean;
    readonly token: string;
  }[];
  readonly notBefore: Date | null;
  readonly notAfter: Date | null;
  readonly replaces: string | null;
  readonly replacedCertificateUuid: string | null;
  readonly expiresAt: Date;
  readonly now: Date;
  /** Authorizations proven since then are used again; null: every order proves anew. */
  readonly reuseSince: Date | null;
}

const NEW_ORDER = hotStatement(
  'acme_new_order',
  `WITH ${GUARD}, item AS (
     SELECT * FROM jsonb_to_recordset($5::jsonb) AS item (place integer, uuid uuid, type text, value text, wildcard boolean, token text)
   ), known AS (
     SELECT DISTINCT ON (item.place) item.place, z.uuid FROM item JOIN acme_authorization z
       ON z.account_uuid = (SELECT uuid FROM account) AND z.identifier_value = item.value AND z.status = 'valid'
       AND z.identifier_type = item.type AND z.wildcard = item.wildcard AND z.validated_at > $15::timestamptz AND z.expires_at > $14::timestamptz
     WHERE $15::timestamptz IS NOT NULL ORDER BY item.place, z.expires_at DESC
   ), made AS (
     INSERT INTO acme_authorization (uuid, account_uuid, order_uuid, identifier_type, identifier_value, wildcard, status, token, expires_at, created_at)
     SELECT item.uuid, account.uuid, $6::uuid, item.type, item.value, item.wildcard, 'pending', item.token, $13::timestamptz, $14::timestamptz
     FROM item, account WHERE NOT EXISTS (SELECT FROM known WHERE known.place = item.place)
   ), placed AS (
     INSERT INTO acme_order (uuid, account_uuid, status, identifiers, names, authorization_uuids, not_before, not_after, replaces,
       replaced_certificate_uuid, expires_at, created_at)
     SELECT $6::uuid, account.uuid, 'pending', $7::jsonb, $8::text[],
       (SELECT array_agg(coalesce(known.uuid, item.uuid) ORDER BY item.place) FROM item LEFT JOIN known USING (place)),
       $9::timestamptz, $10::timestamptz, $11::text, $12::uuid, $13::timestamptz, $14::timestamptz FROM account
     RETURNING authorization_uuids
   ), ${auditInsertCte(`(CASE WHEN EXISTS (SELECT FROM account) THEN $16 ELSE '[]' END)`)}
   SELECT ${GUARD_FACTS}, (SELECT authorization_uuids FROM placed) AS authorization_uuids, (SELECT count(*)::integer FROM known) AS reused`,
);

export const insertOrder = (
  executor: HotExecutor,
  { call, order, audit }: { readonly call: AccountCall; readonly order: NewOrderRow; readonly audit: string },
): Promise<{ readonly authorization_uuids: readonly string[]; readonly reused: number }> =>
  runGuarded(executor, NEW_ORDER, {
    call,
    values: [
      JSON.stringify(order.authorizations.map((each, index) => ({ ...each, place: index + 1 }))),
      order.uuid,
      JSON.stringify(order.identifiers),
      order.names,
      order.notBefore,
      order.notAfter,
      order.replaces,
      order.replacedCertificateUuid,
      order.expiresAt,
      order.now,
      order.reuseSince,
      audit,
    ],
  });

/** Columns of an `OrderView`; `o` is the order, `$now` the parameter with the time. */
const viewColumns = (now: string): string => `o.uuid, o.status, o.identifiers, o.authorization_uuids,
  ARRAY(SELECT CASE WHEN z.expires_at <= ${now}::timestamptz AND z.status IN ('pending', 'valid') THEN 'expired' ELSE z.status END
    FROM unnest(o.authorization_uuids) AS part (uuid) JOIN acme_authorization z ON z.uuid = part.uuid) AS authorization_statuses,
  o.not_before, o.not_after, o.replaces, o.certificate_uuid,
  (SELECT c.state FROM certificate c WHERE c.uuid = o.certificate_uuid) AS certificate_state, o.error, o.expires_at`;

const READ_ORDER = hotStatement(
  'acme_read_order',
  `WITH ${GUARD} SELECT ${GUARD_FACTS}, ${viewColumns('$6')}
   FROM (VALUES (1)) AS one LEFT JOIN acme_order o ON o.uuid = $5::uuid AND o.account_uuid = (SELECT uuid FROM account)`,
);

/** The order of the account, or undefined. */
export async function readOrder(
  executor: HotExecutor,
  { call, uuid, now }: { readonly call: AccountCall; readonly uuid: string; readonly now: Date },
): Promise<OrderView | undefined> {
  const row = await runGuarded<OrderView>(executor, READ_ORDER, { call, values: [uuid, now] });
  return (row.uuid as string | null) === null ? undefined : row; // an outer join answers nulls
}

const TAKE_ORDER = hotStatement(
  'acme_take_order',
  `WITH ${GUARD}, taken AS (
     UPDATE acme_order o SET status = 'processing', certificate_uuid = $6::uuid, csr = $7::bytea, leased_until = $8::timestamptz,
       leased_by = $12::uuid
     WHERE o.uuid = $5::uuid AND o.account_uuid = (SELECT uuid FROM account) AND o.status = 'pending' AND o.expires_at > $9::timestamptz
       AND o.names = $10::text[]
       AND NOT EXISTS (SELECT FROM unnest(o.authorization_uuids) AS part (uuid) LEFT JOIN acme_authorization z ON z.uuid = part.uuid
         WHERE z.status IS DISTINCT FROM 'valid' OR z.expires_at <= $9::timestamptz)
       AND NOT EXISTS (SELECT FROM certificate c WHERE c.public_key_fingerprint = $11::text AND c.revocation_reason = 'keyCompromise')
     RETURNING o.*
   )
   SELECT ${GUARD_FACTS}, o.uuid, o.status, o.identifiers, o.authorization_uuids, o.not_before, o.not_after, o.replaces,
     o.certificate_uuid, o.error, o.expires_at
   FROM (VALUES (1)) AS one LEFT JOIN taken o ON true`,
);

export interface OrderToTake {
  readonly uuid: string;
  readonly certificateUuid: string;
  readonly csr: Uint8Array;
  /** The node that issues. */
  readonly leasedBy: string;
  readonly leasedUntil: Date;
  readonly now: Date;
  /** Names of the request, sorted; they must be those of the order. */
  readonly names: readonly string[];
  /** Keys that were revoked as compromised are refused. */
  readonly publicKeyFingerprint: string;
}

export type TakenOrder = Omit<OrderView, 'authorization_statuses' | 'certificate_state'>;

/**
 * Takes a ready order for issuing: the caller alone issues the certificate that the order now names. Undefined when it is not
 * ready, not of the account, or for other names.
 */
export async function takeOrder(
  executor: HotExecutor,
  { call, order }: { readonly call: AccountCall; readonly order: OrderToTake },
): Promise<TakenOrder | undefined> {
  const { uuid, certificateUuid, csr, leasedBy, leasedUntil, now, names, publicKeyFingerprint } = order;
  const values = [uuid, certificateUuid, Buffer.from(csr), leasedUntil, now, names, publicKeyFingerprint, leasedBy];
  const row = await runGuarded<TakenOrder>(executor, TAKE_ORDER, { call, values });
  return (row.uuid as string | null) === null ? undefined : row; // an outer join answers nulls
}

/** Was a certificate of this key revoked because the key is compromised? */
export async function isCompromised(executor: HotExecutor, publicKeyFingerprint: string): Promise<boolean> {
  const rows = await runHot(executor, COMPROMISED, [publicKeyFingerprint]);
  return rows.length > 0;
}

const COMPROMISED = hotStatement(
  'acme_compromised_key',
  `SELECT FROM certificate WHERE public_key_fingerprint = $1::text AND revocation_reason = 'keyCompromise' LIMIT 1`,
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

/** Stores how orders under way ended. */
export async function settleOrders(executor: HotExecutor, orders: readonly SettledOrder[]): Promise<void> {
  await runHot(executor, SETTLE_ORDERS, [JSON.stringify(orders), orders.map(({ uuid }) => uuid)]);
}

const ORDER_PAGE = hotStatement(
  'acme_order_page',
  `WITH ${GUARD} SELECT ${GUARD_FACTS}, ARRAY(
     SELECT o.uuid FROM acme_order o WHERE o.account_uuid = (SELECT uuid FROM account) AND o.status <> 'invalid'
       AND (o.status <> 'pending' OR o.expires_at > $6::timestamptz) AND ($5::uuid IS NULL OR o.uuid < $5::uuid)
     ORDER BY o.uuid DESC LIMIT $7::integer) AS uuids`,
);

/** Orders that are not invalid, the youngest first, from behind the cursor. */
export async function orderPage(
  executor: HotExecutor,
  {
    call,
    ...page
  }: { readonly call: AccountCall; readonly cursor: string | null; readonly now: Date; readonly limit: number },
): Promise<readonly string[]> {
  const row = await runGuarded<{ readonly uuids: readonly string[] }>(executor, ORDER_PAGE, {
    call,
    values: [page.cursor, page.now, page.limit],
  });
  return row.uuids;
}
