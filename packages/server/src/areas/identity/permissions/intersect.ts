// Intersection of two permission sets: a user's permissions within the scope of a token. Pure. It never allows what one
// of them does not allow; denials in either remain.
import { actionsOf, permissionResources, type Action, type Resource } from '@signetry/contract';
import { isAllowed, type ObjectRights, type PermissionSet, type ResourceRights } from '../../../kernel/actor.ts';

type Pair = readonly [PermissionSet, PermissionSet];

export function intersectPermissions(one: PermissionSet, other: PermissionSet): PermissionSet {
  const pair = [one, other] as const;
  const resources = permissionResources
    .filter((resource) => pair.some((each) => each.resources.has(resource)))
    .map((resource) => [resource, intersectResource(pair, resource)] as const);
  return { allowAllResources: pair.every((each) => each.allowAllResources), resources: new Map(resources) };
}

function intersectResource(pair: Pair, resource: Resource): ResourceRights {
  const uuids = pair.flatMap((each) => [...(each.resources.get(resource)?.objects?.keys() ?? [])]);
  return {
    allowAllActions: pair.every((each) => allowsAllOf(each, resource)),
    actions: actionsAllowedOn(pair, resource),
    objects: new Map([...new Set(uuids)].map((uuid) => [uuid, intersectObject(pair, resource, uuid)])),
  };
}

const intersectObject = (pair: Pair, resource: Resource, uuid: string): ObjectRights => ({
  allowed: actionsAllowedOn(pair, resource, uuid),
  denied: new Set(pair.flatMap((each) => [...(each.resources.get(resource)?.objects?.get(uuid)?.denied ?? [])])),
});

const allowsAllOf = ({ allowAllResources, resources }: PermissionSet, resource: Resource): boolean =>
  allowAllResources || (resources.get(resource)?.allowAllActions ?? false);

/**
 * Returns the allowed actions on the resource as a whole, or on one object. `ANY` is derived from the other actions: if
 * it were intersected like an action, it would extend permissions on some objects to every object of a resource.
 */
const actionsAllowedOn = (pair: Pair, resource: Resource, ...objects: string[]): ReadonlySet<Action> =>
  new Set(
    actionsOf(resource).filter(
      (action) => action !== 'ANY' && pair.every((each) => isAllowed(each, resource, action, objects)),
    ),
  );
