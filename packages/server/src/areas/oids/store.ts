// Queries for entries.
import { sql } from 'kysely';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { compileFilters, type SqlCondition } from '../../platform/database/filter/compile.ts';
import type { OidRow, OidTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<OidTables>();

/** Returns one page, sorted by OID as text in descending order. */
export async function findPage(
  executor: Executor,
  { conditions, page }: { readonly conditions: readonly SqlCondition[]; readonly page: PageRequest },
): Promise<Page<OidRow>> {
  const query = tables(executor).selectFrom('oid_entry as o').where(compileFilters(conditions));
  const items = await query
    .selectAll('o')
    .orderBy('o.oid', 'desc')
    .limit(page.itemsPerPage)
    .offset(pageOffset(page))
    .execute();
  const { count } = await query.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return { items, totalItems: count };
}

export const findAll = (executor: Executor): Promise<OidRow[]> =>
  tables(executor).selectFrom('oid_entry').selectAll().orderBy('oid').execute();

export const findOne = (executor: Executor, oid: string): Promise<OidRow | undefined> =>
  tables(executor).selectFrom('oid_entry').selectAll().where('oid', '=', oid).executeTakeFirst();

/** Blocks other writers of entries until the transaction ends; readers are not affected. */
export const lockAll = (tx: Executor) => sql`LOCK TABLE oid_entry IN SHARE ROW EXCLUSIVE MODE`.execute(tx);

export async function insert(tx: Executor, row: OidRow): Promise<void> {
  await tables(tx).insertInto('oid_entry').values(row).execute();
}

/** Updates an existing entry. */
export async function update(tx: Executor, { oid, ...changes }: Omit<OidRow, 'created_at'>): Promise<void> {
  await tables(tx).updateTable('oid_entry').set(changes).where('oid', '=', oid).execute();
}

/** Removes entries and returns those that existed. */
export const removeMany = (tx: Executor, oids: readonly string[]): Promise<OidRow[]> =>
  tables(tx)
    .deleteFrom('oid_entry')
    .where('oid', '=', sql<string>`ANY(${oids}::text[])`)
    .returningAll()
    .execute();
