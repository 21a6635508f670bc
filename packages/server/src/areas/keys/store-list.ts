// Lists of keys: pages of items, and whole keys, with the names of their tokens and profiles.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isUnlimited } from '../../kernel/actor.ts';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { compileFilters, type SqlCondition } from '../../platform/database/filter/compile.ts';
import { isVisibleObject } from '../groups/index.ts';
import type { KeyFilter } from './access.ts';
import type { KeyItemRow, KeyRow, KeyTables } from './tables.ts';

type Tables = KeyTables & { token: { uuid: string; name: string }; token_profile: { uuid: string; name: string } };

const tables = (executor: Executor) => executor.withTables<Tables>();

/** A key with the names that are shown of it. */
export interface NamedKeyRow extends KeyRow {
  readonly token_name: string | null;
  readonly token_profile_name: string | null;
}

export interface ListedItemRow extends KeyItemRow {
  readonly key: NamedKeyRow;
}

const columns = {
  resource: 'keys',
  uuid: sql`k.uuid`,
  container: sql`k.token_uuid`,
  owner: sql`k.owner_uuid`,
} as const;

/** What a caller sees of `key as k`. Without anything that limits the tokens there is no condition. */
const isVisibleKey = ({ tokens, ...others }: KeyFilter): RawBuilder<SqlBool> =>
  isUnlimited(tokens) ? sql`true` : isVisibleObject(columns, { ...others, containers: tokens });

interface Selection {
  readonly conditions: readonly SqlCondition[];
  readonly visible: KeyFilter;
}

/** One page of items, the newest first. */
export async function findPage(
  executor: Executor,
  { conditions, visible, page }: Selection & { readonly page: PageRequest },
): Promise<Page<ListedItemRow>> {
  const selected = tables(executor)
    .selectFrom('key_item as i')
    .innerJoin('key as k', 'k.uuid', 'i.key_uuid')
    .where(compileFilters(conditions))
    .where(isVisibleKey(visible));
  // Every item has a key: without a condition the items are counted without looking at their keys.
  const isEverything = conditions.length === 0 && isUnlimited(visible.tokens);
  const counted = isEverything ? tables(executor).selectFrom('key_item as i') : selected;
  const { count } = await counted.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  const keys = await selected
    .select('i.uuid')
    .orderBy('i.created_at', 'desc')
    .orderBy('i.uuid', 'desc')
    .limit(page.itemsPerPage)
    .offset(pageOffset(page))
    .execute();
  return { items: await findListed(executor, keys.map(({ uuid }) => uuid)), totalItems: count }; // prettier-ignore
}

/** In the order of the identifiers. */
async function findListed(executor: Executor, uuids: readonly string[]): Promise<ListedItemRow[]> {
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

/** Keys by name. */
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

/** Keys with two usable halves, of profiles that are enabled. */
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

/** Owners of the keys that a caller sees. */
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
