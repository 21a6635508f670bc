// Queries for orders in progress whose lease has expired, and for old orders. Relies on acme_order_processing.
import { sql } from 'kysely';
import { hotStatement, runHot, type Executor } from '../../platform/database/database.ts';
import type { OrderView } from './orders/store.ts';
import { leaseTakeoverValues, type LeaseTakeover } from './model/store-leases.ts';

export interface LeasedOrder extends OrderView {
  readonly account_uuid: string;
  readonly account_id: string;
  readonly csr: Buffer | null;
  readonly profile_name: string;
  readonly ra_profile_name: string | null;
}

const LEASE = hotStatement(
  'acme_lease_orders',
  `WITH leased AS (
     UPDATE acme_order SET leased_until = $2::timestamptz, leased_by = $4::uuid WHERE uuid IN (
       SELECT uuid FROM acme_order WHERE status = 'processing'
         AND (leased_until < $1::timestamptz OR (leased_by = $4::uuid AND leased_until < $5::timestamptz))
       ORDER BY leased_until LIMIT $3::integer FOR UPDATE SKIP LOCKED)
     RETURNING *
   )
   SELECT o.uuid, o.status, o.identifiers, o.authorization_uuids, '{}'::text[] AS authorization_statuses, o.not_before, o.not_after,
     o.replaces, o.profile, o.certificate_uuid, c.state AS certificate_state, o.error, o.expires_at, o.account_uuid, a.account_id, o.csr,
     p.name AS profile_name, r.name AS ra_profile_name
   FROM leased o LEFT JOIN certificate c ON c.uuid = o.certificate_uuid
   JOIN acme_account a ON a.uuid = o.account_uuid JOIN acme_profile p ON p.uuid = a.acme_profile_uuid
   LEFT JOIN ra_profile r ON r.uuid = a.ra_profile_uuid`,
);

/** Takes over orders whose node has stopped processing them; each order is leased by only one node. */
export const leaseOrders = (executor: Executor, lease: LeaseTakeover): Promise<readonly LeasedOrder[]> =>
  runHot(executor, LEASE, leaseTakeoverValues(lease));

/**
 * Removes orders that expired before the given time, and adds them to their accounts' counters. Returns the number of
 * orders removed.
 */
export async function removeOldOrders(
  tx: Executor,
  facts: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    WITH old AS (
      SELECT uuid, account_uuid, status FROM acme_order WHERE status <> 'processing' AND expires_at < ${facts.before}
      ORDER BY expires_at LIMIT ${facts.limit} FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM acme_order o USING old WHERE o.uuid = old.uuid
    ), counted AS (
      UPDATE acme_account a SET successful_orders_gone = a.successful_orders_gone + sums.successful,
        failed_orders_gone = a.failed_orders_gone + sums.failed
      FROM (SELECT account_uuid, count(*) FILTER (WHERE status = 'valid')::integer AS successful,
          count(*) FILTER (WHERE status <> 'valid')::integer AS failed FROM old GROUP BY account_uuid) sums
      WHERE a.uuid = sums.account_uuid
    )
    SELECT count(*)::integer AS removed FROM old`.execute(tx);
  return rows[0]?.removed ?? 0;
}

/** Removes authorizations that expired before the given time; returns the number removed. */
export async function removeOldAuthorizations(
  tx: Executor,
  facts: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    WITH gone AS (
      DELETE FROM acme_authorization WHERE uuid IN (
        SELECT uuid FROM acme_authorization WHERE expires_at < ${facts.before} ORDER BY expires_at LIMIT ${facts.limit}
        FOR UPDATE SKIP LOCKED)
      RETURNING uuid
    ) SELECT count(*)::integer AS removed FROM gone`.execute(tx);
  return rows[0]?.removed ?? 0;
}

/** Removes used nonces below the given identifier, which have all expired. */
export async function removeOldNonces(
  tx: Executor,
  facts: { readonly below: string; readonly limit: number },
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    WITH gone AS (
      DELETE FROM acme_used_nonce WHERE uuid IN (
        SELECT uuid FROM acme_used_nonce WHERE uuid < ${facts.below}::uuid ORDER BY uuid LIMIT ${facts.limit})
      RETURNING uuid
    ) SELECT count(*)::integer AS removed FROM gone`.execute(tx);
  return rows[0]?.removed ?? 0;
}

/** Removes renewal windows of certificates that expired before the given time; returns the number removed. */
export async function removeOldWindows(
  tx: Executor,
  facts: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    WITH gone AS (
      DELETE FROM acme_renewal_window WHERE certificate_uuid IN (
        SELECT certificate_uuid FROM acme_renewal_window WHERE certificate_expires_at < ${facts.before}
        ORDER BY certificate_expires_at LIMIT ${facts.limit})
      RETURNING certificate_uuid
    ) SELECT count(*)::integer AS removed FROM gone`.execute(tx);
  return rows[0]?.removed ?? 0;
}
