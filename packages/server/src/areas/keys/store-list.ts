// Key lists: pages of items, and complete keys with their token and profile names.
import { sql, type SqlBool } from 'kysely';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { compileFilters } from '../../platform/database/filter/compile.ts';
import type { KeyFilter } from './access.ts';
import { countedTotal, type Selection } from './store-counts.ts';
import { isVisibleKey } from './store-visible.ts';
import type { KeyItemRow, KeyRow, KeyTables } from './tables.ts';

type Tables = KeyTables & { token: { uuid: string; name: string }; token_profile: { uuid: string; name: string } };

const tables = (executor: Executor) => executor.withTables<Tables>();

/** Key with the names of its token and token profile. */
export interface NamedKeyRow extends KeyRow {
  readonly token_name: string | null;
  readonly token_profile_name: string | null;
}

export interface ListedItemRow extends KeyItemRow {
  readonly key: NamedKeyRow;
}

/** Number of items that can be collected within tens of milliseconds. */
const FEW = 5_000;

const newestFirst = sql`i.created_at DESC, i.uuid DESC`;

/**
 * Returns one page of items, newest first. Small result sets are collected and then sorted; large ones are scanned in
 * index order.
 */
export async function findPage(
  executor: Executor,
  { page, few = FEW, ...selection }: Selection & { readonly page: PageRequest; readonly few?: number },
): Promise<Page<ListedItemRow>> {
  const known = await countedTotal(executor, selection);
  if (known === 0) return { items: [], totalItems: 0 };
  const stretch = { limit: page.itemsPerPage, offset: pageOffset(page) };
  const collected =
    known === undefined || known <= few
      ? await collect(executor, selection, { ...stretch, most: known === undefined ? few : undefined })
      : undefined;
  if (collected) return { items: await findListed(executor, collected.uuids), totalItems: collected.total };
  const totalItems = known ?? (await countSelected(executor, selection));
  return { items: await findListed(executor, await walk(executor, selection, stretch)), totalItems };
}

/** Every item has a key, but a left join lets PostgreSQL omit the key table if no condition refers to it. */
const selected = ({ conditions, visible }: Selection) => sql`
  FROM key_item i LEFT JOIN key k ON k.uuid = i.key_uuid WHERE ${compileFilters(conditions)} AND ${isVisibleKey(visible)}`;

interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

/** Returns undefined if more than `most` items match. */
async function collect(
  executor: Executor,
  selection: Selection,
  { limit, offset, most }: PageRange & { readonly most: number | undefined },
): Promise<{ readonly uuids: readonly string[]; readonly total: number } | undefined> {
  const upTo = most === undefined ? sql`` : sql`LIMIT ${most + 1}`;
  const { rows } = await sql<{ uuids: string[]; total: number }>`
    WITH i AS MATERIALIZED (SELECT i.uuid, i.created_at ${selected(selection)} ${upTo})
    SELECT (SELECT count(*)::int FROM i) AS total,
      ARRAY(SELECT i.uuid FROM i ORDER BY ${newestFirst} LIMIT ${limit} OFFSET ${offset})::text[] AS uuids`.execute(
    executor,
  );
  const [found = { uuids: [], total: 0 }] = rows;
  return most !== undefined && found.total > most ? undefined : found;
}

async function walk(
  executor: Executor,
  selection: Selection,
  { limit, offset }: PageRange,
): Promise<readonly string[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT i.uuid ${selected(selection)} ORDER BY ${newestFirst} LIMIT ${limit} OFFSET ${offset}`.execute(executor);
  return rows.map(({ uuid }) => uuid);
}

async function countSelected(executor: Executor, selection: Selection): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT count(*) AS total ${selected(selection)}`.execute(executor);
  return rows[0]?.total ?? 0;
}

/** Returns the items in the order of the given UUIDs. */
async function findListed(executor: Executor, uuids: readonly string[]): Promise<ListedItemRow[]> {
  if (uuids.length === 0) return [];
  const items = await tables(executor)
    .selectFrom('key_item')
    .selectAll()
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();
  const keys = await findNamed(executor, [...new Set(items.map(({ key_uuid: uuid }) => uuid))]);
  const keyByUuid = new Map(keys.map((key) => [key.uuid, key]));
  const itemByUuid = new Map(items.map((item) => [item.uuid, item]));
  return uuids.flatMap((uuid) => {
    const item = itemByUuid.get(uuid);
    const key = item && keyByUuid.get(item.key_uuid);
    return item && key ? [{ ...item, key }] : [];
  });
}

/** Returns keys, sorted by name. */
export const findNamed = (executor: Executor, uuids: readonly string[]): Promise<NamedKeyRow[]> =>
  named(executor)
    .where('k.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .orderBy('k.name')
    .execute();

const named = (executor: Executor) =>
  tables(executor)
    .selectFrom('key as k')
    .leftJoin('token as t', 't.uuid', 'k.token_uuid')
    .leftJoin('token_profile as p', 'p.uuid', 'k.token_profile_uuid')
    .selectAll('k')
    .select(['t.name as token_name', 'p.name as token_profile_name']);

/** Returns keys with two usable halves whose token profile is enabled. */
export const findPairs = (
  executor: Executor,
  { visible, profileUuid }: { readonly visible: KeyFilter; readonly profileUuid: string | undefined },
): Promise<NamedKeyRow[]> =>
  named(executor)
    .where(isVisibleKey(visible))
    .where(sql<SqlBool>`p.enabled`)
    .where(
      sql<SqlBool>`(SELECT count(DISTINCT i.type) FROM key_item i
      WHERE i.key_uuid = k.uuid AND i.type IN ('Public', 'Private') AND i.state = 'active' AND i.enabled) = 2`,
    )
    .$if(profileUuid !== undefined, (query) => query.where('k.token_profile_uuid', '=', profileUuid ?? ''))
    .orderBy('k.name')
    .execute();

/** Returns the owners of the keys that the caller can see. */
export async function findOwners(executor: Executor, visible: KeyFilter): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('key as k')
    .select('k.owner_username')
    .distinct()
    .where('k.owner_username', 'is not', null)
    .where(isVisibleKey(visible))
    .orderBy('k.owner_username')
    .$narrowType<{ owner_username: string }>()
    .execute();
  return rows.map(({ owner_username: owner }) => owner);
}
