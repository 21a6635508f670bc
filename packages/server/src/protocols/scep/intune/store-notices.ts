// Queries for pending Intune notifications.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { IntuneTables, NoticeRow } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<IntuneTables>();

export type NoticeKey = Pick<NoticeRow, 'profile_uuid' | 'enrollment_transaction'>;

/** Inserts a notification, at most once per transaction. */
export async function insertNotice(executor: Executor, row: NoticeRow): Promise<void> {
  await tables(executor)
    .insertInto('scep_intune_notice')
    .values(row)
    .onConflict((conflict) => conflict.columns(['profile_uuid', 'enrollment_transaction']).doNothing())
    .execute();
}

/** Makes a notification due now: there may be an outcome to report. */
export async function hastenNotice(executor: Executor, key: NoticeKey, now: Date): Promise<void> {
  await tables(executor)
    .updateTable('scep_intune_notice')
    .set({ next_at: now })
    .where('profile_uuid', '=', key.profile_uuid)
    .where('enrollment_transaction', '=', key.enrollment_transaction)
    .execute();
}

export interface Claim {
  readonly now: Date;
  /** Latest permitted due time. If a stored time is later, it was stored before the clock was set back. */
  readonly never: Date;
  /** Time at which the notification is due again, unless it has been processed by then. */
  readonly until: Date;
  readonly limit: number;
}

export async function claimNotices(executor: Executor, { now, never, until, limit }: Claim): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    UPDATE scep_intune_notice n SET next_at = ${until}
    FROM (SELECT uuid FROM scep_intune_notice WHERE next_at <= ${now} OR next_at > ${never}
      ORDER BY next_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS due
    WHERE n.uuid = due.uuid RETURNING n.*`.execute(executor);
  return rows;
}

export async function postponeNotice(
  executor: Executor,
  uuid: string,
  later: Pick<NoticeRow, 'attempts' | 'next_at'>,
): Promise<void> {
  await tables(executor).updateTable('scep_intune_notice').set(later).where('uuid', '=', uuid).execute();
}

export async function deleteNotice(executor: Executor, uuid: string): Promise<void> {
  await tables(executor).deleteFrom('scep_intune_notice').where('uuid', '=', uuid).execute();
}
