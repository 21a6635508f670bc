// Queries for sealing keys: which keys exist, which node has which keys, and the progress of a rotation.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { KeysAtRestTables, SealingKeyRow, SealingNodeRow, SealingRotationRow } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<KeysAtRestTables>();

export const findKeys = (executor: Executor): Promise<SealingKeyRow[]> =>
  tables(executor)
    .selectFrom('sealing_key')
    .select(['key_id', 'is_current', 'retired_at'])
    .orderBy('added_at')
    .execute();

/** Registers the keys of a file; the first becomes the current one unless there already is one. */
export async function insertKeys(tx: Executor, keyIds: readonly string[]): Promise<void> {
  for (const [index, key_id] of keyIds.entries()) {
    await tables(tx)
      .insertInto('sealing_key')
      .values({ key_id, is_current: index === 0, retired_at: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Makes a key the current one. The caller must hold the lock from `lockKeys`. */
export async function replaceCurrent(tx: Executor, keyId: string): Promise<void> {
  await sql`UPDATE sealing_key SET is_current = false WHERE is_current`.execute(tx);
  await sql`
    INSERT INTO sealing_key (key_id, is_current) VALUES (${keyId}, true)
    ON CONFLICT (key_id) DO UPDATE SET is_current = true, retired_at = NULL`.execute(tx);
}

/** Prevents two rotations from starting or finishing concurrently. */
export const lockKeys = (tx: Executor): Promise<unknown> =>
  sql`LOCK TABLE sealing_key IN SHARE ROW EXCLUSIVE MODE`.execute(tx);

/** Marks all keys but the current one as no longer needed. */
export async function retireOthers(tx: Executor): Promise<void> {
  await sql`UPDATE sealing_key SET retired_at = clock_timestamp() WHERE NOT is_current AND retired_at IS NULL`.execute(
    tx,
  );
}

export async function recordNode(executor: Executor, node: Omit<SealingNodeRow, 'seen_at'>): Promise<void> {
  await sql`
    INSERT INTO sealing_node (node_id, current_key_id, key_ids, seen_at)
    VALUES (${node.node_id}::uuid, ${node.current_key_id}, ${node.key_ids}::text[], clock_timestamp())
    ON CONFLICT (node_id) DO UPDATE
    SET current_key_id = excluded.current_key_id, key_ids = excluded.key_ids, seen_at = excluded.seen_at`.execute(
    executor,
  );
}

export async function forgetNode(executor: Executor, nodeId: string): Promise<void> {
  await tables(executor).deleteFrom('sealing_node').where('node_id', '=', nodeId).execute();
}

/** Finds recently seen nodes. A crashed node is included until `withinMs` has passed. */
export const findNodes = (executor: Executor, withinMs: number): Promise<SealingNodeRow[]> =>
  tables(executor)
    .selectFrom('sealing_node')
    .selectAll()
    .where(sql<boolean>`seen_at > clock_timestamp() - make_interval(secs => ${withinMs / 1000})`)
    .orderBy('node_id')
    .execute();

export async function insertRotation(tx: Executor, row: SealingRotationRow): Promise<void> {
  await tables(tx).insertInto('sealing_rotation').values(row).execute();
}

export const findNewestRotation = (executor: Executor): Promise<SealingRotationRow | undefined> =>
  tables(executor).selectFrom('sealing_rotation').selectAll().orderBy('started_at', 'desc').limit(1).executeTakeFirst();

export const findRotation = (executor: Executor, uuid: string): Promise<SealingRotationRow | undefined> =>
  tables(executor).selectFrom('sealing_rotation').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export async function addProgress(tx: Executor, uuid: string, count: number): Promise<void> {
  await sql`UPDATE sealing_rotation SET done = done + ${count} WHERE uuid = ${uuid}::uuid`.execute(tx);
}

export async function finishRotation(tx: Executor, uuid: string): Promise<void> {
  await sql`
    UPDATE sealing_rotation SET finished_at = clock_timestamp(), total = done WHERE uuid = ${uuid}::uuid`.execute(tx);
}

export const findRetired = (executor: Executor): Promise<KeysAtRestTables['retired_key'][]> =>
  tables(executor).selectFrom('retired_key').selectAll().execute();

export async function insertRetired(tx: Executor, rows: readonly KeysAtRestTables['retired_key'][]): Promise<void> {
  if (rows.length === 0) return;
  await tables(tx)
    .insertInto('retired_key')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
