// Queries of the user's own notifications. All keys begin with the same word: what changes one fetches all of them
// again.
import type { NotificationDto } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { readPage } from '../kit/list-search.ts';

export const NOTIFICATIONS_KEY = ['notifications'] as const;
/** A page of a telephone can be looked through as well. */
export const notificationsPerPage = (): number => (window.matchMedia('(max-width: 40em)').matches ? 10 : 25);
/** In the panel below the bell. */
const NEWEST = 6;
/** As many as the platform answers at once. */
const MANY = 1_000;
const COUNT_MS = 30_000;

export interface InboxSearch {
  readonly unread?: true;
  readonly page?: number;
}

/** URLs come from anywhere; parameters that cannot be read are dropped. */
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

/** The newest first. */
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

/** Those that are unread when it begins: what comes meanwhile stays unread, and nothing is asked for twice. */
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
