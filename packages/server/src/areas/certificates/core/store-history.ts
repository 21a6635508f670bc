// The history of certificates.
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { tables } from './store.ts';
import type { HistoryRow } from './tables.ts';

export async function insertHistory(executor: Executor, row: HistoryRow): Promise<void> {
  await tables(executor)
    .insertInto('certificate_history')
    .values({ ...row, additional: row.additional === null ? null : (JSON.stringify(row.additional) as never) }) // jsonb takes text
    .execute();
}

/** A history entry of a change that happened just now. */
export const historyEntry = (
  entry: Omit<HistoryRow, 'uuid' | 'additional'> & { readonly additional?: HistoryRow['additional'] },
): HistoryRow => ({
  additional: null,
  ...entry,
  uuid: newUuid(),
});
