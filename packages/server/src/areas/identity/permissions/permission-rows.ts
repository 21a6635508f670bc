// Converts role rows to a user's permissions, and presents them. Pure.
import {
  actionsOf,
  permissionResources,
  resourceFlags,
  type Action,
  type ObjectPermissionsDto,
  type Resource,
  type ResourcePermissionsDto,
  type SubjectPermissionsDto,
} from '@signetry/contract';
import { isAllowed, type ObjectRights, type PermissionSet } from '../../../kernel/actor.ts';
import { knownAction, knownResource } from './catalog.ts';

/** A role's permission. Without a resource, it covers everything; without an action, every action on the resource. */
export interface PermissionRow {
  readonly resource: string | null;
  readonly action: string | null;
}

/** A role's permission or denial on a single object. */
export interface ObjectPermissionRow {
  readonly resource: string;
  readonly object_uuid: string;
  readonly action: string;
  readonly denied: boolean;
}

interface Merged {
  allowAllActions: boolean;
  readonly actions: Set<Action>;
  readonly objects: Map<string, { readonly allowed: Set<Action>; readonly denied: Set<Action> }>;
}

/**
 * Merges the rows of all roles. A denial on an object in one role overrides permissions from all other roles. Rows with
 * unknown names are ignored, as are rows on objects of resources without individual permissions.
 */
export function mergePermissions(
  rows: readonly PermissionRow[],
  objectRows: readonly ObjectPermissionRow[] = [],
): PermissionSet {
  let allowAllResources = false;
  const resources = new Map<Resource, Merged>();
  const rightsOn = (resource: Resource): Merged => {
    const known = resources.get(resource) ?? { allowAllActions: false, actions: new Set(), objects: new Map() };
    resources.set(resource, known);
    return known;
  };
  for (const row of rows) {
    if (row.resource === null) {
      allowAllResources ||= row.action === null;
      continue;
    }
    const resource = knownResource(row.resource);
    const action = resource && (row.action === null ? null : knownAction(resource, row.action));
    if (!resource || action === undefined) continue;
    if (action === null) rightsOn(resource).allowAllActions = true;
    else rightsOn(resource).actions.add(action);
  }
  for (const row of objectRows) {
    const resource = knownResource(row.resource);
    const action = resource && knownAction(resource, row.action);
    if (!resource || !action || !resourceFlags(resource).hasObjectAccess) continue;
    const { objects } = rightsOn(resource);
    const rights = objects.get(row.object_uuid) ?? { allowed: new Set(), denied: new Set() };
    objects.set(row.object_uuid, rights);
    if (row.denied) {
      rights.denied.add(action);
      rights.allowed.delete(action);
    } else if (!rights.denied.has(action)) rights.allowed.add(action);
  }
  return { allowAllResources, resources };
}

export interface PresentOptions {
  /** Object names by UUID; deleted objects have none and are omitted. */
  readonly names?: ReadonlyMap<string, string>;
  /** Whether objects also show actions that are allowed through the resource. */
  readonly withInherited?: boolean;
}

/** Returns permissions in API format: resources and actions in catalog order. */
export const presentPermissions = (
  permissions: PermissionSet,
  options: PresentOptions = {},
): SubjectPermissionsDto => ({
  allowAllResources: permissions.allowAllResources,
  resources: permissionResources
    .filter((resource) => permissions.resources.has(resource))
    .map((resource) => presentResource(permissions, resource, options)),
});

export function presentResource(
  permissions: PermissionSet,
  resource: Resource,
  options: PresentOptions = {},
): ResourcePermissionsDto {
  const rights = permissions.resources.get(resource);
  return {
    name: resource,
    allowAllActions: rights?.allowAllActions ?? false,
    actions: actionsOf(resource).filter((action) => rights?.actions.has(action)),
    objects: presentObjects(permissions, resource, options),
  };
}

/** Returns the objects that have a permission or denial, sorted by name. */
export function presentObjects(
  permissions: PermissionSet,
  resource: Resource,
  { names = new Map(), withInherited = false }: PresentOptions = {},
): ObjectPermissionsDto[] {
  const objects = [...(permissions.resources.get(resource)?.objects ?? [])].flatMap(
    ([uuid, object]): ObjectPermissionsDto[] => {
      const name = names.get(uuid);
      if (name === undefined) return [];
      const shown = presentObject(resource, { permissions, object, withInherited });
      return shown.allow.length + shown.deny.length === 0 ? [] : [{ uuid, name, ...shown }];
    },
  );
  return objects.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.uuid < b.uuid ? -1 : 1));
}

/** Omits denied actions from the allowed ones. */
function presentObject(
  resource: Resource,
  facts: {
    readonly permissions: PermissionSet;
    readonly object: ObjectRights;
    readonly withInherited: boolean;
  },
): Pick<ObjectPermissionsDto, 'allow' | 'deny'> {
  const { permissions, object, withInherited } = facts;
  const rights = permissions.resources.get(resource);
  const inherits = (action: Action): boolean =>
    permissions.allowAllResources || rights?.allowAllActions === true || rights?.actions.has(action) === true;
  const allows = (action: Action) => (inherits(action) ? withInherited : object.allowed.has(action));
  const actions = actionsOf(resource);
  return {
    allow: actions.filter((action) => allows(action) && !object.denied.has(action)),
    deny: actions.filter((action) => object.denied.has(action)),
  };
}

/** A permission that one permission set grants and another does not. */
export interface Gain {
  readonly resource: Resource;
  readonly action: Action;
  /** Absent if the permission covers the whole resource. */
  readonly object?: string;
}

/**
 * Returns the permissions that a change adds, including those added by removing a denial. Returns `everything` if the
 * change grants all permissions.
 */
export function gainsOf(before: PermissionSet, after: PermissionSet): readonly Gain[] | 'everything' {
  if (after.allowAllResources && !before.allowAllResources) return 'everything';
  const gains: Gain[] = [];
  for (const resource of permissionResources) {
    const objects = [before, after].flatMap((set) => [...(set.resources.get(resource)?.objects?.keys() ?? [])]);
    for (const action of actionsOf(resource)) {
      const isGained = (...named: string[]) =>
        isAllowed(after, resource, action, named) && !isAllowed(before, resource, action, named);
      if (isGained()) gains.push({ resource, action });
      for (const object of new Set(objects)) if (isGained(object)) gains.push({ resource, action, object });
    }
  }
  return gains;
}
