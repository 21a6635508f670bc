// Queries for the audit log: lists, exports and purges.
import { sql, type Selectable } from 'kysely';
import type { PageRequest } from '../../kernel/page.ts';
import { pageOffset } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { compileFilters, type SqlCondition } from '../../platform/database/filter/compile.ts';
import type { AuditTables } from './tables.ts';

export type AuditRow = Selectable<AuditTables['audit_record']>;

const selectMatching = (executor: Executor, conditions: readonly SqlCondition[]) =>
  executor.withTables<AuditTables>().selectFrom('audit_record as a').where(compileFilters(conditions));

/** Returns one page by descending ID, with the total number of matching records. */
export async function findPage(
  executor: Executor,
  search: { readonly conditions: readonly SqlCondition[]; readonly page: PageRequest },
): Promise<{ readonly items: readonly AuditRow[]; readonly totalItems: number }> {
  const query = selectMatching(executor, search.conditions);
  // If few records match, all of them are found by their index and then sorted. The planner cannot know how few records
  // an object has, and would scan the whole log backwards for the first ten.
  const candidates = selectsObjects(search.conditions) ? fenceQuery(executor, query) : query;
  // Selects the page's IDs first, so that skipping the previous pages reads only the index.
  const page = candidates
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
  return { items, totalItems: search.conditions.length === 0 ? await countAll(executor) : await countOf(query) };
}

type Matching = ReturnType<typeof selectMatching>;

const countOf = async (query: Matching): Promise<number> =>
  (await query.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count;

/**
 * Returns the number of records that the chains and purge markers account for, because counting a million rows takes
 * longer than reading the rest of the page. If records were removed manually, there are actually fewer; verification
 * reports this.
 */
async function countAll(executor: Executor): Promise<number> {
  const counted = await sql<{ count: number }>`
    SELECT ((SELECT coalesce(sum(next_sequence - 1), 0) FROM audit_chain) + (SELECT count(*) FROM audit_unsealed)
      - (SELECT coalesce(sum(record_count), 0) FROM audit_purge))::bigint AS count`.execute(executor);
  return counted.rows[0]?.count ?? 0;
}

/** Returns whether only records of specific objects are requested. */
const selectsObjects = (conditions: readonly SqlCondition[]): boolean =>
  conditions.some((each) => each.kind === 'equals' && !each.negated && each.field.reading.kind === 'members');

/** `OFFSET 0` prevents the planner from applying the page's order and limit inside the query. */
const fenceQuery = (executor: Executor, query: Matching) =>
  executor.withTables<AuditTables>().selectFrom(query.select('a.id').offset(0).as('a'));

/** Returns the next records in descending ID order, below `before` or starting with the newest. */
export function findBefore(
  executor: Executor,
  part: { readonly conditions: readonly SqlCondition[]; readonly before: number | undefined; readonly limit: number },
): Promise<AuditRow[]> {
  const query = selectMatching(executor, part.conditions).selectAll('a').orderBy('a.id', 'desc').limit(part.limit);
  return (part.before === undefined ? query : query.where('a.id', '<', part.before)).execute();
}

export async function findNewestId(executor: Executor): Promise<number> {
  const rows = await sql<{ id: number }>`SELECT coalesce(max(id), 0) AS id FROM audit_record`.execute(executor);
  return rows.rows[0]?.id ?? 0;
}

/**
 * Deletes the next matching sealed records in the range `after < id <= upTo` and returns their IDs, ascending. An
 * unsealed record stays, because its removal could not be distinguished from manual removal.
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

/** Returns the ID of the last of the `limit` oldest records; 0 if there are none. */
export async function findLastOfOldest(executor: Executor, limit: number): Promise<number> {
  const rows = await sql<{ id: number }>`
    SELECT coalesce(max(id), 0)::bigint AS id FROM (
      SELECT id FROM audit_record ORDER BY id LIMIT ${limit}) AS oldest`.execute(executor);
  return rows.rows[0]?.id ?? 0;
}
