// Determines which objects with an owner and groups are in a caller's lists: objects in containers on which the caller
// has `members`, such as the certificates of RA profiles and the keys of tokens; objects that the caller owns; and
// objects in groups on which the caller has `members`.
import type { Action, Resource } from '@signetry/contract';
import { isAllowed, visibleObjects, type Actor, type ObjectFilter, type RequestContext } from './actor.ts';
import { isOpenToMembers, isAccessibleBy, ownerFor, type Belonging } from './belonging.ts';
import { AppError, notFound } from './errors.ts';

export interface VisibleObjects {
  /** Containers whose objects are visible. If the kind is `all`, objects without a container are also visible. */
  readonly containers: ObjectFilter;
  /** Owner whose objects are also visible. */
  readonly ownerUuid: string | null;
  /** Groups whose objects are also visible, unless an object is in one of `deniedGroups`. */
  readonly groups: ObjectFilter;
  readonly deniedGroups: readonly string[];
}

const NO_OBJECTS: ObjectFilter = { kind: 'only', uuids: new Set() };

/**
 * Returns which objects a list shows or a bulk change can modify: those that the caller can view or change
 * individually.
 */
export function visibleOf(
  { actor }: Pick<RequestContext, 'actor'>,
  { resource, within, action }: { readonly resource: Resource; readonly within: Resource; readonly action: Action },
): VisibleObjects {
  const { permissions } = actor;
  const groupRights = permissions.resources.get('groups')?.objects ?? new Map();
  return {
    containers: isAllowed(permissions, resource, action) ? visibleObjects(permissions, within, 'members') : NO_OBJECTS,
    ownerUuid: ownerFor(actor),
    groups: isOpenToMembers(action) ? visibleObjects(permissions, 'groups', 'members') : NO_OBJECTS,
    deniedGroups: [...groupRights].filter(([, { denied }]) => denied.has('members')).map(([uuid]) => uuid),
  };
}

/**
 * Returns whether the actor can use objects in this container. Objects without a container are included if the actor
 * can use all containers, even with exceptions.
 */
export const isMemberOf = ({ permissions }: Actor, within: Resource, containerUuid: string | null): boolean =>
  containerUuid === null
    ? visibleObjects(permissions, within, 'members').kind === 'all'
    : isAllowed(permissions, within, 'members', [containerUuid]);

/** Object properties that determine who can access the object. */
export interface ContainedObject extends Belonging {
  readonly containerUuid: string | null;
}

export interface AccessScope {
  readonly actor: Actor;
  readonly action: Action;
  readonly within: Resource;
}

/** Returns whether the actor owns the object or is a member of its container. */
export const isHeldBy = (
  { containerUuid, ownerUuid }: Pick<ContainedObject, 'containerUuid' | 'ownerUuid'>,
  { actor, within }: Omit<AccessScope, 'action'>,
): boolean => (ownerUuid !== null && ownerUuid === ownerFor(actor)) || isMemberOf(actor, within, containerUuid);

/**
 * Rejects objects that the actor cannot see as not found, and rejects changes to objects that the actor can only view.
 * The caller has already checked the permission that the operation requires on the objects' resource.
 */
export function assertAccessible(
  objects: readonly ContainedObject[],
  reach: AccessScope & { readonly what: string },
): void {
  const { actor, action, within, what } = reach;
  const unheld = objects.filter((object) => !isHeldBy(object, reach));
  const hidden = unheld.find((object) => !isAccessibleBy(actor, 'detail', object));
  if (hidden) throw notFound(what, hidden.uuid);
  if (unheld.length > 0 && !isOpenToMembers(action))
    throw new AppError('access_denied', { resource: within, action: 'members' });
}
