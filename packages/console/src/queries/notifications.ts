// Queries for the user's own notifications. Their keys share a prefix, so any change refetches all of them.
import type { NotificationDto } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { readPage } from '../kit/list-search.ts';

export const NOTIFICATIONS_KEY = ['notifications'] as const;
/** Returns a smaller number on narrow screens, so that pages stay short. */
export const notificationsPerPage = (): number => (window.matchMedia('(max-width: 40em)').matches ? 10 : 25);
/** Number of notifications in the bell panel. */
const NEWEST = 6;
/** Maximum that the platform returns per request. */
const MANY = 1_000;
const COUNT_MS = 30_000;

export interface InboxSearch {
  readonly unread?: true;
  readonly page?: number;
}

/** Reads the search parameters. URLs are untrusted, so malformed parameters are dropped. */
export const readInboxSearch = ({ unread, page }: Record<string, unknown>): InboxSearch => ({
  ...(unread === true && { unread }),
  ...readPage(page),
});

const listQuery = (query: { itemsPerPage: number; pageNumber: number; unread: boolean }) =>
  queryOptions({
    queryKey: [...NOTIFICATIONS_KEY, 'list', query],
    queryFn: ({ signal }) => api.notifications.listNotifications({ query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: COUNT_MS,
  });

/** Notifications, newest first. */
export const inboxQuery = ({ unread, page = 1 }: InboxSearch) =>
  listQuery({ itemsPerPage: notificationsPerPage(), pageNumber: page, unread: unread === true });

export const newestQuery = listQuery({ itemsPerPage: NEWEST, pageNumber: 1, unread: false });

export const unreadCountQuery = queryOptions({
  queryKey: [...NOTIFICATIONS_KEY, 'unread'],
  queryFn: async ({ signal }) => (await api.notificationDeliveries.countUnreadNotifications({}, { signal })).unread,
  refetchInterval: COUNT_MS,
  retry: false,
});

export const markRead = (uuids: readonly string[]) =>
  api.notifications.bulkMarkNotificationAsRead({ body: [...uuids] });

export const removeNotifications = (uuids: readonly string[]) =>
  api.notifications.bulkDeleteNotification({ body: [...uuids] });

/**
 * Marks all notifications as read that are unread at the time of the call. Later notifications remain unread, so the
 * loop always terminates.
 */
export async function markAllRead(): Promise<void> {
  const begun = Date.now();
  for (;;) {
    const query = { itemsPerPage: MANY, pageNumber: 1, unread: true };
    const { items } = await api.notifications.listNotifications({ query });
    const before = items.filter(({ sentAt }: NotificationDto) => Date.parse(sentAt) <= begun);
    if (before.length === 0) return;
    await markRead(before.map(({ uuid }) => uuid));
    if (items.length < MANY) return;
  }
}
