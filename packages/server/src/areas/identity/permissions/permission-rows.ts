// How rows of roles become the permissions of a user, and how they are shown. Pure.
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
import { knownAction, knownResource } from './catalogue.ts';

/** What a role allows: no resource = everything, no action = every action of the resource. */
export interface PermissionRow {
  readonly resource: string | null;
  readonly action: string | null;
}

/** What a role allows or denies on one object. */
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
 * Merges the rows of all roles: what one of them denies on an object, none allows. Rows with unknown words, and on
 * objects of resources whose objects get no rights of their own, count for nothing.
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
  /** Names of objects by identifier; objects that are not there any more have none and are left out. */
  readonly names?: ReadonlyMap<string, string>;
  /** Objects also show what is allowed on them because it is allowed on the resource. */
  readonly withInherited?: boolean;
}

/** The form of the interface: resources and actions in the order of the catalogue. */
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

/** Objects on which something is allowed or denied, by name. */
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

/** What is denied is not shown as allowed. */
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

/** A right that one set of permissions gives and another does not. */
export interface Gain {
  readonly resource: Resource;
  readonly action: Action;
  /** Absent for a right on the whole resource. */
  readonly object?: string;
}

/**
 * What a change gives that was not there before, the end of a denial included; `everything` stands for itself alone.
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
