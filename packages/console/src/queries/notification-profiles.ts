// Notification profiles, by which people are told of something.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useMayList } from '../api/session.ts';

/** As many as there may be at once. */
const ALL = 1_000;

const notificationProfileListQuery = queryOptions({
  queryKey: ['notificationProfiles', 'list'],
  queryFn: async ({ signal }) => {
    const query = { itemsPerPage: ALL, pageNumber: 1 };
    return (await api.notificationProfiles.listNotificationProfiles({ query }, { signal })).notificationProfiles ?? [];
  },
});

export function useNotificationProfiles() {
  const mayList = useMayList();
  return { ...notificationProfileListQuery, enabled: mayList('notificationProfiles') };
}
