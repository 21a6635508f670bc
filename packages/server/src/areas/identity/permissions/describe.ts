// Permissions with the names of the objects that they name.
import type { SubjectPermissionsDto } from '@signetry/contract';
import type { PermissionSet } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { presentPermissions, type PresentOptions } from './domain.ts';
import { findObjects } from './store.ts';

export async function describePermissions(
  executor: Executor,
  permissions: PermissionSet,
  options: Pick<PresentOptions, 'withInherited'> = {},
): Promise<SubjectPermissionsDto> {
  return presentPermissions(permissions, { names: await namesOf(executor, permissions), ...options });
}

/** Names of the objects by identifier; objects that are not there any more have none. */
export async function namesOf(executor: Executor, permissions: PermissionSet): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const [resource, { objects }] of permissions.resources) {
    if (!objects || objects.size === 0) continue;
    for (const { uuid, name } of await findObjects(executor, resource, [...objects.keys()])) names.set(uuid, name);
  }
  return names;
}
