// Access to objects without a permission on them: as their owner, or as a member of one of their groups.
import type { Action } from '@signetry/contract';
import { isAllowed, type Actor } from './actor.ts';

/** Owner and groups of an object. */
export interface Belonging {
  readonly uuid: string;
  readonly ownerUuid: string | null;
  readonly groupUuids: readonly string[];
}

/** Returns whether group members can perform this action on the group's objects. */
export const isOpenToMembers = (action: Action): boolean => action === 'list' || action === 'detail';

/**
 * Returns the user whose objects the actor can access as owner. A token with a scope has no owner access: its scope
 * defines all that it can do, regardless of the user who created it.
 */
export const ownerFor = ({ userUuid, hasScope }: Actor): string | null => (hasScope ? null : userUuid);

/** Owners can perform any action on their objects; group members can view them. */
export function isReachedBy(actor: Actor, action: Action, { ownerUuid, groupUuids }: Omit<Belonging, 'uuid'>): boolean {
  if (ownerUuid !== null && ownerUuid === ownerFor(actor)) return true;
  if (!isOpenToMembers(action) || groupUuids.length === 0) return false;
  return isAllowed(actor.permissions, 'groups', 'members', groupUuids);
}
