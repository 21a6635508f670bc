// Queries for renewal windows that differ from the default.
import type { Executor } from '../../../platform/database/database.ts';
import type { AcmeTables } from '../model/tables.ts';

const tables = (executor: Executor) => executor.withTables<AcmeTables>();

export type RequestedWindow = AcmeTables['acme_renewal_window'];

export const findWindow = (executor: Executor, certificateUuid: string): Promise<RequestedWindow | undefined> =>
  tables(executor)
    .selectFrom('acme_renewal_window')
    .selectAll()
    .where('certificate_uuid', '=', certificateUuid)
    .executeTakeFirst();

export async function replaceWindows(tx: Executor, rows: readonly RequestedWindow[]): Promise<void> {
  if (rows.length === 0) return;
  await tables(tx)
    .insertInto('acme_renewal_window')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.column('certificate_uuid').doUpdateSet((row) => ({
        starts_at: row.ref('excluded.starts_at'),
        ends_at: row.ref('excluded.ends_at'),
        explanation_url: row.ref('excluded.explanation_url'),
        created_at: row.ref('excluded.created_at'),
      })),
    )
    .execute();
}

/** Returns false if there was no window. */
export async function deleteWindow(tx: Executor, certificateUuid: string): Promise<boolean> {
  const { numDeletedRows } = await tables(tx)
    .deleteFrom('acme_renewal_window')
    .where('certificate_uuid', '=', certificateUuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
