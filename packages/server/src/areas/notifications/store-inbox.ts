// Queries for user notifications.
import { sql } from 'kysely';
import { newUuid } from '../../kernel/ids.ts';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { tables } from './store.ts';
import type { NotificationRow } from './tables.ts';

const own = (executor: Executor, { userUuid, unread }: { readonly userUuid: string; readonly unread: boolean }) => {
  const query = tables(executor).selectFrom('notification').where('user_uuid', '=', userUuid);
  return unread ? query.where('read_at', 'is', null) : query;
};

/** Returns the newest notifications first. */
export async function findInbox(
  executor: Executor,
  { userUuid, unread, page }: { readonly userUuid: string; readonly unread: boolean; readonly page: PageRequest },
): Promise<Page<NotificationRow>> {
  const items = await own(executor, { userUuid, unread })
    .selectAll()
    .orderBy('sent_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(page.itemsPerPage)
    .offset(pageOffset(page))
    .execute();
  return { items, totalItems: await countInbox(executor, { userUuid, unread }) };
}

export async function countInbox(
  executor: Executor,
  asked: { readonly userUuid: string; readonly unread: boolean },
): Promise<number> {
  const { total } = await own(executor, asked)
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

interface ChosenNotifications {
  readonly userUuid: string;
  readonly uuids: readonly string[];
}

/** Marks the user's notifications as read and returns those that exist, including those that had already been read. */
export const markRead = (tx: Executor, { userUuid, uuids }: ChosenNotifications, now: Date) =>
  tables(tx)
    .updateTable('notification')
    .set({ read_at: sql<Date>`COALESCE(read_at, ${now})` })
    .where('user_uuid', '=', userUuid)
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .returning('uuid')
    .execute();

export const removeNotifications = (tx: Executor, { userUuid, uuids }: ChosenNotifications) =>
  tables(tx)
    .deleteFrom('notification')
    .where('user_uuid', '=', userUuid)
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .returning('uuid')
    .execute();

export type NewNotification = Omit<NotificationRow, 'uuid' | 'read_at'>;

/** Skips users who have already been notified of the cause, and users who no longer exist. */
export async function insertNotifications(tx: Executor, told: readonly NewNotification[]): Promise<number> {
  if (told.length === 0) return 0;
  const rows = told.map((each) => ({ uuid: newUuid(), ...each }));
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO notification (uuid, user_uuid, cause, message, detail, target_resource, target_uuids, sent_at)
    SELECT r.uuid, r.user_uuid, r.cause, r.message, r.detail, r.target_resource, r.target_uuids, r.sent_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (uuid uuid, user_uuid uuid, cause text, message text,
      detail text, target_resource text, target_uuids text[], sent_at timestamptz)
    JOIN platform_user u ON u.uuid = r.user_uuid
    ON CONFLICT (user_uuid, cause) DO NOTHING`.execute(tx);
  return Number(numAffectedRows);
}

/** Removes up to `limit` notifications, and returns the number removed. */
export async function purgeNotifications(
  executor: Executor,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM notification WHERE uuid IN (
      SELECT uuid FROM notification WHERE sent_at < ${before} ORDER BY sent_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    executor,
  );
  return Number(numAffectedRows);
}
