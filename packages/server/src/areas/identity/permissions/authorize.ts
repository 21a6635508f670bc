// The one decision about who may do what. Pure: the facts are arguments. Nothing is allowed that is not granted, and an
// operation without access facts is refused to everybody.
import {
  actionsOf,
  permissionResources,
  platformOperations,
  Resource,
  resourceFlags,
  type Access,
  type Action,
  type FurtherPermission,
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
import { namedIn } from '../../../kernel/named-in.ts';

/** A permission to be held, with the objects that it is asked for; none means the resource as a whole. */
export interface Requirement {
  readonly resource: Resource;
  readonly action: Action;
  readonly objects: readonly string[];
  /** Having it for some objects is enough: the answer holds no others. */
  readonly filtered?: true;
}

export type AccessDecision =
  | { readonly kind: 'allowed' }
  /** Nobody is signed in, and the operation is not for everybody. */
  | { readonly kind: 'unauthenticated' }
  /** The requirements that failed; none when the operation is closed to everybody. */
  | { readonly kind: 'denied'; readonly missing: readonly Requirement[] };

export interface AccessQuestion {
  readonly access: Access | undefined;
  /** What is asked for besides. */
  readonly also?: readonly FurtherPermission[] | undefined;
  /** Path parameters of the call, by name; some of them identify objects. */
  readonly params: Readonly<Record<string, string>>;
  /** Objects that the body of the call names, of an operation on many. */
  readonly objects?: readonly string[];
  /** The body as it was sent, where permissions are asked for on what it names. It was not checked yet. */
  readonly body?: unknown;
  /** Is this a local call that may set up the first administrator? Only asked for `bootstrap`. */
  readonly mayBootstrap: boolean;
}

const ALLOWED: AccessDecision = { kind: 'allowed' };
const UNAUTHENTICATED: AccessDecision = { kind: 'unauthenticated' };

export function judge(actor: Actor, question: AccessQuestion): AccessDecision {
  const { access, also = [], params, objects = [], body, mayBootstrap } = question;
  if (access === 'public') return ALLOWED;
  if (access === 'bootstrap' && mayBootstrap) return ALLOWED;
  if (actor.type === 'anonymous') return UNAUTHENTICATED;
  if (access === undefined || access === 'bootstrap') return { kind: 'denied', missing: [] };
  const { permissions } = actor;
  const own = access === 'authenticated' ? [] : requirementsUnlessShared(permissions, access, { params, objects });
  const asked = [...own, ...also.flatMap((each) => furtherRequirement(each, { params, body }))];
  const missing = asked.filter((requirement) => !meets(permissions, requirement));
  return missing.length === 0 ? ALLOWED : { kind: 'denied', missing };
}

/** A list holds what is the caller's own, or in a group of theirs, whatever they may do with the rest. */
function requirementsUnlessShared(
  permissions: PermissionSet,
  access: Permission,
  { params, objects = [] }: Pick<AccessQuestion, 'params' | 'objects'>,
): readonly Requirement[] {
  const asked = requirementsOf(access, params, objects);
  const isShared = access.filtered && asked.every((each) => each.objects.length === 0);
  return isShared && mayHoldShared(permissions, access) ? [] : asked;
}

/** Can there be objects of the resource that belong to the caller, or to a group that they are a member of? */
function mayHoldShared(permissions: PermissionSet, { resource, action }: Permission): boolean {
  if (isParameter(resource)) return false;
  const { hasOwner, hasGroups } = resourceFlags(resource);
  return hasOwner || (hasGroups && isOpenToMembers(action) && isAllowedOnSome(permissions, 'groups', 'members'));
}

/** The parent comes first: who may not see the parent learns nothing about what is below it. */
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

/** What the use case has to look for is left to it; nothing is asked of objects that a body does not name. */
function furtherRequirement(
  { resource, action, object, named, where }: FurtherPermission,
  { params, body }: { readonly params: Readonly<Record<string, string>>; readonly body: unknown },
): readonly Requirement[] {
  if (where !== undefined) return [];
  const inBody = named === undefined ? [] : namedIn(body, named);
  if (named !== undefined && inBody.length === 0) return [];
  const inPath = object === undefined ? undefined : params[object];
  return [{ resource: resourceOf(resource, params), action, objects: inPath === undefined ? inBody : [inPath] }];
}

/**
 * A path may name the resource. What is none is asked for as one that nobody is given; the schema of the path refuses
 * it.
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
 * What of the answer of a list the actor may see. Lists that are filtered elsewhere come as they are: those of objects
 * with groups, too, whose areas know who shares them.
 */
export function visibleAnswer(permissions: PermissionSet, { access, success }: Operation, answer: unknown): unknown {
  if (typeof access !== 'object' || !access.filtered || !success.body || !Array.isArray(answer)) return answer;
  if (isParameter(access.resource) || resourceFlags(access.resource).hasGroups) return answer;
  const filter = visibleObjects(permissions, access.resource, access.action);
  return isUnlimited(filter) ? answer : answer.filter(({ uuid }: { uuid: string }) => isVisible(filter, uuid));
}

/** What listing a resource asks for: the access facts of its list operation where there is one, which is the first. */
const listPermissions: ReadonlyMap<Resource, Permission> = new Map(
  Object.values<Operation>(platformOperations)
    .toReversed()
    .flatMap(({ access }) =>
      typeof access === 'object' && access.action === 'list' && !isParameter(access.resource)
        ? [[access.resource, access] as const]
        : [],
    ),
);

/** Resources that the holder of these permissions may list. */
export function allowedListings(permissions: PermissionSet): Resource[] {
  return permissionResources.filter((resource) => {
    if (!actionsOf(resource).includes('list')) return false;
    const asked = listPermissions.get(resource) ?? { resource, action: 'list', filtered: true };
    return requirementsUnlessShared(permissions, asked, { params: {} }).every((each) => meets(permissions, each));
  });
}
