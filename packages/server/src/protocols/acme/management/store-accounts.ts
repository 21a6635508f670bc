// Queries for accounts, as administrators see them.
import type { AcmeOrderStatus } from '@signetry/contract';
import { sql, type RawBuilder } from 'kysely';
import type { ObjectFilter } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { likePattern } from '../../../platform/database/filter/compile.ts';
import { isShown } from '../../../platform/database/object-filter.ts';
import { shownStatus } from '../orders/store-status.ts';
import type { AcmeTables } from '../model/tables.ts';
import type { StoredProblem } from '../model/vocabulary.ts';

const tables = (executor: Executor) => executor.withTables<AcmeTables>();

/**
 * Selects accounts with the data shown about their profile. The RA profile is the account's, or else the ACME
 * profile's.
 */
const accounts = (executor: Executor) =>
  tables(executor)
    .selectFrom('acme_account as a')
    .innerJoin('acme_profile as p', 'p.uuid', 'a.acme_profile_uuid')
    .selectAll('a')
    .select((eb) => [
      'p.name as profile_name',
      eb.fn.coalesce('a.ra_profile_uuid', 'p.ra_profile_uuid').as('issuing_ra_profile_uuid'),
    ]);

export type ManagedAccountRow = NonNullable<Awaited<ReturnType<typeof findOne>>>;

/** Newest first. */
export const findAll = (executor: Executor) => accounts(executor).orderBy('a.uuid', 'desc').execute();

export const findOne = (executor: Executor, key: AccountKey) =>
  accounts(executor)
    .where('a.uuid', '=', key.acmeAccountUuid)
    .where('a.acme_profile_uuid', '=', key.acmeProfileUuid)
    .executeTakeFirst();

/** Clients create accounts automatically; users usually look for the newest ones. */
const MAX_LISTED_IDS = 1_000;

/** Accounts visible to the caller, under visible profiles. */
export interface VisibleAccounts {
  readonly accounts: ObjectFilter;
  readonly profiles: ObjectFilter;
}

/** Finds accounts whose identifier contains the text, newest first. */
export const findByText = (
  executor: Executor,
  { text, limit, ...shown }: VisibleAccounts & { readonly text: string; readonly limit: number },
) =>
  tables(executor)
    .selectFrom('acme_account as a')
    .innerJoin('acme_profile as p', 'p.uuid', 'a.acme_profile_uuid')
    .select(['a.uuid', 'a.account_id', 'a.acme_profile_uuid', 'p.name as profile_name'])
    .where('a.account_id', 'ilike', likePattern(text, 'anywhere'))
    .where(isShown(sql`a.uuid`, shown.accounts))
    .where(isShown(sql`a.acme_profile_uuid`, shown.profiles))
    .orderBy('a.uuid', 'desc')
    .limit(limit)
    .execute();

