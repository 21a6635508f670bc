// The one decision about who may do what. Pure: the facts are arguments. Nothing is allowed that is not granted, and an
// operation without access facts is refused to everybody.
import {
  platformOperations,
  type Access,
  type Action,
  type Operation,
  type Permission,
  type Resource,
} from '@signetry/contract';
import { isAllowed, type Actor, type PermissionSet } from '../../../kernel/actor.ts';
import { actionsOf, permissionResources } from '../permissions/catalogue.ts';

/** A permission to be held, with the objects that it is asked for; none means the resource as a whole. */
export interface Requirement {
  readonly resource: Resource;
  readonly action: Action;
  readonly objects: readonly string[];
}

export type Verdict =
  | { readonly kind: 'allowed' }
  /** Nobody is signed in, and the operation is not for everybody. */
  | { readonly kind: 'unauthenticated' }
  /** The requirement that failed; none when the operation is closed to everybody. */
  | { readonly kind: 'denied'; readonly missing: Requirement | undefined };

export interface AccessQuestion {
  readonly access: Access | undefined;
  /** Path parameters of the call, by name; some of them identify objects. */
  readonly params: Readonly<Record<string, string>>;
  /** Is this a local call that may set up the first administrator? Only asked for `bootstrap`. */
  readonly mayBootstrap: boolean;
}

const ALLOWED: Verdict = { kind: 'allowed' };
const UNAUTHENTICATED: Verdict = { kind: 'unauthenticated' };

export function judge(actor: Actor, question: AccessQuestion): Verdict {
  const { access, params, mayBootstrap } = question;
  if (access === 'public') return ALLOWED;
  if (access === 'bootstrap' && mayBootstrap) return ALLOWED;
  if (actor.type === 'anonymous') return UNAUTHENTICATED;
  if (access === 'authenticated') return ALLOWED;
  if (access === undefined || access === 'bootstrap') return { kind: 'denied', missing: undefined };
  for (const requirement of requirementsOf(access, params)) {
    if (!meets(actor.permissions, requirement)) return { kind: 'denied', missing: requirement };
  }
  return ALLOWED;
}

/** The parent comes first: who may not see the parent learns nothing about what is below it. */
export function requirementsOf(
  permission: Permission,
  params: Readonly<Record<string, string>>,
): readonly Requirement[] {
  const { resource, action, object, parent } = permission;
  const named = object === undefined ? undefined : params[object];
  const own = { resource, action, objects: named === undefined ? [] : [named] };
  return parent ? [...requirementsOf(parent, params), own] : [own];
}

/** Permissions are given on whole resources, so they hold for every object that is named. */
export const meets = (permissions: PermissionSet, requirement: Requirement): boolean =>
  isAllowed(permissions, requirement.resource, requirement.action);

/** What listing a resource asks for: the access facts of its list operation where there is one. */
const listPermissions: ReadonlyMap<Resource, Permission> = new Map(
  Object.values<Operation>(platformOperations).flatMap(({ access }) =>
    typeof access === 'object' && access.action === 'list' ? [[access.resource, access] as const] : [],
  ),
);

/** Resources that the holder of these permissions may list. */
export function allowedListings(permissions: PermissionSet): Resource[] {
  return permissionResources.filter((resource) => {
    if (!actionsOf(resource).includes('list')) return false;
    const asked = listPermissions.get(resource) ?? { resource, action: 'list' };
    return requirementsOf(asked, {}).every((requirement) => meets(permissions, requirement));
  });
}
