// Permissions, together with the names of the objects that they are granted on.
import type { EffectivePermissionsDto, SubjectPermissionsDto } from '@signetry/contract';
import { isAllowed, type Actor, type PermissionSet } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { RoleRow } from '../tables.ts';
import { presentPermissions, type PresentOptions } from './permission-rows.ts';
import { effectivePermissions, mergeRoles } from './effective.ts';
import type { PermissionObjects } from './objects.ts';
import { withRows } from './store.ts';

export async function describePermissions(
  executor: Executor,
  permissions: PermissionSet,
  { objects, ...options }: Pick<PresentOptions, 'withInherited'> & { readonly objects: PermissionObjects },
): Promise<SubjectPermissionsDto> {
  return presentPermissions(permissions, { names: await namesOf(executor, { permissions, objects }), ...options });
}

/** Returns the caller's own permissions. Objects that the caller cannot see are named by their UUID. */
export async function describeOwnPermissions(
  executor: Executor,
  { permissions }: Actor,
  objects: PermissionObjects,
): Promise<SubjectPermissionsDto> {
  const names = new Map(await namesOf(executor, { permissions, objects }));
  for (const [resource, { objects: named }] of permissions.resources)
    for (const uuid of named?.keys() ?? [])
      if (names.has(uuid) && !VIEWING.some((action) => isAllowed(permissions, resource, action, [uuid])))
        names.set(uuid, uuid);
  return presentPermissions(permissions, { names });
}

/** Returns the roles' combined permissions, and which role grants each permission. */
export async function describeEffective(
  executor: Executor,
  roles: readonly RoleRow[],
  objects: PermissionObjects,
): Promise<EffectivePermissionsDto> {
  const granting = await withRows(executor, roles);
  return effectivePermissions(granting, await namesOf(executor, { permissions: mergeRoles(granting), objects }));
}

const VIEWING = ['list', 'detail'] as const;

/** Returns object names by UUID; deleted objects have no entry. */
export async function namesOf(
  executor: Executor,
  { permissions, objects }: { readonly permissions: PermissionSet; readonly objects: PermissionObjects },
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const [resource, { objects: named }] of permissions.resources) {
    if (!named || named.size === 0) continue;
    for (const { uuid, name } of await objects.find(executor, resource, [...named.keys()])) names.set(uuid, name);
  }
  return names;
}
