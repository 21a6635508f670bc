// Queries for users and groups. Callers who cannot list users see identifiers wherever users are referenced.
import type { UserDto } from '@signetry/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useMayList } from '../api/session.ts';

/** Users, with system users last. */
export const userListQuery = queryOptions({
  queryKey: ['users', 'list'],
  queryFn: async ({ signal }) =>
    (await api.users.listUsers({}, { signal }))
      .map(withName)
      .toSorted((one, other) => Number(one.systemUser) - Number(other.systemUser)),
});

/** Roles and sign-in methods by user UUID, for users whose details the signed-in user can view. */
export const userAccessQuery = queryOptions({
  queryKey: ['users', 'access'],
  queryFn: async ({ signal }) =>
    new Map((await api.userAccess.listUserAccess({}, { signal })).map((access) => [access.uuid, access])),
});

export const userQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['users', 'one', uuid],
    queryFn: async ({ signal }) => withName(await api.users.getUser({ params: { userUuid: uuid } }, { signal })),
  });

/** Objects have a `name` in the console. */
const withName = <User extends UserDto>(user: User) => ({ ...user, name: user.username });

export const effectiveUserPermissionsQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['users', 'effective', uuid],
    queryFn: ({ signal }) =>
      api.effectivePermissions.getEffectivePermissionsOfUser({ params: { userUuid: uuid } }, { signal }),
  });

export const groupListQuery = queryOptions({
  queryKey: ['groups', 'list'],
  queryFn: ({ signal }) => api.groups.listGroups({}, { signal }),
});

export const groupQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['groups', 'one', uuid],
    queryFn: ({ signal }) => api.groups.getGroup({ params: { uuid } }, { signal }),
  });

export function useUsers() {
  const mayList = useMayList();
  return { ...userListQuery, enabled: mayList('users') };
}

export function useGroups() {
  const mayList = useMayList();
  return { ...groupListQuery, enabled: mayList('groups') };
}
