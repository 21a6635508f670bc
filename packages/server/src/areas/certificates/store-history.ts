// Certificate history.
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { certificateTables } from './store.ts';
import type { HistoryRow } from './tables.ts';

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
