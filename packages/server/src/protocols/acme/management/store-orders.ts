// Queries for orders, as shown to administrators, newest first. Identifiers are UUIDv7. If there are few accounts, each
// account's newest orders are read from the index of orders by account; if there are many, all orders are scanned from
// the newest until the page is full.
import type { AcmeOrderStatus } from '@signetry/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { AcmeTables } from '../model/tables.ts';
import type { Identifier, StoredProblem } from '../model/vocabulary.ts';
import { shownStatus } from '../orders/store-status.ts';

/** Up to this many accounts are looked up one by one, which takes a few milliseconds. */
const FEW_ACCOUNTS = 200;

export interface OrderListing {
  readonly acmeProfileUuid: string;
  readonly accountUuid: string | undefined;
  readonly status: AcmeOrderStatus | undefined;
  readonly now: Date;
}

export interface ListedOrder {
  readonly uuid: string;
  readonly account_uuid: string;
  readonly account_id: string;
  readonly status: AcmeTables['acme_order']['status'];
  readonly shown_status: AcmeOrderStatus;
  readonly identifiers: readonly Identifier[];
  readonly profile: string | null;
  readonly error: StoredProblem | null;
  readonly certificate_uuid: string | null;
  /** Null if the certificate object does not exist (yet). */
  readonly certificate_state: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

type Accounts = readonly string[] | 'many';

/** Returns the accounts whose orders are listed; empty if the account does not belong to the profile. */
export async function findAccounts(executor: Executor, listing: OrderListing): Promise<Accounts> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT uuid FROM acme_account WHERE acme_profile_uuid = ${listing.acmeProfileUuid}::uuid
      ${listing.accountUuid === undefined ? sql`` : sql`AND uuid = ${listing.accountUuid}::uuid`}
    LIMIT ${FEW_ACCOUNTS + 1}`.execute(executor);
  return rows.length > FEW_ACCOUNTS ? 'many' : rows.map(({ uuid }) => uuid);
}

export async function findOrders(
  executor: Executor,
  listing: OrderListing & { readonly accounts: Accounts },
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly ListedOrder[]> {
  const keys =
    listing.accounts === 'many'
      ? sql`SELECT o.uuid FROM acme_order o JOIN acme_account a ON a.uuid = o.account_uuid
          WHERE a.acme_profile_uuid = ${listing.acmeProfileUuid}::uuid AND ${hasStatus(listing)}`
      : sql`SELECT own.uuid FROM unnest(${listing.accounts}::uuid[]) AS account (uuid) CROSS JOIN LATERAL (
            SELECT o.uuid FROM acme_order o WHERE o.account_uuid = account.uuid AND ${hasStatus(listing)}
            ORDER BY o.uuid DESC LIMIT ${offset + limit}) AS own`;
  const { rows } = await sql<ListedOrder>`
    SELECT o.uuid, o.account_uuid, a.account_id, o.status, ${shownStatus(listing.now)} AS shown_status, o.identifiers, o.profile, o.error,
      o.certificate_uuid, (SELECT c.state FROM certificate c WHERE c.uuid = o.certificate_uuid) AS certificate_state,
      o.created_at, o.expires_at
    FROM (${keys} ORDER BY uuid DESC LIMIT ${limit} OFFSET ${offset}) AS page
    JOIN acme_order o ON o.uuid = page.uuid JOIN acme_account a ON a.uuid = o.account_uuid
    ORDER BY o.uuid DESC`.execute(executor);
  return rows;
}

export async function countListed(
  executor: Executor,
  listing: OrderListing & { readonly accounts: Accounts },
): Promise<number> {
  const own =
    listing.accounts === 'many'
      ? sql`o.account_uuid IN (SELECT uuid FROM acme_account WHERE acme_profile_uuid = ${listing.acmeProfileUuid}::uuid)`
      : sql`o.account_uuid = ANY (${listing.accounts}::uuid[])`;
  const { rows } = await sql<{ orders: number }>`
    SELECT count(*) AS orders FROM acme_order o WHERE ${own} AND ${hasStatus(listing)}`.execute(executor);
  return rows[0]?.orders ?? 0;
}

const hasStatus = ({ status, now }: OrderListing): RawBuilder<SqlBool> =>
  status === undefined ? sql`true` : sql`${shownStatus(now)} = ${status}::text`;
