// Key items as seen by compliance checks, and the resulting status.
import type { ComplianceStatus } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { compileFilters, type SqlCondition } from '../../platform/database/filter/compile.ts';
import type { KeyTables } from './tables.ts';

const items = (executor: Executor) =>
  executor.withTables<KeyTables>().selectFrom('key_item as i').innerJoin('key as k', 'k.uuid', 'i.key_uuid');

export const findChecked = (executor: Executor, uuids: readonly string[]) =>
  items(executor)
    .select(['i.uuid', 'i.key_uuid', 'k.name', 'k.token_profile_uuid', 'i.type', 'i.format', 'i.key_data'])
    .where('i.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();

export async function findFulfilling(
  executor: Executor,
  conditions: readonly SqlCondition[],
  uuids: readonly string[],
): Promise<string[]> {
  const rows = await items(executor)
    .select('i.uuid')
    .where('i.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .where(compileFilters(conditions))
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Returns the UUIDs of the items, in order. Each given UUID identifies a key or an item. */
export async function findItemUuids(executor: Executor, uuids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT uuid FROM key_item WHERE uuid = ANY(${uuids}::uuid[])
    UNION SELECT uuid FROM key_item WHERE key_uuid = ANY(${uuids}::uuid[])
    ORDER BY uuid`.execute(executor);
  return rows.map(({ uuid }) => uuid);
}

/** Returns the next item UUIDs for these token profiles, in order. */
export async function findNextByProfiles(
  executor: Executor,
  { profileUuids, after, limit }: { profileUuids: readonly string[]; after: string | null; limit: number },
): Promise<string[]> {
  const rows = await items(executor)
    .select('i.uuid')
    .where('k.token_profile_uuid', '=', sql<string>`ANY(${profileUuids}::uuid[])`)
    .$if(after !== null, (query) => query.where('i.uuid', '>', after ?? ''))
    .orderBy('i.uuid')
    .limit(limit)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export async function countByProfiles(executor: Executor, profileUuids: readonly string[]): Promise<number> {
  const { total } = await items(executor)
    .select((build) => build.fn.countAll<number>().as('total'))
    .where('k.token_profile_uuid', '=', sql<string>`ANY(${profileUuids}::uuid[])`)
    .executeTakeFirstOrThrow();
  return total;
}

/** Locks the items in the same order as all other code that writes them. */
export async function setStatus(tx: Executor, uuids: readonly string[], status: ComplianceStatus): Promise<void> {
  await sql`
    WITH changed AS (
      SELECT uuid FROM key_item
      WHERE uuid = ANY(${uuids}::uuid[]) AND compliance_status <> ${status} ORDER BY uuid FOR NO KEY UPDATE)
    UPDATE key_item i SET compliance_status = ${status} FROM changed WHERE i.uuid = changed.uuid`.execute(tx);
}