/** Returns sorted account identifiers. */
export async function findAccountIds(executor: Executor, shown: VisibleAccounts): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    SELECT account_id FROM (
      SELECT account_id FROM acme_account
      WHERE ${isShown(sql`uuid`, shown.accounts)} AND ${isShown(sql`acme_profile_uuid`, shown.profiles)}
      ORDER BY uuid DESC LIMIT ${MAX_LISTED_IDS}) youngest
    ORDER BY account_id`.execute(executor);
  return rows.map(({ account_id }) => account_id);
}

/** Identifies an account within its profile. */
export interface AccountKey {
  readonly acmeProfileUuid: string;
  readonly acmeAccountUuid: string;
}

/** Counts existing orders per account; accounts without orders are not included. Scans an index of all orders once. */
export async function countOrders(executor: Executor): Promise<ReadonlyMap<string, number>> {
  const rows = await tables(executor)
    .selectFrom('acme_order')
    .select((eb) => ['account_uuid', eb.fn.countAll<number>().as('orders')])
    .groupBy('account_uuid')
    .execute();
  return new Map(rows.map(({ account_uuid, orders }) => [account_uuid, orders]));
}

/** Counts an account's existing orders, by the status that the client sees. */
export async function countByStatus(
  executor: Executor,
  accountUuid: string,
  now: Date,
): Promise<ReadonlyMap<AcmeOrderStatus, number>> {
  const { rows } = await sql<{ status: AcmeOrderStatus; orders: number }>`
    SELECT status, count(*) AS orders
    FROM (SELECT ${shownStatus(now)} AS status FROM acme_order o WHERE o.account_uuid = ${accountUuid}::uuid) AS shown
    GROUP BY status`.execute(executor);
  return new Map(rows.map(({ status, orders }) => [status, orders]));
}

export interface LockedAccount {
  readonly uuid: string;
  readonly account_id: string;
  readonly acme_profile_uuid: string;
  readonly status: AcmeTables['acme_account']['status'];
  readonly enabled: boolean;
}

/** Locks the rows until the transaction ends, in a fixed order to avoid deadlocks. */
export const lockMany = (tx: Executor, uuids: readonly string[]): Promise<LockedAccount[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : tables(tx)
        .selectFrom('acme_account')
        .select(['uuid', 'account_id', 'acme_profile_uuid', 'status', 'enabled'])
        .where('uuid', 'in', uuids)
        .orderBy('uuid')
        .forNoKeyUpdate()
        .execute();

export async function setEnabled(
  tx: Executor,
  uuids: readonly string[],
  { enabled, at }: { readonly enabled: boolean; readonly at: Date },
): Promise<void> {
  await tables(tx).updateTable('acme_account').set({ enabled, updated_at: at }).where('uuid', 'in', uuids).execute();
}

/**
 * Revokes accounts and closes their open orders and authorizations (RFC 8555 §7.1.6). Orders that are already being
 * issued are completed. Authorizations are found through their orders. Valid ones, which may outlive their orders, are
 * found through the index of valid authorizations.
 */
export async function revoke(
  tx: Executor,
  uuids: readonly string[],
  { problem, at }: { readonly problem: StoredProblem; readonly at: Date },
): Promise<void> {
  const own = sql`SELECT unnest(${uuids}::uuid[])`;
  await tables(tx)
    .updateTable('acme_account')
    .set({ status: 'revoked', updated_at: at })
    .where('uuid', 'in', uuids)
    .execute();
  // Challenges no longer need to be validated.
  const ended = sql`status = 'revoked', leased_until = NULL,
    challenge_status = CASE challenge_status WHEN 'processing' THEN 'invalid' ELSE challenge_status END`;
  await sql`UPDATE acme_authorization SET ${ended} WHERE uuid IN (${namedByOrders(own)}) AND status = 'pending'`.execute(
    tx,
  );
  await sql`UPDATE acme_authorization SET ${ended} WHERE account_uuid IN (${own}) AND status = 'valid'`.execute(tx);
  await sql`UPDATE acme_order SET status = 'invalid', error = ${JSON.stringify(problem)}::jsonb
    WHERE account_uuid IN (${own}) AND status = 'pending'`.execute(tx);
}

/** Deletes the orders and authorizations of the profiles' accounts; the accounts are deleted with the profiles. */
export const removeContentsOfProfiles = (tx: Executor, acmeProfileUuids: readonly string[]): Promise<void> =>
  removeContents(tx, sql`SELECT uuid FROM acme_account WHERE acme_profile_uuid = ANY(${acmeProfileUuids}::uuid[])`);

/** Deletes accounts that were created under RA profile names, with all their data. */
export async function removeOfRaProfiles(tx: Executor, raProfileUuids: readonly string[]): Promise<void> {
  await removeContents(tx, sql`SELECT uuid FROM acme_account WHERE ra_profile_uuid = ANY(${raProfileUuids}::uuid[])`);
  await tables(tx).deleteFrom('acme_account').where('ra_profile_uuid', 'in', raProfileUuids).execute();
}

/**
 * Removes the contents of accounts. Authorizations that are not valid and belong to no order are left to the clean-up
 * job.
 */
async function removeContents(tx: Executor, own: RawBuilder<unknown>): Promise<void> {
  await sql`DELETE FROM acme_authorization WHERE uuid IN (${namedByOrders(own)})`.execute(tx);
  await sql`DELETE FROM acme_authorization WHERE account_uuid IN (${own}) AND status = 'valid'`.execute(tx);
  await sql`DELETE FROM acme_order WHERE account_uuid IN (${own})`.execute(tx);
}

const namedByOrders = (own: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`SELECT unnest(o.authorization_uuids) FROM acme_order o WHERE o.account_uuid IN (${own})`;
