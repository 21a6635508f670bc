// Hot statements of orders. The guarded ones (store-guard.ts) are declared once for a server. They rely on the primary
// keys of acme_order and acme_authorization; a new order with a reuse time also on acme_authorization_by_account.
import { sql } from 'kysely';
import { auditInsertCte, type AuditRecord } from '../../../areas/audit/index.ts';
import { isCompromisedSql } from '../../../areas/certificates/index.ts';
import {
  hotStatement,
  runHot,
  type Database,
  type Executor,
  type HotExecutor,
} from '../../../platform/database/database.ts';
import { guarded, present, type Guarded } from '../requests/store-guard.ts';
import type { Identifier, StoredProblem } from '../model/vocabulary.ts';

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
  /** The one that it chose of those that are offered. */
  readonly profile: string | null;
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
  readonly profile: string | null;
  readonly replaces: string | null;
  readonly replacedCertificateUuid: string | null;
  readonly expiresAt: Date;
  readonly now: Date;
  /** Authorizations proven since then are used again; null: every order proves anew. */
  readonly reuseSince: Date | null;
  readonly audit: AuditRecord;
}

/** Guarded statements of orders. */
export interface OrderStatements {
  readonly insert: Guarded<NewOrderRow, PlacedOrder>;
  /** The order of the account, or undefined. */
  readonly read: Guarded<{ readonly uuid: string; readonly now: Date }, OrderView | undefined>;
  /**
   * Takes a ready order for issuing: the caller alone issues the certificate that the order now names. Undefined when
   * it is not ready, not of the account, or for other names.
   */
  readonly take: Guarded<OrderToTake, TakenOrder | undefined>;
  /** Identifiers of orders that are not invalid, the youngest first, from behind the cursor. */
  readonly page: Guarded<
    { readonly cursor: string | null; readonly now: Date; readonly limit: number },
    { readonly uuids: readonly string[] }
  >;
}

export function createOrderStatements({ hot, relaxed }: Pick<Database, 'hot' | 'relaxed'>): OrderStatements {
  const insert = guarded<object, PlacedOrder>(hot, INSERT);
  const read = guarded<object, OrderView>(relaxed, READ);
  // Not waited for: the reservation that follows is, and the log is ordered.
  const take = guarded<object, TakenOrder>(relaxed, TAKE);
  const page = guarded<object, { readonly uuids: readonly string[] }>(relaxed, PAGE);
  return {
    insert: (call, order) => insert(call, insertFields(order)),
    read: async (call, { uuid, now }) => present(await read(call, { target: uuid, at: now })),
    take: async (call, order) => present(await take(call, takeFields(order))),
    page: (call, { cursor, now, limit }) => page(call, { target: cursor, at: now, wanted: limit }),
  };
}

export interface PlacedOrder {
  readonly authorization_uuids: readonly string[];
  /** How many of them were proven before. */
  readonly reused: number;
}

const INSERT = {
  name: 'acme_insert_orders',
  fields: `target uuid, identifiers jsonb, names text[], parts jsonb, not_before timestamptz, not_after timestamptz, profile text, replaces text,
    replaced_certificate_uuid uuid, expires_at timestamptz, at timestamptz, reuse_since timestamptz, audit json`,
  work: `part AS (
       SELECT item.place, item.account_uuid, item.target, item.expires_at, item.at, item.reuse_since, part.*
       FROM item, jsonb_to_recordset(item.parts) AS part (position integer, uuid uuid, type text, value text, wildcard boolean, token text)
       WHERE item.account_uuid IS NOT NULL
     ), known AS (
       -- For each part by itself: a plan that was made for an empty table must not read all authorizations later.
       SELECT part.place, part.position, z.uuid FROM part CROSS JOIN LATERAL (
         SELECT z.uuid FROM acme_authorization z
         WHERE z.account_uuid = part.account_uuid AND z.identifier_value = part.value AND z.status = 'valid'
           AND z.identifier_type = part.type AND z.wildcard = part.wildcard AND z.validated_at > part.reuse_since AND z.expires_at > part.at
         ORDER BY z.expires_at DESC LIMIT 1
       ) z WHERE part.reuse_since IS NOT NULL
     ), made AS (
       INSERT INTO acme_authorization (uuid, account_uuid, order_uuid, identifier_type, identifier_value, wildcard, status, token, expires_at, created_at)
       SELECT part.uuid, part.account_uuid, part.target, part.type, part.value, part.wildcard, 'pending', part.token, part.expires_at, part.at
       FROM part WHERE NOT EXISTS (SELECT FROM known WHERE known.place = part.place AND known.position = part.position)
     ), placed AS (
       INSERT INTO acme_order (uuid, account_uuid, status, identifiers, names, authorization_uuids, not_before, not_after, profile, replaces,
         replaced_certificate_uuid, expires_at, created_at)
       SELECT item.target, item.account_uuid, 'pending', item.identifiers, item.names,
         (SELECT array_agg(coalesce(known.uuid, part.uuid) ORDER BY part.position)
          FROM part LEFT JOIN known USING (place, position) WHERE part.place = item.place),
         item.not_before, item.not_after, item.profile, item.replaces, item.replaced_certificate_uuid, item.expires_at, item.at
       FROM item WHERE item.account_uuid IS NOT NULL
       RETURNING uuid, authorization_uuids
     ), ${auditInsertCte(`(SELECT coalesce(json_agg(item.audit), '[]') FROM item WHERE item.account_uuid IS NOT NULL)`)}`,
  columns: `placed.authorization_uuids, (SELECT count(*)::integer FROM known WHERE known.place = item.place) AS reused`,
  join: 'LEFT JOIN placed ON placed.uuid = item.target',
} as const;

const insertFields = (order: NewOrderRow): object => ({
  target: order.uuid,
  identifiers: order.identifiers,
  names: order.names,
  parts: order.authorizations.map((each, index) => ({ ...each, position: index + 1 })),
  not_before: order.notBefore,
  not_after: order.notAfter,
  profile: order.profile,
  replaces: order.replaces,
  replaced_certificate_uuid: order.replacedCertificateUuid,
  expires_at: order.expiresAt,
  at: order.now,
  reuse_since: order.reuseSince,
  audit: order.audit,
});

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

const takeFields = (order: OrderToTake): object => ({
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
 * Was a taken order taken for this request? Until its certificate object is there it is known by its encoding, then by
 * its key.
 */
export async function isTakenFor(
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

/** Stores how orders under way ended. */
export async function settleOrders(executor: HotExecutor, orders: readonly SettledOrder[]): Promise<void> {
  await runHot(executor, SETTLE_ORDERS, [JSON.stringify(orders), orders.map(({ uuid }) => uuid)]);
}

/** Ends an order that should not have been placed. */
export async function withdrawOrder(
  executor: Executor,
  { uuid, error }: { readonly uuid: string; readonly error: StoredProblem },
): Promise<void> {
  await sql`UPDATE acme_order SET status = 'invalid', error = ${JSON.stringify(error)}::jsonb
    WHERE uuid = ${uuid}::uuid AND status = 'pending'`.execute(executor);
}
