// What the user may do, as far as the platform tells: other actions are not offered.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { PROFILE_KEY } from '../api/query-client.ts';
import { useMayList, useProfile } from '../api/session.ts';
import { allows, type Right } from './rights.ts';

const permissionsQuery = (userUuid: string) =>
  queryOptions({
    queryKey: [...PROFILE_KEY, 'permissions', userUuid],
    queryFn: ({ signal }) => api.users.getUserPermissions({ params: { userUuid } }, { signal }),
    staleTime: 60_000,
    retry: false,
  });

/**
 * Whether the user may do something. The platform tells permissions only to users who may list users; all others are
 * offered everything, and a refusal names the missing permission.
 */
export function useMay(): (right: Right) => boolean {
  const { uuid } = useProfile();
  const isTold = useMayList()('users');
  const { data } = useQuery({ ...permissionsQuery(uuid), enabled: isTold });
  return (right) => data === undefined || allows(data, right);
}
