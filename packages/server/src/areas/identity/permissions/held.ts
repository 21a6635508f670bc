// Callers cannot grant, obtain or take over more than their own permissions. This is the only comparison of a caller's
// permissions with those that a change would grant. Used when roles are assigned or edited, accounts are changed, and
// owners are set.
import { actionsOf, type Resource } from '@signetry/contract';
import { isAllowed, type PermissionSet, type RequestContext } from '../../../kernel/actor.ts';
import { isOpenToOwners, ownerFor } from '../../../kernel/belonging.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Privileges } from '../ports.ts';
import { gainsOf } from './permission-rows.ts';
import { requirePermission } from './require-permission.ts';

/**
 * Rejects the request unless the caller has all permissions in `asked`. `name` identifies their source, e.g. `role
 * operators`.
 */
export function assertHeld(context: RequestContext, asked: PermissionSet, name: string): void {
  assertGainHeld(context, { before: context.actor.permissions, after: asked, name });
}

interface PermissionChange {
  readonly before: PermissionSet;
  readonly after: PermissionSet;
  readonly name: string;
}

/**
 * Rejects a role change that would allow something for which the caller does not have permission. This can happen by
 * adding a permission or by removing a denial, because a different role may allow what this role denied.
 */
export function assertChangeHeld(context: RequestContext, { before, after, name }: PermissionChange): void {
  assertGainHeld(context, { before, after, name });
  assertGainHeld(context, { before: permissionsDeniedBy(after), after: permissionsDeniedBy(before), name });
}

function assertGainHeld(context: RequestContext, { before, after, name }: PermissionChange): void {
  const gains = gainsOf(before, after);
  if (gains === 'everything') return assertFullPermissions(context, name);
  for (const { resource, action, object } of gains)
    requirePermission(context, { resource, action, objects: object === undefined ? [] : [object], name });
}

/** Rejects scoped tokens, and callers whose roles do not grant all permissions. */
export function assertFullPermissions({ actor }: RequestContext, name: string): void {
  if (actor.permissions.allowAllResources && !actor.hasScope) return;
  throw new AppError('access_denied', { resource: 'ANY', action: 'ANY', name });
}

/**
 * Returns what would additionally be allowed without these denials, i.e. what holders of a role gain when it is removed
 * from them.
 */
export function permissionsDeniedBy({ resources }: PermissionSet): PermissionSet {
  const lifted = [...resources].map(([resource, { objects }]) => {
    const denials = [...(objects ?? [])].filter(([, { denied }]) => denied.size > 0);
    const rights = denials.map(([uuid, { denied }]) => [uuid, { allowed: denied, denied: new Set<never>() }] as const);
    return [resource, { allowAllActions: false, actions: new Set<never>(), objects: new Map(rights) }] as const;
  });
  return { allowAllResources: false, resources: new Map(lifted) };
}

/** An object, or the future objects of a resource, and the current owner. */
export interface OwnershipTransfer {
  readonly resource: Resource;
  readonly uuid?: string;
  readonly ownerUuid: string | null;
}

/** User who is to become the owner. */
export interface NewOwner {
  readonly username: string;
  readonly permissions: PermissionSet;
}

/** Returns the actions that ownership permits. */
const ownerActionsOf = (resource: Resource) => actionsOf(resource).filter(isOpenToOwners);

/**
 * Owners can perform all actions on their objects, except export. Rejects a new owner who would gain an action on the
 * object that neither the new owner's roles nor those of the caller allow.
 */
export function assertMayTransfer(
  context: RequestContext,
  { resource, uuid, ownerUuid: current }: OwnershipTransfer,
  newOwner: NewOwner,
): void {
  const { actor } = context;
  if (current !== null && current === ownerFor(actor)) return;
  const objects = uuid === undefined ? [] : [uuid];
  const lacked = ownerActionsOf(resource).find(
    (action) => ![actor.permissions, newOwner.permissions].some((held) => isAllowed(held, resource, action, objects)),
  );
  if (lacked !== undefined)
    requirePermission(context, { resource, action: lacked, objects, name: `owner ${newOwner.username}` });
}

/**
 * Powers that come with owning objects of a resource: anyone who can sign in as an owner can perform all actions on the
 * owner's objects.
 */
export const ownerPrivileges = (
  resource: Resource,
  ownsAny: (executor: Executor, userUuid: string) => Promise<boolean>,
): Privileges => ({
  async assertHeld(tx, { userUuid }, context) {
    if (userUuid === undefined || !(await ownsAny(tx, userUuid))) return;
    for (const action of ownerActionsOf(resource))
      requirePermission(context, { resource, action, name: 'the user owns such objects' });
  },
});
