// Roles: administration, a role's users, and a role's permissions.
import { z } from 'zod';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { description, line } from '../primitives.ts';
import { RequestAttributeDto } from '../shared/attributes.ts';
import { UuidList } from '../shared/objects.ts';
import {
  ObjectPermissionsDto,
  ResourcePermissionsDto,
  RoleDetailDto,
  RoleDto,
  SubjectPermissionsDto,
  UserDto,
} from './principals.ts';
import { sightOf } from './referenced-objects.ts';

export const RoleRequestDto = z
  .object({
    name: line().optional(),
    description: description().optional(),
    email: line().optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'RoleRequestDto' });
export type RoleRequestDto = z.output<typeof RoleRequestDto>;

/** Actions to allow and deny on one object. */
export const ObjectPermissionsRequestDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    allow: z.array(z.string()).optional(),
    deny: z.array(z.string()).optional(),
  })
  .meta({ id: 'ObjectPermissionsRequestDto' });
export type ObjectPermissionsRequestDto = z.output<typeof ObjectPermissionsRequestDto>;

/** If `objects` is absent, permissions on individual objects of the resource are unchanged. */
export const ResourcePermissionsRequestDto = z
  .object({
    name: z.string(),
    allowAllActions: z.boolean(),
    actions: z.array(z.string()).optional(),
    objects: z.array(ObjectPermissionsRequestDto).optional(),
  })
  .meta({ id: 'ResourcePermissionsRequestDto' });
export type ResourcePermissionsRequestDto = z.output<typeof ResourcePermissionsRequestDto>;

export const RolePermissionsRequestDto = z
  .object({ allowAllResources: z.boolean(), resources: z.array(ResourcePermissionsRequestDto).optional() })
  .meta({ id: 'RolePermissionsRequestDto' });
export type RolePermissionsRequestDto = z.output<typeof RolePermissionsRequestDto>;

export const roleOperations = operations(
  { tag: 'Role Management', resource: 'roles', module: 'auth', errors: objectErrors },
  {
    listRoles: {
      route: 'GET /v1/roles',
      summary: 'List Roles',
      answer: z.array(RoleDto),
      errors: plainErrors,
      access: { action: 'list' },
    },
    createRole: {
      route: 'POST /v1/roles',
      summary: 'Create Role',
      body: RoleRequestDto,
      created: RoleDetailDto,
      errors: plainErrors,
      access: { action: 'create' },
      audit: 'create',
    },
    getRole: {
      route: 'GET /v1/roles/{roleUuid}',
      summary: 'Get role details',
      answer: RoleDetailDto,
      access: { action: 'detail', object: 'roleUuid' },
    },
    updateRole: {
      route: 'PUT /v1/roles/{roleUuid}',
      summary: 'Update Role',
      body: RoleRequestDto,
      answer: RoleDetailDto,
      errors: plainErrors,
      access: { action: 'update', object: 'roleUuid' },
      audit: 'update',
    },
    deleteRole: {
      route: 'DELETE /v1/roles/{roleUuid}',
      summary: 'Delete Role',
      access: { action: 'delete', object: 'roleUuid' },
      audit: 'delete',
    },
    getRoleUsers: {
      route: 'GET /v1/roles/{roleUuid}/users',
      summary: 'Get Role Users',
      answer: z.array(UserDto),
      access: { action: 'detail', object: 'roleUuid' },
    },
    /** Replaces the role's users. */
    updateRoleUsers: {
      route: 'PATCH /v1/roles/{roleUuid}/users',
      id: 'updateUsers',
      summary: 'Add users to Role',
      body: UuidList,
      answer: RoleDetailDto,
      access: { action: 'update', object: 'roleUuid' },
      also: [sightOf('users', '$')],
      audit: 'update',
    },
    getRolePermissions: {
      route: 'GET /v1/roles/{roleUuid}/permissions',
      summary: 'Get Permissions of a Role',
      answer: SubjectPermissionsDto,
      access: { action: 'detail', object: 'roleUuid' },
    },
    /** Replaces the permissions on resources and, for each resource with `objects`, the permissions on objects. */
    saveRolePermissions: {
      route: 'POST /v1/roles/{roleUuid}/permissions',
      id: 'savePermissions',
      summary: 'Add permissions to Role',
      body: RolePermissionsRequestDto,
      answer: SubjectPermissionsDto,
      access: { action: 'update', object: 'roleUuid' },
      audit: 'updatePermissions',
    },
    getRoleResourcePermissions: {
      route: 'GET /v1/roles/{roleUuid}/permissions/{resourceUuid}',
      summary: 'Get Resources of a Role',
      answer: ResourcePermissionsDto,
      access: { action: 'detail', object: 'roleUuid' },
    },
    getResourcePermissionObjects: {
      route: 'GET /v1/roles/{roleUuid}/permissions/{resourceUuid}/objects',
      summary: 'Get Resource Objects of a Role',
      answer: z.array(ObjectPermissionsDto),
      access: { action: 'detail', object: 'roleUuid' },
    },
    /** Replaces the permissions on objects for which the role already has permissions. */
    addResourcePermissionObjects: {
      route: 'POST /v1/roles/{roleUuid}/permissions/{resourceUuid}/objects',
      summary: 'Add Resource Objects to a Role',
      body: z.array(ObjectPermissionsRequestDto),
      access: { action: 'update', object: 'roleUuid' },
      audit: 'updateObjectPermissions',
    },
    updateResourcePermissionObject: {
      route: 'PUT /v1/roles/{roleUuid}/permissions/{resourceUuid}/objects/{objectUuid}',
      id: 'updateResourcePermissionObjects',
      summary: 'Update Resource Objects to a Role',
      body: ObjectPermissionsRequestDto,
      access: { action: 'update', object: 'roleUuid' },
      audit: 'updateObjectPermissions',
    },
    removeResourcePermissionObject: {
      route: 'DELETE /v1/roles/{roleUuid}/permissions/{resourceUuid}/objects/{objectUuid}',
      id: 'removeResourcePermissionObjects',
      summary: 'Update Resource Objects to a Role',
      access: { action: 'update', object: 'roleUuid' },
      audit: 'updateObjectPermissions',
    },
  },
);
