// Which keys a caller sees in lists: those of tokens that the caller has `members` on, those that the caller owns, and
// those in groups that the caller has `members` on.
import { isAllowed, visibleObjects, type ObjectFilter, type RequestContext } from '../../kernel/actor.ts';
import { ownerFor } from '../../kernel/belonging.ts';

export interface KeyFilter {
  /** Tokens whose keys are shown; those of none where it is all but some. */
  readonly tokens: ObjectFilter;
  /** Whose keys are shown besides. */
  readonly ownerUuid: string | null;
  /** Groups whose keys are shown besides, unless they are in one of `deniedGroups` too. */
  readonly groups: ObjectFilter;
  readonly deniedGroups: readonly string[];
}

const NONE: ObjectFilter = { kind: 'only', uuids: new Set() };

export function visibleKeys({ actor }: RequestContext): KeyFilter {
  const { permissions } = actor;
  const groupRights = permissions.resources.get('groups')?.objects ?? new Map();
  return {
    tokens: isAllowed(permissions, 'keys', 'list') ? visibleObjects(permissions, 'tokens', 'members') : NONE,
    ownerUuid: ownerFor(actor),
    groups: visibleObjects(permissions, 'groups', 'members'),
    deniedGroups: [...groupRights].filter(([, { denied }]) => denied.has('members')).map(([uuid]) => uuid),
  };
}
