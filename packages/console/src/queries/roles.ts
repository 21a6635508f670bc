// Queries for roles, their permissions, and the resources on which permissions can be granted.
import type { Resource } from '@signetry/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useMayList } from '../api/session.ts';

export const roleListQuery = queryOptions({
  queryKey: ['roles', 'list'],
  queryFn: async ({ signal }) =>
    (await api.roles.listRoles({}, { signal })).toSorted(
      (one, other) => Number(one.systemRole) - Number(other.systemRole),
    ),
});

export function useRoles() {
  const mayList = useMayList();
  return { ...roleListQuery, enabled: mayList('roles') };
}

export const roleQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['roles', 'one', uuid],
    queryFn: ({ signal }) => api.roles.getRole({ params: { roleUuid: uuid } }, { signal }),
  });

export const rolePermissionsQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['roles', 'permissions', uuid],
    queryFn: ({ signal }) => api.roles.getRolePermissions({ params: { roleUuid: uuid } }, { signal }),
  });

export const effectiveRolePermissionsQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['roles', 'effective', uuid],
    queryFn: ({ signal }) =>
      api.effectivePermissions.getEffectivePermissionsOfRole({ params: { roleUuid: uuid } }, { signal }),
  });

/** Resources with their grantable actions; identical for all users. */
export const resourceCatalogQuery = queryOptions({
  queryKey: ['permissions', 'resources'],
  queryFn: ({ signal }) => api.auth.getAuthResources({}, { signal }),
  staleTime: Infinity,
});

/** Objects on which permissions can be granted, limited to those that the user can list. */
export const resourceObjectsQuery = (resourceName: Resource) =>
  queryOptions({
    queryKey: ['permissions', 'objects', resourceName],
    queryFn: ({ signal }) => api.auth.getObjectsForResource({ params: { resourceName } }, { signal }),
    staleTime: 60_000,
  });

export const roleTemplatesQuery = queryOptions({
  queryKey: ['roles', 'templates'],
  queryFn: ({ signal }) => api.roleTemplates.listRoleTemplates({}, { signal }),
  staleTime: Infinity,
});
