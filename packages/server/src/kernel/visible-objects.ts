// Which objects with an owner and groups a caller sees in lists: those of containers that they have `members` on, such
// as the certificates of RA profiles and the keys of tokens; those that they own; and those in groups that they have
// `members` on.
import type { Action, Resource } from '@signetry/contract';
import { isAllowed, visibleObjects, type Actor, type ObjectFilter, type RequestContext } from './actor.ts';
import { isOpenToMembers, isReachedBy, ownerFor, type Belonging } from './belonging.ts';
import { AppError, notFound } from './errors.ts';

export interface VisibleObjects {
  /** Containers whose objects are shown; objects of none where it is all but some. */
  readonly containers: ObjectFilter;
  /** Whose objects are shown besides. */
  readonly ownerUuid: string | null;
  /** Groups whose objects are shown besides, unless they are in one of `deniedGroups` too. */
  readonly groups: ObjectFilter;
  readonly deniedGroups: readonly string[];
}

const NO_OBJECTS: ObjectFilter = { kind: 'only', uuids: new Set() };

/** What a list shows, or what a change of many may change: the same as looking at, or changing, each of them. */
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
 * May the actor use what is in this container? What is in none is theirs where they may use all containers but some.
 */
export const isMemberOf = ({ permissions }: Actor, within: Resource, containerUuid: string | null): boolean =>
  containerUuid === null
    ? visibleObjects(permissions, within, 'members').kind === 'all'
    : isAllowed(permissions, within, 'members', [containerUuid]);

/** An object as far as it decides who reaches it. */
export interface Contained extends Belonging {
  readonly containerUuid: string | null;
}

export interface Reach {
  readonly actor: Actor;
  readonly action: Action;
  readonly within: Resource;
}

/** Is the object the actor's own, or in a container that they are a member of? */
export const isHeldBy = (
  { containerUuid, ownerUuid }: Pick<Contained, 'containerUuid' | 'ownerUuid'>,
  { actor, within }: Omit<Reach, 'action'>,
): boolean => (ownerUuid !== null && ownerUuid === ownerFor(actor)) || isMemberOf(actor, within, containerUuid);

/**
 * Refuses objects that the actor does not see, as if they did not exist, and to change those that they only see. The
 * permission that the operation requires on their resource was asked for before.
 */
export function assertReached(objects: readonly Contained[], reach: Reach & { readonly what: string }): void {
  const { actor, action, within, what } = reach;
  const unheld = objects.filter((object) => !isHeldBy(object, reach));
  const hidden = unheld.find((object) => !isReachedBy(actor, 'detail', object));
  if (hidden) throw notFound(what, hidden.uuid);
  if (unheld.length > 0 && !isOpenToMembers(action))
    throw new AppError('access_denied', { resource: within, action: 'members' });
}
