// Nobody grants, gets or becomes more than they hold: the one comparison of what a caller holds with what a change
// would give. Used where roles are assigned or edited, where accounts are changed, and where owners are set.
import { actionsOf, type Resource } from '@signetry/contract';
import { isAllowed, type PermissionSet, type RequestContext } from '../../../kernel/actor.ts';
import { ownerFor } from '../../../kernel/belonging.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Powers } from '../ports.ts';
import { gainsOf } from './permission-rows.ts';
import { requirePermission } from './require-permission.ts';

/**
 * Refuses unless the caller holds everything that `asked` allows. `name` says what allows it, e.g. `role operators`.
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
 * Refuses a change of a role that would allow something which the caller does not hold: by a permission, or by the end
 * of a denial, since another role may allow what this one denied.
 */
export function assertChangeHeld(context: RequestContext, { before, after, name }: PermissionChange): void {
  assertGainHeld(context, { before, after, name });
  assertGainHeld(context, { before: deniedBy(after), after: deniedBy(before), name });
}

function assertGainHeld(context: RequestContext, { before, after, name }: PermissionChange): void {
  const gains = gainsOf(before, after);
  if (gains === 'everything') return assertFullPermissions(context, name);
  for (const { resource, action, object } of gains)
    requirePermission(context, { resource, action, objects: object === undefined ? [] : [object], name });
}

/** What no token with a scope may do, and nobody whose roles do not allow everything. */
export function assertFullPermissions({ actor }: RequestContext, name: string): void {
  if (actor.permissions.allowAllResources && !actor.hasScope) return;
  throw new AppError('access_denied', { resource: 'ANY', action: 'ANY', name });
}

/** What would be allowed besides once nothing of this denied it: what taking a role away gives its holders. */
export function deniedBy({ resources }: PermissionSet): PermissionSet {
  const lifted = [...resources].map(([resource, { objects }]) => {
    const denials = [...(objects ?? [])].filter(([, { denied }]) => denied.size > 0);
    const rights = denials.map(([uuid, { denied }]) => [uuid, { allowed: denied, denied: new Set<never>() }] as const);
    return [resource, { allowAllActions: false, actions: new Set<never>(), objects: new Map(rights) }] as const;
  });
  return { allowAllResources: false, resources: new Map(lifted) };
}

/** An object, or those of a resource that are still to come, and who owns it now. */
export interface Handover {
  readonly resource: Resource;
  readonly uuid?: string;
  readonly ownerUuid: string | null;
}

/** Who is to own it. */
export interface NewOwner {
  readonly username: string;
  readonly permissions: PermissionSet;
}

/**
 * Owners may do everything with what is theirs. Refuses a new owner who would be able to do something with the object
 * that neither the roles of the owner nor those of the caller allow.
 */
export function assertMayHandOver(
  context: RequestContext,
  { resource, uuid, ownerUuid: current }: Handover,
  newOwner: NewOwner,
): void {
  const { actor } = context;
  if (current !== null && current === ownerFor(actor)) return;
  const objects = uuid === undefined ? [] : [uuid];
  const lacked = actionsOf(resource).find(
    (action) => ![actor.permissions, newOwner.permissions].some((held) => isAllowed(held, resource, action, objects)),
  );
  if (lacked !== undefined)
    requirePermission(context, { resource, action: lacked, objects, name: `owner ${newOwner.username}` });
}

/** What owning objects of a resource gives: whoever can sign in as an owner could do everything with them as well. */
export const ownerPowers = (
  resource: Resource,
  ownsAny: (executor: Executor, userUuid: string) => Promise<boolean>,
): Powers => ({
  async assertHeld(tx, { userUuid }, context) {
    if (userUuid === undefined || !(await ownsAny(tx, userUuid))) return;
    for (const action of actionsOf(resource))
      requirePermission(context, { resource, action, name: 'the user owns some' });
  },
});
