// Which objects with an owner and groups a caller sees in lists: those of containers that they have `members` on, such
// as the certificates of RA profiles and the keys of tokens; those that they own; and those in groups that they have
// `members` on.
import type { Action, Resource } from '@signetry/contract';
import { isAllowed, visibleObjects, type ObjectFilter, type RequestContext } from './actor.ts';
import { isOpenToMembers, ownerFor } from './belonging.ts';

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
