// Queries for notifications of lasting conditions that have been sent, and for whether these conditions still hold.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { toJson, tables } from './store.ts';
import type { PendingRow } from './tables.ts';

export type PendingKey = Pick<PendingRow, 'profile_uuid' | 'event' | 'object_uuid'>;

/** Locks the row until the transaction ends. */
export const lockPending = (tx: Executor, key: PendingKey): Promise<PendingRow | undefined> =>
  tables(tx)
    .selectFrom('notification_pending')
    .selectAll()
    .where('profile_uuid', '=', key.profile_uuid)
    .where('event', '=', key.event)
    .where('object_uuid', '=', key.object_uuid)
    .forUpdate()
    .executeTakeFirst();

/** Inserts or updates the row. */
export async function storePending(tx: Executor, row: PendingRow): Promise<void> {
  const { version, data, sent_count, last_sent_at, next_at } = row;
  await tables(tx)
    .insertInto('notification_pending')
    .values({ ...row, data: toJson(data) })
    .onConflict((conflict) =>
      conflict
        .columns(['profile_uuid', 'event', 'object_uuid'])
        .doUpdateSet({ version, data: toJson(data), sent_count, last_sent_at, next_at }),
    )
    .execute();
}

/**
 * Returns the due rows, locked until the transaction ends. This includes rows that are due after `never`, because they
 * were written before the clock was set back.
 */
export const claimDuePending = (
  tx: Executor,
  { now, never, limit }: { readonly now: Date; readonly never: Date; readonly limit: number },
): Promise<PendingRow[]> =>
  tables(tx)
    .selectFrom('notification_pending')
    .selectAll()
    .where((eb) => eb.or([eb('next_at', '<=', now), eb('next_at', '>', never)]))
    .orderBy('next_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();

export async function removePending(tx: Executor, key: PendingKey): Promise<void> {
  await tables(tx)
    .deleteFrom('notification_pending')
    .where('profile_uuid', '=', key.profile_uuid)
    .where('event', '=', key.event)
    .where('object_uuid', '=', key.object_uuid)
    .execute();
}

/** Returns the certificates that are still issued, not archived and not expired, and that have no successor yet. */
export async function findStillExpiring(
  executor: Executor,
  uuids: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT c.uuid FROM certificate c
    WHERE c.uuid = ANY(${uuids}::uuid[]) AND c.state = 'issued' AND NOT c.archived AND c.not_after > ${now}
      AND NOT EXISTS (SELECT 1 FROM certificate_relation r JOIN certificate s ON s.uuid = r.successor_uuid
        WHERE r.predecessor_uuid = c.uuid AND s.state = 'issued')`.execute(executor);
  return new Set(rows.map(({ uuid }) => uuid));
}
