// Objects reach users also without a right on them: by being theirs, or by a group that they are members of.
import type { Action } from '@signetry/contract';
import { isAllowed, type Actor } from './actor.ts';

/** What ties an object to users. */
export interface Belonging {
  readonly uuid: string;
  readonly ownerUuid: string | null;
  readonly groupUuids: readonly string[];
}

/** Actions that members of a group may perform on what is in it. */
export const isOpenToMembers = (action: Action): boolean => action === 'list' || action === 'detail';

/**
 * Whose objects reach the actor as their own. A token with a scope reaches none that way: the scope says all that it
 * may do, whoever made it.
 */
export const ownerFor = ({ userUuid, hasScope }: Actor): string | null => (hasScope ? null : userUuid);

/** Owners may do everything with what is theirs, members of its groups see it. */
export function isReachedBy(actor: Actor, action: Action, { ownerUuid, groupUuids }: Omit<Belonging, 'uuid'>): boolean {
  if (ownerUuid !== null && ownerUuid === ownerFor(actor)) return true;
  if (!isOpenToMembers(action) || groupUuids.length === 0) return false;
  return isAllowed(actor.permissions, 'groups', 'members', groupUuids);
}
