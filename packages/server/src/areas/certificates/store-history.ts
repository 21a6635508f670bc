// Certificate history.
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { certificateTables } from './store.ts';
import type { HistoryRow } from './tables.ts';
import { sql } from 'kysely';
import type { RetentionPolicy } from '../../platform/platform.ts';

/** An entry's content. Its time and author come from the change that it belongs to. */
export type HistoryEntry = Pick<HistoryRow, 'certificate_uuid' | 'event' | 'status' | 'message'> &
  Partial<Pick<HistoryRow, 'additional'>>;

export async function insertHistory(
  executor: Executor,
  entries: readonly HistoryEntry[],
  { at, by }: { readonly at: Date; readonly by: string },
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ additional = null, ...entry }) => ({
    ...entry,
    uuid: newUuid(),
    additional: additional === null ? null : (JSON.stringify(additional) as never), // The jsonb column accepts text.
    created_at: at,
    created_by: by,
  }));
  await certificateTables(executor).insertInto('certificate_history').values(rows).execute();
}

/** Deletes old entries if an administrator has configured it. */
export const historyRetention: RetentionPolicy = {
  setting: 'certificateHistoryKeptDays',
  what: 'certificate history entries',
  tables: ['certificate_history'],
  async remove(tx, { before, limit }) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM certificate_history WHERE uuid IN (
        SELECT uuid FROM certificate_history WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit})`.execute(
      tx,
    );
    return Number(numAffectedRows);
  },
};
