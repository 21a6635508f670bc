// Effective permissions of a user or role, and the roles that grant each of them. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { ObjectPermissionsDto } from '../platform/principals.ts';
import { Resource, ResourceAction } from '../platform/resource.ts';
import { NameAndUuidDto } from '../shared/objects.ts';

/** Origin of a permission: a role that allows everything, all actions on the resource, or this action. */
export const PermissionOriginDto = z
  .object({ role: NameAndUuidDto, level: z.enum(['allResources', 'allActions', 'action']) })
  .meta({ id: 'PermissionOriginDto' });
export type PermissionOriginDto = z.output<typeof PermissionOriginDto>;

export const EffectiveActionDto = z
  .object({ name: ResourceAction, from: z.array(PermissionOriginDto) })
  .meta({ id: 'EffectiveActionDto' });
export type EffectiveActionDto = z.output<typeof EffectiveActionDto>;

/** `objects` lists the objects that roles name, with the actions that are effectively allowed and denied on each. */
export const EffectiveResourceDto = z
  .object({
    name: Resource,
    allowAllActions: z.boolean(),
    actions: z.array(EffectiveActionDto),
    objects: z.array(ObjectPermissionsDto),
  })
  .meta({ id: 'EffectiveResourceDto' });
export type EffectiveResourceDto = z.output<typeof EffectiveResourceDto>;

/** Resources without allowed or denied actions are omitted. */
export const EffectivePermissionsDto = z
  .object({
    allowAllResources: z.boolean(),
    resources: z.array(EffectiveResourceDto),
    allowedListings: z.array(Resource),
  })
  .meta({ id: 'EffectivePermissionsDto' });
export type EffectivePermissionsDto = z.output<typeof EffectivePermissionsDto>;

export const effectivePermissionOperations = operations(
  { tag: 'Effective Permissions', module: 'auth', errors: objectErrors },
  {
    getEffectivePermissionsOfUser: {
      route: 'GET /x/v1/users/{userUuid}/effectivePermissions',
      summary: 'Get the effective permissions of a user across all roles, and which role grants them',
      answer: EffectivePermissionsDto,
      access: { resource: 'users', action: 'detail', object: 'userUuid' },
    },
    getEffectivePermissionsOfRole: {
      route: 'GET /x/v1/roles/{roleUuid}/effectivePermissions',
      summary: 'Get the effective permissions of a user with only this role',
      answer: EffectivePermissionsDto,
      access: { resource: 'roles', action: 'detail', object: 'roleUuid' },
    },
  },
);
