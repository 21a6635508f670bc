// Test oracle for the permission model, written only from its tables and working on stored rows. It is deliberately
// slow and simple, since the platform is compared with it.

/** Permission row of a role: for everything, a resource, an action on a resource, or an action on one object. */
export interface Right {
  readonly resource: string | null;
  readonly action: string | null;
  readonly object: string | null;
  readonly denied: boolean;
}

export interface WorldObject {
  readonly uuid: string;
  readonly resource: 'certificates' | 'users' | 'groups' | 'raProfiles';
  /** RA profile of a certificate, or authority of an RA profile. */
  readonly parent: string | null;
  readonly owner: string | null;
  readonly groups: readonly string[];
}

interface Act {
  readonly action: string;
  readonly object: WorldObject;
}

interface Question {
  readonly resource: string;
  readonly action: string;
  readonly uuids: readonly string[];
}

/** Whether at least one row grants the action and no row denies it. */
export function isAuthorized(rights: readonly Right[], { resource, action, uuids }: Question): boolean {
  const ofResource = rights.filter((right) => right.resource === resource);
  const actionsOn = (denied: boolean, uuid: string) =>
    ofResource.filter((right) => right.object === uuid && right.denied === denied).map((right) => right.action);
  if (uuids.some((uuid) => actionsOn(true, uuid).includes(action))) return false;
  if (rights.some((right) => right.resource === null)) return true;
  const whole = ofResource.filter((right) => right.object === null && !right.denied);
  if (whole.some((right) => right.action === null || right.action === action)) return true;
  if (action === 'ANY' && whole.length > 0) return true;
  const isGranted = (uuid: string) => {
    const given = actionsOn(false, uuid).filter((each) => !actionsOn(true, uuid).includes(each));
    return action === 'ANY' ? given.length > 0 : given.includes(action);
  };
  if (uuids.length === 0)
    return action === 'ANY' && ofResource.some(({ object }) => object !== null && isGranted(object));
  return resource === 'groups' && action === 'members' ? uuids.some(isGranted) : uuids.every(isGranted);
}

/**
 * Whether the user can perform the action on the object, including permissions through parents, ownership and groups.
 */
export function canAct(user: string, rights: readonly Right[], { action, object }: Act): boolean {
  const { resource, uuid, parent } = object;
  const own = isAuthorized(rights, { resource, action, uuids: [uuid] });
  // A certificate without an RA profile requires the permission on RA profiles in general.
  const isOf = (parents: string, asked: string) =>
    isAuthorized(rights, { resource: parents, action: asked, uuids: parent === null ? [] : [parent] });
  if (resource === 'raProfiles') return own && (parent === null || isOf('authorities', 'detail'));
  if (resource === 'certificates' && own && isOf('raProfiles', 'members')) return true;
  return (own && resource !== 'certificates') || isShared(user, rights, { action, object });
}

/** Access through ownership (certificates) or group membership (certificates and users). */
function isShared(user: string, rights: readonly Right[], { action, object }: Act): boolean {
  const { resource, owner, groups: uuids } = object;
  if (resource === 'certificates' && owner === user) return true;
  const isSeeing = action === 'list' || action === 'detail';
  return isSeeing && uuids.length > 0 && isAuthorized(rights, { resource: 'groups', action: 'members', uuids });
}

export const isListed = (user: string, rights: readonly Right[], object: WorldObject): boolean =>
  canAct(user, rights, { action: 'list', object });
