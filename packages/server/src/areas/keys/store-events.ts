// Histories of key items.
import type { KeyEvent, KeyEventStatus } from '@signetry/contract';
import { sql } from 'kysely';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { KeyEventRow, KeyTables } from './tables.ts';

export interface KeyHistoryEntry {
  readonly itemUuid: string;
  readonly event: KeyEvent;
  readonly status: KeyEventStatus;
  readonly message: string;
  readonly additional?: Record<string, unknown>;
}

/** Actor and time of a key operation. */
export interface KeyOccasion {
  readonly at: Date;
  readonly by: string;
}

export const eventRow = (entry: KeyHistoryEntry, { at, by }: KeyOccasion): KeyEventRow => ({
  uuid: newUuid(),
  item_uuid: entry.itemUuid,
  created_at: at,
  created_by: by,
  event: entry.event,
  status: entry.status,
  message: entry.message,
  additional: entry.additional ?? null,
});

export async function insertEvents(
  tx: Executor,
  entries: readonly KeyHistoryEntry[],
  occasion: KeyOccasion,
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => eventRow(entry, occasion));
  await tx.withTables<KeyTables>().insertInto('key_event').values(rows).execute();
}

/** Returns the newest events first. */
export const findEvents = (executor: Executor, itemUuid: string, limit: number): Promise<KeyEventRow[]> =>
  executor
    .withTables<KeyTables>()
    .selectFrom('key_event')
    .selectAll()
    .where('item_uuid', '=', itemUuid)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .execute();

/** Removes up to `limit` events, oldest first, and returns the number removed. */
export async function removeOldEvents(
  tx: Executor,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM key_event WHERE uuid IN (
      SELECT uuid FROM key_event WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit})`.execute(tx);
  return Number(numAffectedRows);
}
