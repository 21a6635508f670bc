// The effective permissions of a set of roles, and which role grants each permission. Pure.
import {
  actionsOf,
  permissionResources,
  type EffectivePermissionsDto,
  type EffectiveResourceDto,
  type NameAndUuidDto,
  type PermissionOriginDto,
  type Resource,
} from '@signetry/contract';
import { isAllowed, type PermissionSet } from '../../../kernel/actor.ts';
import { allowedListings } from './authorize.ts';
import { mergePermissions, presentObjects, type ObjectPermissionRow, type PermissionRow } from './permission-rows.ts';

/** A role with its permission rows. */
export interface GrantingRole {
  readonly role: NameAndUuidDto;
  readonly rows: readonly PermissionRow[];
  readonly objectRows: readonly ObjectPermissionRow[];
}

interface Granting {
  readonly role: NameAndUuidDto;
  readonly permissions: PermissionSet;
}

export const mergeRoles = (roles: readonly GrantingRole[]): PermissionSet =>
  mergePermissions(
    roles.flatMap(({ rows }) => rows),
    roles.flatMap(({ objectRows }) => objectRows),
  );

export function effectivePermissions(
  roles: readonly GrantingRole[],
  names: ReadonlyMap<string, string>,
): EffectivePermissionsDto {
  const permissions = mergeRoles(roles);
  const granting = roles.map(({ role, rows }) => ({ role, permissions: mergePermissions(rows) }));
  return {
    allowAllResources: permissions.allowAllResources,
    resources: permissionResources
      .map((resource) => effectiveResource(resource, { permissions, granting, names }))
      .filter(({ actions, objects }) => actions.length + objects.length > 0),
    allowedListings: allowedListings(permissions),
  };
}

function effectiveResource(
  resource: Resource,
  facts: {
    readonly permissions: PermissionSet;
    readonly granting: readonly Granting[];
    readonly names: ReadonlyMap<string, string>;
  },
): EffectiveResourceDto {
  const { permissions, granting, names } = facts;
  const rights = permissions.resources.get(resource);
  const origins = actionsOf(resource).map((name) => ({
    name,
    from: granting.flatMap(({ role, permissions: own }): PermissionOriginDto[] =>
      isAllowed(own, resource, name) ? [{ role, level: levelOf(own, resource) }] : [],
    ),
  }));
  return {
    name: resource,
    allowAllActions: permissions.allowAllResources || (rights?.allowAllActions ?? false),
    actions: origins.filter(({ from }) => from.length > 0),
    objects: presentObjects(permissions, resource, { names, withInherited: true }),
  };
}

function levelOf(permissions: PermissionSet, resource: Resource): PermissionOriginDto['level'] {
  if (permissions.allowAllResources) return 'allResources';
  return permissions.resources.get(resource)?.allowAllActions ? 'allActions' : 'action';
}
