// Access to objects without permissions on them: as their owner, or as a member of one of their groups.
import type { Action } from '@signetry/contract';
import { isAllowed, type Actor } from './actor.ts';

/** An object's owner and groups. */
export interface Belonging {
  readonly uuid: string;
  readonly ownerUuid: string | null;
  readonly groupUuids: readonly string[];
}

/** Returns whether group members can perform this action on the group's objects. */
export const isOpenToMembers = (action: Action): boolean => action === 'list' || action === 'detail';

/**
 * Returns whether owners can perform this action on their objects. Ownership does not permit the export of private
 * keys, because users own the keys that they create.
 */
export const isOpenToOwners = (action: Action): boolean => action !== 'export';

/**
 * Returns the user whose objects the actor can access as the owner. A token with a scope does not grant owner access:
 * the scope defines everything that it can do, regardless of who created it.
 */
export const ownerFor = ({ userUuid, hasScope }: Actor): string | null => (hasScope ? null : userUuid);

/**
 * Returns whether the actor can perform the action as owner or group member. Owners can perform any action on their
 * objects, except export; group members can view them.
 */
export function isAccessibleBy(
  actor: Actor,
  action: Action,
  { ownerUuid, groupUuids }: Omit<Belonging, 'uuid'>,
): boolean {
  if (isOpenToOwners(action) && ownerUuid !== null && ownerUuid === ownerFor(actor)) return true;
  if (!isOpenToMembers(action) || groupUuids.length === 0) return false;
  return isAllowed(actor.permissions, 'groups', 'members', groupUuids);
}
