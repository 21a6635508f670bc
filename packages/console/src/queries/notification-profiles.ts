// Queries for notification profiles.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useMayList } from '../api/session.ts';

/** Maximum page size of the platform. There are few notification profiles, so one page contains all of them. */
const ALL = { itemsPerPage: 1000, pageNumber: 1 } as const;

export const notificationProfileListQuery = queryOptions({
  queryKey: ['notificationProfiles', 'list'],
  queryFn: async ({ signal }) =>
    (await api.notificationProfiles.listNotificationProfiles({ query: ALL }, { signal })).notificationProfiles ?? [],
});

/** Returns the latest version unless one is specified. */
export const notificationProfileQuery = (uuid: string, version?: number) =>
  queryOptions({
    queryKey: ['notificationProfiles', 'one', uuid, version ?? 'latest'],
    queryFn: ({ signal }) =>
      api.notificationProfiles.getNotificationProfile(
        { params: { uuid }, query: version === undefined ? {} : { version } },
        { signal },
      ),
  });

/** Notification profiles; disabled for users who cannot list them. */
export function useNotificationProfiles() {
  const mayList = useMayList();
  return { ...notificationProfileListQuery, enabled: mayList('notificationProfiles') };
}
