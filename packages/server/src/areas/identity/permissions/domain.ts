// How rows of roles become the permissions of a user, and how they are shown. Pure. Permissions on whole resources only;
// permissions on single objects will refine them.
import type { Action, Resource, ResourcePermissionsDto, SubjectPermissionsDto } from '@signetry/contract';
import type { PermissionSet } from '../../../kernel/actor.ts';
import { actionsOf, knownAction, knownResource, permissionResources } from './catalogue.ts';

/** What a role allows: no resource = everything, no action = every action of the resource. */
export interface PermissionRow {
  readonly resource: string | null;
  readonly action: string | null;
}

/** Merges the rows of all roles. Rows with unknown words count for nothing. */
export function mergePermissions(rows: readonly PermissionRow[]): PermissionSet {
  let allowAllResources = false;
  const resources = new Map<Resource, { allowAllActions: boolean; actions: Set<Action> }>();
  for (const row of rows) {
    if (row.resource === null) {
      allowAllResources ||= row.action === null;
      continue;
    }
    const resource = knownResource(row.resource);
    if (!resource) continue;
    const action = row.action === null ? null : knownAction(resource, row.action);
    if (action === undefined) continue;
    const granted = resources.get(resource) ?? { allowAllActions: false, actions: new Set<Action>() };
    if (action === null) granted.allowAllActions = true;
    else granted.actions.add(action);
    resources.set(resource, granted);
  }
  return { allowAllResources, resources };
}

/** The form of the interface: resources and actions in the order of the catalogue. */
export function presentPermissions(permissions: PermissionSet): SubjectPermissionsDto {
  const resources: ResourcePermissionsDto[] = [];
  for (const name of permissionResources) {
    const granted = permissions.resources.get(name);
    if (!granted) continue;
    const actions = actionsOf(name).filter((action) => granted.actions.has(action));
    resources.push({ name, allowAllActions: granted.allowAllActions, actions, objects: [] });
  }
  return { allowAllResources: permissions.allowAllResources, resources };
}
