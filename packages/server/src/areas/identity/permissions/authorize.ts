// The access decision for all operations. Pure: all facts are arguments. Everything that is not granted is denied, and
// an operation without access facts is denied to everyone.
import {
  actionsOf,
  permissionResources,
  platformOperations,
  Resource,
  resourceFlags,
  type Access,
  type Action,
  type AdditionalPermission,
  type Operation,
  type Permission,
  type ResourceOrParameter,
} from '@signetry/contract';
import {
  isAllowed,
  isAllowedOnSome,
  isUnlimited,
  isVisible,
  visibleObjects,
  type Actor,
  type PermissionSet,
} from '../../../kernel/actor.ts';
import { isOpenToMembers } from '../../../kernel/belonging.ts';
import { identifiersAt } from '../../../kernel/identifiers-at.ts';

/**
 * The required permission and the objects that it is required on; if there are no objects, it is required on the
 * resource as a whole.
 */
export interface Requirement {
  readonly resource: Resource;
  readonly action: Action;
  readonly objects: readonly string[];
  /** Permission on some objects is sufficient: the response contains only those. */
  readonly filtered?: true;
}

export type AccessDecision =
  | { readonly kind: 'allowed' }
  /** The caller is not signed in, and the operation is not public. */
  | { readonly kind: 'unauthenticated' }
  /** Requirements that were not met; empty if the operation is closed to everyone. */
  | { readonly kind: 'denied'; readonly missing: readonly Requirement[] };

export interface AccessCheck {
  readonly access: Access | undefined;
  /** Additional required permissions. */
  readonly also?: readonly AdditionalPermission[] | undefined;
  /** Path parameters of the request, by name; some of them identify objects. */
  readonly params: Readonly<Record<string, string>>;
  /** Objects that the request body names, for operations on multiple objects. */
  readonly objects?: readonly string[];
  /** The body as received, if permissions are required on objects that it names. Not validated yet. */
  readonly body?: unknown;
  /** Whether this is a local request that can set up the first administrator. Evaluated only for `bootstrap`. */
  readonly mayBootstrap: boolean;
}

const ALLOWED: AccessDecision = { kind: 'allowed' };
const UNAUTHENTICATED: AccessDecision = { kind: 'unauthenticated' };

export function evaluateAccess(actor: Actor, question: AccessCheck): AccessDecision {
  const { access, also = [], params, objects = [], body, mayBootstrap } = question;
  if (access === 'public') return ALLOWED;
  if (access === 'bootstrap' && mayBootstrap) return ALLOWED;
  if (actor.type === 'anonymous') return UNAUTHENTICATED;
  if (access === undefined || access === 'bootstrap') return { kind: 'denied', missing: [] };
  const { permissions } = actor;
  const own = access === 'authenticated' ? [] : requirementsUnlessShared(permissions, access, { params, objects });
  const asked = [...own, ...also.flatMap((each) => additionalRequirement(each, { params, body }))];
  const missing = asked.filter((requirement) => !meets(permissions, requirement));
  return missing.length === 0 ? ALLOWED : { kind: 'denied', missing };
}

/**
 * Returns the requirements. Returns none for a list that can contain objects belonging to the caller or the caller's
 * groups, because these are listed regardless of permissions on other objects.
 */
function requirementsUnlessShared(
  permissions: PermissionSet,
  access: Permission,
  { params, objects = [] }: Pick<AccessCheck, 'params' | 'objects'>,
): readonly Requirement[] {
  const asked = requirementsOf(access, params, objects);
  const isShared = access.filtered && asked.every((each) => each.objects.length === 0);
  return isShared && mayHoldShared(permissions, access) ? [] : asked;
}

/** Returns whether objects of the resource can belong to the caller or to one of the caller's groups. */
function mayHoldShared(permissions: PermissionSet, { resource, action }: Permission): boolean {
  if (isParameter(resource)) return false;
  const { hasOwner, hasGroups } = resourceFlags(resource);
  return hasOwner || (hasGroups && isOpenToMembers(action) && isAllowedOnSome(permissions, 'groups', 'members'));
}

/**
 * Returns the requirements, starting with the parent's, so that callers who cannot see the parent learn nothing about
 * its children.
 */
export function requirementsOf(
  permission: Permission,
  params: Readonly<Record<string, string>>,
  objects: readonly string[] = [],
): readonly Requirement[] {
  const { resource, action, object, filtered, parent } = permission;
  const named = object === undefined ? undefined : params[object];
  const own = {
    resource: resourceOf(resource, params),
    action,
    objects: named === undefined ? objects : [named],
    ...(filtered ? { filtered } : {}),
  };
  return parent ? [...requirementsOf(parent, params), own] : [own];
}

/**
 * Returns an additional requirement. Conditions that only the use case can evaluate are left to it; if a body names no
 * objects, nothing is required.
 */
function additionalRequirement(
  { resource, action, object, named, where }: AdditionalPermission,
  { params, body }: { readonly params: Readonly<Record<string, string>>; readonly body: unknown },
): readonly Requirement[] {
  if (where !== undefined) return [];
  const inBody = named === undefined ? [] : identifiersAt(body, named);
  if (named !== undefined && inBody.length === 0) return [];
  const inPath = object === undefined ? undefined : params[object];
  return [{ resource: resourceOf(resource, params), action, objects: inPath === undefined ? inBody : [inPath] }];
}

/**
 * Returns the resource, which the path may specify. An unknown name maps to a resource on which permissions are never
 * granted; the path's schema rejects it.
 */
function resourceOf(resource: ResourceOrParameter, params: Readonly<Record<string, string>>): Resource {
  if (!isParameter(resource)) return resource;
  const named = Resource.safeParse(params[resource.slice(1, -1)]);
  return named.success ? named.data : 'NONE';
}

const isParameter = (resource: ResourceOrParameter): resource is `{${string}}` => resource.startsWith('{');

export const meets = (permissions: PermissionSet, { resource, action, objects, filtered }: Requirement): boolean =>
  filtered && objects.length === 0
    ? isAllowedOnSome(permissions, resource, action)
    : isAllowed(permissions, resource, action, objects);

/**
 * Returns the part of a list response that the actor can see. Lists that are filtered elsewhere are returned unchanged.
 * This includes lists of objects with groups, because their areas know who shares the objects.
 */
export function visibleResponse(permissions: PermissionSet, { access, success }: Operation, answer: unknown): unknown {
  if (typeof access !== 'object' || !access.filtered || !success.body || !Array.isArray(answer)) return answer;
  if (isParameter(access.resource) || resourceFlags(access.resource).hasGroups) return answer;
  const filter = visibleObjects(permissions, access.resource, access.action);
  return isUnlimited(filter) ? answer : answer.filter(({ uuid }: { uuid: string }) => isVisible(filter, uuid));
}

/**
 * Permission that is required to list a resource: the access facts of its list operation, which is the first one, if it
 * has any.
 */
const listPermissions: ReadonlyMap<Resource, Permission> = new Map(
  Object.values<Operation>(platformOperations)
    .toReversed()
    .flatMap(({ access }) =>
      typeof access === 'object' && access.action === 'list' && !isParameter(access.resource)
        ? [[access.resource, access] as const]
        : [],
    ),
);

/** Returns the resources that can be listed with these permissions. */
export function allowedListings(permissions: PermissionSet): Resource[] {
  return permissionResources.filter((resource) => {
    if (!actionsOf(resource).includes('list')) return false;
    const asked = listPermissions.get(resource) ?? { resource, action: 'list', filtered: true };
    return requirementsUnlessShared(permissions, asked, { params: {} }).every((each) => meets(permissions, each));
  });
}
