// Users and groups that certificates can belong to. Users who may not list them see identifiers.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useMayList } from '../api/session.ts';

export function useUsers() {
  const mayList = useMayList();
  return queryOptions({
    queryKey: ['users', 'list'],
    queryFn: ({ signal }) => api.users.listUsers({}, { signal }),
    enabled: mayList('users'),
  });
}

export function useGroups() {
  const mayList = useMayList();
  return queryOptions({
    queryKey: ['groups', 'list'],
    queryFn: ({ signal }) => api.groups.listGroups({}, { signal }),
    enabled: mayList('groups'),
  });
}
