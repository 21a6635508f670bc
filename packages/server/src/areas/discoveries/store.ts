// Queries for discoveries.
import { sql } from 'kysely';
import type { ObjectFilter } from '../../kernel/actor.ts';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { compileFilters, type SqlCondition } from '../../platform/database/filter/compile.ts';
import { isShown } from '../../platform/database/object-filter.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { DiscoveryRow, DiscoveryTables } from './tables.ts';

export const tables = (executor: Executor) => executor.withTables<DiscoveryTables>();

export const discoveries = namedObjects<DiscoveryRow>({ what: 'Discovery', table: 'discovery' });

interface Selection {
  readonly conditions: readonly SqlCondition[];
  readonly visible: ObjectFilter;
  readonly page: PageRequest;
}

/** Returns a page of discoveries, newest first. */
export async function findPage(
  executor: Executor,
  { conditions, visible, page }: Selection,
): Promise<Page<DiscoveryRow>> {
  const selected = tables(executor)
    .selectFrom('discovery as d')
    .where(compileFilters(conditions))
    .where(isShown(sql.ref('d.uuid'), visible));
  const { count } = await selected.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  const items = await selected
    .selectAll()
    .orderBy('d.started_at', 'desc')
    .orderBy('d.uuid', 'desc')
    .limit(page.itemsPerPage)
    .offset(pageOffset(page))
    .execute();
  return { items, totalItems: count };
}

/** Returns the discoveries that match the conditions. */
export async function findFulfilling(
  executor: Executor,
  conditions: readonly SqlCondition[],
  uuids: readonly string[],
): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('discovery as d')
    .select('d.uuid')
    .where('d.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .where(compileFilters(conditions))
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export async function findConnectorNames(executor: Executor, visible: ObjectFilter): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('discovery as d')
    .select('d.connector_name')
    .distinct()
    .where(isShown(sql.ref('d.uuid'), visible))
    .orderBy('d.connector_name')
    .execute();
  return rows.map((row) => row.connector_name);
}

/** Returns the most recent earlier discovery with the same request that has ended. */
export const findBefore = (executor: Executor, row: DiscoveryRow): Promise<DiscoveryRow | undefined> =>
  tables(executor)
    .selectFrom('discovery')
    .selectAll()
    .where('asked_for', '=', row.asked_for)
    .where('started_at', '<', row.started_at)
    .where('ended_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/**
 * Returns the fingerprints, sorted, of certificates that these discoveries list but that are no longer in the
 * inventory.
 */
export async function findOrphanedFingerprints(tx: Executor, uuids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ fingerprint: string }>`
    SELECT DISTINCT d.fingerprint FROM discovery_certificate d
    WHERE d.discovery_uuid = ANY(${uuids}::uuid[])
      AND NOT EXISTS (SELECT FROM certificate c WHERE c.fingerprint = d.fingerprint AND c.state <> 'failed')
    ORDER BY d.fingerprint`.execute(tx);
  return rows.map(({ fingerprint }) => fingerprint);
}
