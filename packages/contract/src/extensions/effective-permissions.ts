// What a user or a role may do in effect, and which role gives each right. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { ObjectPermissionsDto } from '../platform/principals.ts';
import { Resource, ResourceAction } from '../platform/resource.ts';
import { NameAndUuidDto } from '../shared/objects.ts';

/** Where a right on a resource comes from: a role that allows everything, all actions of the resource, or this one. */
export const PermissionOriginDto = z
  .object({ role: NameAndUuidDto, level: z.enum(['allResources', 'allActions', 'action']) })
  .meta({ id: 'PermissionOriginDto' });
export type PermissionOriginDto = z.output<typeof PermissionOriginDto>;

export const EffectiveActionDto = z
  .object({ name: ResourceAction, from: z.array(PermissionOriginDto) })
  .meta({ id: 'EffectiveActionDto' });
export type EffectiveActionDto = z.output<typeof EffectiveActionDto>;

/** `objects` are those that roles name: what may be done to each in the end, and what is denied. */
export const EffectiveResourceDto = z
  .object({
    name: Resource,
    allowAllActions: z.boolean(),
    actions: z.array(EffectiveActionDto),
    objects: z.array(ObjectPermissionsDto),
  })
  .meta({ id: 'EffectiveResourceDto' });
export type EffectiveResourceDto = z.output<typeof EffectiveResourceDto>;

/** Resources on which nothing is allowed or denied are left out. */
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
      summary: 'Get what a user may do over all of their roles, and which role allows it',
      answer: EffectivePermissionsDto,
      access: { resource: 'users', action: 'detail', object: 'userUuid' },
    },
    getEffectivePermissionsOfRole: {
      route: 'GET /x/v1/roles/{roleUuid}/effectivePermissions',
      summary: 'Get what a user with no other role may do',
      answer: EffectivePermissionsDto,
      access: { resource: 'roles', action: 'detail', object: 'roleUuid' },
    },
  },
);
