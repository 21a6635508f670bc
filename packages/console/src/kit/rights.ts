// Evaluation of permissions.
import type { Action, Resource, SubjectPermissionsDto } from '@signetry/contract';

/** A permission that an action requires: on a resource, or on one object of it. */
export type Right = readonly [resource: Resource, action: Action, uuid?: string];

/** A single permission, or multiple permissions that are all required. */
export type Needs = Right | readonly Right[];

export const allowsAll = (permissions: SubjectPermissionsDto, needs: Needs): boolean =>
  (isSingleRight(needs) ? [needs] : needs).every((right) => allows(permissions, right));

const isSingleRight = (needs: Needs): needs is Right => typeof needs[0] === 'string';

/** Returns whether an action is permitted. A denial on the object takes precedence. */
export function allows(permissions: SubjectPermissionsDto, [resource, action, uuid]: Right): boolean {
  const given = permissions.resources.find(({ name }) => name === resource);
  const object = given?.objects.find((each) => each.uuid === uuid);
  if (object?.deny.includes(action)) return false;
  return (
    permissions.allowAllResources ||
    given?.allowAllActions === true ||
    given?.actions.includes(action) === true ||
    object?.allow.includes(action) === true
  );
}
