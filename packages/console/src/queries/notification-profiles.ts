// Queries of notification profiles.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useMayList } from '../api/session.ts';

/** As many as the platform answers at once; there are few. */
const ALL = { itemsPerPage: 1000, pageNumber: 1 } as const;

export const notificationProfileListQuery = queryOptions({
  queryKey: ['notificationProfiles', 'list'],
  queryFn: async ({ signal }) =>
    (await api.notificationProfiles.listNotificationProfiles({ query: ALL }, { signal })).notificationProfiles ?? [],
});

/** The latest version when none is given. */
export const notificationProfileQuery = (uuid: string, version?: number) =>
  queryOptions({
    queryKey: ['notificationProfiles', 'one', uuid, version ?? 'latest'],
    queryFn: ({ signal }) =>
      api.notificationProfiles.getNotificationProfile(
        { params: { uuid }, query: version === undefined ? {} : { version } },
        { signal },
      ),
  });

/** For those who may list them. */
export function useNotificationProfiles() {
  const mayList = useMayList();
  return { ...notificationProfileListQuery, enabled: mayList('notificationProfiles') };
}
