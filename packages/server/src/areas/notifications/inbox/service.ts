// Use cases of user notifications. Users can access only their own. Each change shares a transaction with its audit
// record.
import type { NotificationDto, NotificationResponseDto, UnreadNotifications } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { notFound, rejected } from '../../../kernel/errors.ts';
import { pageFacts, readPage, type PageRequest } from '../../../kernel/page.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { countInbox, findInbox, markRead, removeNotifications } from '../store-inbox.ts';
import type { NotificationRow } from '../tables.ts';

export type InboxService = ReturnType<typeof createInboxService>;

export function createInboxService(platform: Platform, { audit }: { readonly audit: AuditTrail }) {
  const { database, clock } = platform;
  const { executor } = database;

  async function list(
    { unread, ...asked }: PageRequest & { readonly unread: boolean },
    context: RequestContext,
  ): Promise<NotificationResponseDto> {
    const page = readPage(asked);
    const { items, totalItems } = await findInbox(executor, { userUuid: userOf(context), unread, page });
    return { ...pageFacts(page, totalItems), items: items.map(presentNotification) };
  }

  const countUnread = async (context: RequestContext): Promise<UnreadNotifications> => ({
    unread: await countInbox(executor, { userUuid: userOf(context), unread: true }),
  });

  const change = (
    context: RequestContext,
    work: (tx: Executor, userUuid: string) => Promise<readonly { readonly uuid: string }[]>,
  ) => audit.change(context, (tx) => work(tx, userOf(context)));

  const markMany = (uuids: readonly string[], context: RequestContext) =>
    change(context, (tx, userUuid) => markRead(tx, { userUuid, uuids }, clock.now()));

  const removeMany = (uuids: readonly string[], context: RequestContext) =>
    change(context, (tx, userUuid) => removeNotifications(tx, { userUuid, uuids }));

  /** Throws 404 if the notification does not exist. */
  async function one(uuid: string, changed: Promise<readonly unknown[]>): Promise<void> {
    if ((await changed).length === 0) throw notFound('Notification', uuid);
  }

  return {
    list,
    countUnread,
    mark: (uuid: string, context: RequestContext) => one(uuid, markMany([uuid], context)),
    remove: (uuid: string, context: RequestContext) => one(uuid, removeMany([uuid], context)),
    markMany: async (uuids: readonly string[], context: RequestContext) => void (await markMany(uuids, context)),
    removeMany: async (uuids: readonly string[], context: RequestContext) => void (await removeMany(uuids, context)),
  };
}

function userOf({ actor }: RequestContext): string {
  if (actor.userUuid === null) throw rejected('Only users have notifications. Sign in as a user.');
  return actor.userUuid;
}

const presentNotification = (row: NotificationRow): NotificationDto => ({
  uuid: row.uuid,
  message: row.message,
  ...(row.detail === null ? {} : { detail: row.detail }),
  ...(row.read_at === null ? {} : { readAt: row.read_at.toISOString() }),
  sentAt: row.sent_at.toISOString(),
  ...(row.target_resource === null ? {} : { targetObjectType: row.target_resource }),
  ...(row.target_uuids.length === 0 ? {} : { targetObjectIdentification: row.target_uuids }),
});
