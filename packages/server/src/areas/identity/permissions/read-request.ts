// Converts requests from a permission editor to role rows. Rejects unknown names, and objects of resources without
// individual permissions.
import {
  permissionResources,
  resourceFlags,
  type Action,
  type ObjectPermissionsRequestDto,
  type Resource,
  type ResourcePermissionsRequestDto,
  type RolePermissionsRequestDto,
} from '@signetry/contract';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { fixedUuid, knownAction, knownResource } from './catalog.ts';
import type { ObjectPermissionRow, PermissionRow } from './permission-rows.ts';
import type { PermissionObjects } from './objects.ts';

/** Permissions on objects of one resource, which replace the role's existing permissions on these objects. */
export interface ObjectRows {
  readonly resource: Resource;
  readonly objectUuids: readonly string[];
  readonly rows: readonly ObjectPermissionRow[];
}

export interface ReadPermissions {
  readonly rows: readonly PermissionRow[];
  /** One entry for each resource whose objects the request specifies, even as an empty list. */
  readonly objects: readonly ObjectRows[];
}

export function readPermissions(
  { allowAllResources, resources = [] }: RolePermissionsRequestDto,
  known: PermissionObjects,
): ReadPermissions {
  const rows: PermissionRow[] = allowAllResources ? [{ resource: null, action: null }] : [];
  const objects: ObjectRows[] = [];
  const named = new Set<string>();
  for (const request of resources) {
    const resource = resourceNamed(request.name);
    if (named.has(resource)) throw invalid(`resources: ${resource} is specified twice`);
    named.add(resource);
    const own = rowsOf(resource, request);
    rows.push(...own);
    if (request.objects) objects.push(readObjects(resource, { objects: request.objects, inherited: own, known }));
  }
  return { rows, objects };
}

/** Returns a single row if all actions are allowed, otherwise one row per specified action. */
function rowsOf(resource: Resource, { allowAllActions, actions = [] }: ResourcePermissionsRequestDto): PermissionRow[] {
  const known = new Set(actions.map((action) => actionNamed(resource, action)));
  return allowAllActions ? [{ resource, action: null }] : [...known].map((action) => ({ resource, action }));
}

/**
 * Returns the rows for objects. An action that is already allowed on the resource is not stored with the object, and a
 * denied action is not stored as allowed.
 */
export function readObjects(
  resource: Resource,
  facts: {
    readonly objects: readonly ObjectPermissionsRequestDto[];
    readonly inherited: readonly PermissionRow[];
    readonly known: PermissionObjects;
  },
): ObjectRows {
  const hasObjectAccess = resourceFlags(resource).hasObjectAccess && facts.known.has(resource);
  if (facts.objects.length > 0 && !hasObjectAccess)
    throw rejected(
      `The resource ${resource} does not support permissions on individual objects; allow or omit the action for the whole resource.`,
    );
  const rows = new Map<string, ObjectPermissionRow>();
  const objectUuids = new Set<string>();
  const isInherited = (action: Action) =>
    facts.inherited.some((row) => row.resource === resource && (row.action === null || row.action === action));
  for (const { uuid, name, allow = [], deny = [] } of facts.objects) {
    const object = uuid.toLowerCase();
    if (!isUuid(object)) throw invalid(`objects: ${name}: ${uuid.slice(0, 100)} is not a UUID`);
    if (objectUuids.has(object)) throw invalid(`objects: ${object} is specified twice`);
    objectUuids.add(object);
    for (const [words, denied] of [
      [allow, false],
      [deny, true],
    ] as const)
      // prettier-ignore
      for (const action of words.map((word) => actionNamed(resource, word)))
        if (denied || !isInherited(action)) rows.set(`${object} ${action}`, { resource, object_uuid: object, action, denied });
  }
  return { resource, objectUuids: [...objectUuids], rows: [...rows.values()] };
}

/** Returns the resource with this catalog UUID, by which clients identify it in paths. */
export function resourceOf(resourceUuid: string): Resource {
  const resource = permissionResources.find((each) => fixedUuid(`resource ${each}`) === resourceUuid.toLowerCase());
  if (!resource) throw notFound('Resource', resourceUuid);
  return resource;
}

const MAX_ECHOED = 100;

function resourceNamed(name: string): Resource {
  const resource = knownResource(name);
  if (!resource) throw notFound('Resource', name.slice(0, MAX_ECHOED));
  return resource;
}

function actionNamed(resource: Resource, name: string): Action {
  const action = knownAction(resource, name);
  if (!action) throw notFound(`Action of ${resource}`, name.slice(0, MAX_ECHOED));
  return action;
}

const invalid = (problem: string) => new AppError('invalid_fields', { problems: [problem] });
