// Queries for bulk changes, and for the certificates that each change still has to process.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { ChangeItemRow, ChangeRow, ChangeTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<ChangeTables>();

export type NewChange = Omit<ChangeRow, 'changed' | 'refused' | 'finished_at' | 'stopped_by' | 'total'>;

/** Must be called in a transaction. */
export async function insertChange(
  tx: Executor,
  { asked, ...change }: NewChange,
  certificateUuids: readonly string[],
): Promise<void> {
  await sql`
    INSERT INTO certificate_change (uuid, kind, asked, requester_uuid, requester_name, total, started_at)
    VALUES (${change.uuid}, ${change.kind}, ${JSON.stringify(asked)}::jsonb, ${change.requester_uuid}, ${change.requester_name},
      ${certificateUuids.length}, ${change.started_at})`.execute(tx);
  await sql`
    INSERT INTO certificate_change_item (change_uuid, certificate_uuid)
    SELECT ${change.uuid}, unnest(${certificateUuids}::uuid[])`.execute(tx);
}

export const findChange = (executor: Executor, uuid: string): Promise<ChangeRow | undefined> =>
  tables(executor).selectFrom('certificate_change').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** Returns the next certificates that a change still has to process, in row lock order. */
export async function findRemaining(executor: Executor, changeUuid: string, limit: number): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('certificate_change_item')
    .select('certificate_uuid')
    .where('change_uuid', '=', changeUuid)
    .where('problem', 'is', null)
    .orderBy('certificate_uuid')
    .limit(limit)
    .execute();
  return rows.map(({ certificate_uuid }) => certificate_uuid);
}

/**
 * Returns the certificates that are still pending. Locks the change until the transaction ends, so that two nodes do
 * not process the same certificate.
 */
export async function lockRemaining(tx: Executor, changeUuid: string, uuids: readonly string[]): Promise<string[]> {
  await tables(tx).selectFrom('certificate_change').select('uuid').where('uuid', '=', changeUuid).forUpdate().execute();
  const rows = await tables(tx)
    .selectFrom('certificate_change_item')
    .select('certificate_uuid')
    .where('change_uuid', '=', changeUuid)
    .where('problem', 'is', null)
    .where('certificate_uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .orderBy('certificate_uuid')
    .execute();
  return rows.map(({ certificate_uuid }) => certificate_uuid);
}

export interface SetProgress {
  readonly changed: readonly string[];
  readonly refused: readonly Pick<ChangeItemRow, 'certificate_uuid' | 'name' | 'problem'>[];
}

/** Updates the counts, in the transaction that changes the certificates. */
export async function recordProgress(
  tx: Executor,
  changeUuid: string,
  { changed, refused }: SetProgress,
): Promise<void> {
  await tables(tx)
    .deleteFrom('certificate_change_item')
    .where('change_uuid', '=', changeUuid)
    .where('certificate_uuid', '=', sql<string>`ANY(${changed}::uuid[])`)
    .execute();
  await sql`
    UPDATE certificate_change_item item SET name = r.name, problem = r.problem
    FROM jsonb_to_recordset(${JSON.stringify(refused)}::jsonb) AS r (certificate_uuid uuid, name text, problem text)
    WHERE item.change_uuid = ${changeUuid} AND item.certificate_uuid = r.certificate_uuid`.execute(tx);
  await sql`
    UPDATE certificate_change SET changed = changed + ${changed.length}, refused = refused + ${refused.length}
    WHERE uuid = ${changeUuid}`.execute(tx);
}

/** Marks the change as finished; returns undefined if another node already did so. */
export async function finishChange(tx: Executor, changeUuid: string, at: Date): Promise<ChangeRow | undefined> {
  const { rows } = await sql<ChangeRow>`
    UPDATE certificate_change SET finished_at = ${at} WHERE uuid = ${changeUuid} AND finished_at IS NULL
      AND NOT EXISTS (SELECT FROM certificate_change_item WHERE change_uuid = ${changeUuid} AND problem IS NULL)
    RETURNING *`.execute(tx);
  return rows[0];
}

export const findRejections = (executor: Executor, changeUuid: string, limit: number): Promise<ChangeItemRow[]> =>
  tables(executor)
    .selectFrom('certificate_change_item')
    .selectAll()
    .where('change_uuid', '=', changeUuid)
    .where('problem', 'is not', null)
    .orderBy('certificate_uuid')
    .limit(limit)
    .execute();

/**
 * Leaves unprocessed certificates unchanged. Waits for the current batch; returns false if the change had already
 * finished.
 */
export async function stopChange(
  tx: Executor,
  changeUuid: string,
  { by, at }: { readonly by: string; readonly at: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE certificate_change SET finished_at = ${at}, stopped_by = ${by}
    WHERE uuid = ${changeUuid} AND finished_at IS NULL`.execute(tx);
  await tables(tx)
    .deleteFrom('certificate_change_item')
    .where('change_uuid', '=', changeUuid)
    .where('problem', 'is', null)
    .execute();
  return numAffectedRows === 1n;
}

/** Returns the changes of one user or of all users, newest first. */
export const findChanges = (
  executor: Executor,
  { requesterUuid, limit }: { readonly requesterUuid: string | undefined; readonly limit: number },
): Promise<ChangeRow[]> =>
  tables(executor)
    .selectFrom('certificate_change')
    .selectAll()
    .$if(requesterUuid !== undefined, (query) => query.where('requester_uuid', '=', requesterUuid ?? null))
    .orderBy('started_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .execute();

export async function findUnfinished(executor: Executor): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('certificate_change')
    .select('uuid')
    .where('finished_at', 'is', null)
    .orderBy('started_at')
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export async function removeFinishedBefore(executor: Executor, instant: Date): Promise<void> {
  await tables(executor).deleteFrom('certificate_change').where('finished_at', '<', instant).execute();
}
