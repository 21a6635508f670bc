// Queries of the audit log: lists, exports and purges.
import { sql, type Selectable } from 'kysely';
import type { PageRequest } from '../../kernel/page.ts';
import { pageOffset } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { compileFilters, type SqlCondition } from '../../platform/database/filter/compile.ts';
import type { AuditTables } from './tables.ts';

export type AuditRow = Selectable<AuditTables['audit_record']>;

const matching = (executor: Executor, conditions: readonly SqlCondition[]) =>
  executor.withTables<AuditTables>().selectFrom('audit_record as a').where(compileFilters(conditions));

/** One page by falling id, with the number of all records that match. */
export async function findPage(
  executor: Executor,
  search: { readonly conditions: readonly SqlCondition[]; readonly page: PageRequest },
): Promise<{ readonly items: readonly AuditRow[]; readonly totalItems: number }> {
  const query = matching(executor, search.conditions);
  // The ids of the page come first: skipping the pages before it then reads the index only.
  const page = query
    .select('a.id')
    .orderBy('a.id', 'desc')
    .limit(search.page.itemsPerPage)
    .offset(pageOffset(search.page));
  const items = await executor
    .withTables<AuditTables>()
    .selectFrom(page.as('page'))
    .innerJoin('audit_record as r', 'r.id', 'page.id')
    .selectAll('r')
    .orderBy('r.id', 'desc')
    .execute();
  const { count } = await query.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return { items, totalItems: count };
}

/** The next records by falling id below `before`, or from the newest on. */
export function findBefore(
  executor: Executor,
  part: { readonly conditions: readonly SqlCondition[]; readonly before: number | undefined; readonly limit: number },
): Promise<AuditRow[]> {
  const query = matching(executor, part.conditions).selectAll('a').orderBy('a.id', 'desc').limit(part.limit);
  return (part.before === undefined ? query : query.where('a.id', '<', part.before)).execute();
}

export async function findNewestId(executor: Executor): Promise<number> {
  const rows = await sql<{ id: number }>`SELECT coalesce(max(id), 0) AS id FROM audit_record`.execute(executor);
  return rows.rows[0]?.id ?? 0;
}

/**
 * Deletes the next sealed records that match, in the span `after < id <= upTo`, and returns their ids, rising. A record
 * that is not sealed yet stays: its removal could not be told from one by hand.
 */
export async function deleteSealed(
  tx: Executor,
  part: {
    readonly conditions: readonly SqlCondition[];
    readonly after: number;
    readonly upTo: number;
    readonly limit: number;
  },
): Promise<number[]> {
  const deleted = await sql<{ id: number }>`
    DELETE FROM audit_record WHERE id IN (
      SELECT a.id FROM audit_record a
      WHERE ${compileFilters(part.conditions)} AND a.id > ${part.after} AND a.id <= ${part.upTo}
        AND NOT EXISTS (SELECT 1 FROM audit_unsealed u WHERE u.audit_id = a.id)
      ORDER BY a.id LIMIT ${part.limit})
    RETURNING id`.execute(tx);
  return deleted.rows.map(({ id }) => id).sort((a, b) => a - b);
}
