// Frequently executed statements for new orders (store-guard.ts): one statement finds an identical open order or places
// the new one. They rely on the primary key of acme_authorization, on acme_order_reuse, and on
// acme_authorization_by_account for orders with a reuse time.
import { auditInsertCte, withRecord, type AuditRecord } from '../../../areas/audit/index.ts';
import { hotStatement, runHot, type Database, type HotExecutor } from '../../../platform/database/database.ts';
import { guardStatement, type Guarded } from '../requests/store-guard.ts';
import type { Identifier } from '../model/vocabulary.ts';

export interface NewOrderRow {
  readonly uuid: string;
  readonly identifiers: readonly Identifier[];
  readonly names: readonly string[];
  readonly authorizations: readonly {
    readonly uuid: string;
    readonly type: Identifier['type'];
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
  /** Authorizations validated after this time are reused; null if every order requires new proofs. */
  readonly reuseSince: Date | null;
  /** Digest of everything requested in the order; null: the order is placed regardless of other open orders. */
  readonly reuseKey: string | null;
  /** An open order with this key is reused only if it does not expire before this time. */
  readonly neededUntil: Date;
  readonly audit: AuditRecord;
}

/** Open order with the reuse key of the requested one. */
export interface OpenOrder {
  readonly uuid: string;
  readonly identifiers: readonly Identifier[];
  readonly authorization_uuids: readonly string[];
  readonly expires_at: Date;
  /** Number of valid authorizations. */
  readonly proven: number;
  /**
   * Whether the order can be reused: it remains valid long enough, none of its authorizations has failed, and a new
   * order would not have more proofs.
   */
  readonly serves: boolean;
}

export interface InsertedOrder {
  /** Null if no order was placed: another order has the key, or was concurrently placed with it. */
  readonly authorization_uuids: readonly string[] | null;
  /** Number of reused authorizations. */
  readonly reused: number;
  readonly open: OpenOrder | null;
}

export interface NewOrderStatements {
  readonly insert: Guarded<NewOrderRow, InsertedOrder>;
  /** Returns the open order that would be reused. */
  readonly findOpen: Guarded<Pick<NewOrderRow, 'reuseKey' | 'neededUntil'>, OpenOrder | undefined>;
}

/** All columns are null if there is no such order. */
type OpenColumns = { readonly [Name in keyof OpenOrder as `open_${Name}`]: OpenOrder[Name] | null };

export function createNewOrderStatements({ hot, relaxed }: Pick<Database, 'hot' | 'relaxed'>): NewOrderStatements {
  const insert = guardStatement<object, Omit<InsertedOrder, 'open'> & OpenColumns>(hot, INSERT);
  const findOpen = guardStatement<object, OpenColumns>(relaxed, FIND_OPEN);
  return {
    async insert(call, order) {
      const row = await withRecord(() => insert(call, insertFields(order)));
      return { authorization_uuids: row.authorization_uuids, reused: row.reused, open: openOrder(row) ?? null };
    },
    async findOpen(call, { reuseKey, neededUntil }) {
      const open = openOrder(await findOpen(call, { reuse_key: reuseKey, needed_until: neededUntil }));
      return open?.serves ? open : undefined;
    },
  };
}

function openOrder(row: OpenColumns): OpenOrder | undefined {
  if (row.open_uuid === null) return undefined;
  const { open_uuid, open_identifiers, open_authorization_uuids, open_expires_at, open_proven, open_serves } = row;
  return {
    uuid: open_uuid,
    identifiers: open_identifiers,
    authorization_uuids: open_authorization_uuids,
    expires_at: open_expires_at,
    proven: open_proven,
    serves: open_serves,
  } as OpenOrder; // The cast is safe because either all columns are null or none is.
}

/**
 * Returns the CTE that finds the order with an item's reuse key, through acme_order_reuse alone. The account is
 * compared afterwards, since a query plan created for an empty table might otherwise later read all of an account's
 * orders.
 */
const openCte = (moreProofs: string): string => `open AS (
       SELECT item.place, o.uuid, o.identifiers, o.authorization_uuids, o.expires_at, state.proven,
         o.expires_at > item.needed_until AND state.stands AND state.proven >= ${moreProofs} AS serves
       FROM item CROSS JOIN LATERAL (
         SELECT o.* FROM acme_order o WHERE o.reuse_key = item.reuse_key AND o.status = 'pending' LIMIT 1
       ) o CROSS JOIN LATERAL (
         SELECT count(*) FILTER (WHERE z.status = 'valid')::integer AS proven,
           bool_and(z.status IS NOT NULL AND z.status IN ('pending', 'valid') AND z.expires_at > item.needed_until) AS stands
         FROM unnest(o.authorization_uuids) AS part (uuid) LEFT JOIN acme_authorization z ON z.uuid = part.uuid
       ) state WHERE o.account_uuid = item.account_uuid
     )`;

const OPEN_COLUMNS = `open.uuid AS open_uuid, open.identifiers AS open_identifiers, open.authorization_uuids AS open_authorization_uuids,
    open.expires_at AS open_expires_at, open.proven AS open_proven, open.serves AS open_serves`;

const INSERT = {
  name: 'acme_insert_orders',
  fields: `target uuid, identifiers jsonb, names text[], parts jsonb, not_before timestamptz, not_after timestamptz, profile text, replaces text,
    replaced_certificate_uuid uuid, expires_at timestamptz, at timestamptz, reuse_since timestamptz, reuse_key uuid, needed_until timestamptz, audit json`,
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
     ), ${openCte('(SELECT count(*) FROM known WHERE known.place = item.place)')}, placed AS (
       INSERT INTO acme_order (uuid, account_uuid, status, identifiers, names, authorization_uuids, not_before, not_after, profile, replaces,
         replaced_certificate_uuid, expires_at, created_at, reuse_key)
       SELECT item.target, item.account_uuid, 'pending', item.identifiers, item.names,
         (SELECT array_agg(coalesce(known.uuid, part.uuid) ORDER BY part.position)
          FROM part LEFT JOIN known USING (place, position) WHERE part.place = item.place),
         item.not_before, item.not_after, item.profile, item.replaces, item.replaced_certificate_uuid, item.expires_at, item.at, item.reuse_key
       FROM item WHERE item.account_uuid IS NOT NULL AND NOT EXISTS (SELECT FROM open WHERE open.place = item.place)
       -- In one order everywhere: nodes that place the same orders would otherwise wait for each other.
       ORDER BY item.reuse_key
       ON CONFLICT (reuse_key) WHERE status = 'pending' DO NOTHING
       RETURNING uuid, authorization_uuids
     ), made AS (
       INSERT INTO acme_authorization (uuid, account_uuid, order_uuid, identifier_type, identifier_value, wildcard, status, token, expires_at, created_at)
       SELECT part.uuid, part.account_uuid, part.target, part.type, part.value, part.wildcard, 'pending', part.token, part.expires_at, part.at
       FROM part JOIN placed ON placed.uuid = part.target
       WHERE NOT EXISTS (SELECT FROM known WHERE known.place = part.place AND known.position = part.position)
     ), ${auditInsertCte(`(SELECT coalesce(json_agg(item.audit), '[]') FROM item JOIN placed ON placed.uuid = item.target)`)}`,
  columns: `placed.authorization_uuids, (SELECT count(*)::integer FROM known WHERE known.place = item.place) AS reused, ${OPEN_COLUMNS}`,
  join: 'LEFT JOIN placed ON placed.uuid = item.target LEFT JOIN open ON open.place = item.place',
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
  reuse_key: order.reuseKey,
  needed_until: order.neededUntil,
  audit: order.audit,
});

const FIND_OPEN = {
  name: 'acme_find_open_orders',
  fields: 'reuse_key uuid, needed_until timestamptz',
  work: openCte('0'),
  columns: OPEN_COLUMNS,
  join: 'LEFT JOIN open ON open.place = item.place',
} as const;

const RELEASE = hotStatement(
  'acme_release_order',
  `UPDATE acme_order SET reuse_key = NULL WHERE uuid = $1::uuid AND reuse_key = $2::uuid`,
);

/** Releases the reuse key of an open order that can no longer be reused; its client can still finalize it. */
export async function releaseOrder(
  executor: HotExecutor,
  { uuid, reuseKey }: { readonly uuid: string; readonly reuseKey: string },
): Promise<void> {
  await runHot(executor, RELEASE, [uuid, reuseKey]);
}
