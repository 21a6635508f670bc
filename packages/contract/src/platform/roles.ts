// Roles: administration, users of a role, permissions of a role.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { description, line, uuid } from '../primitives.ts';
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
import { sightOf } from './second-objects.ts';

export const RoleRequestDto = z
  .object({
    name: line().optional(),
    description: description().optional(),
    email: line().optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'RoleRequestDto' });
export type RoleRequestDto = z.output<typeof RoleRequestDto>;

/** Actions to allow and to deny on one object. */
export const ObjectPermissionsRequestDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    allow: z.array(z.string()).optional(),
    deny: z.array(z.string()).optional(),
  })
  .meta({ id: 'ObjectPermissionsRequestDto' });
export type ObjectPermissionsRequestDto = z.output<typeof ObjectPermissionsRequestDto>;

/** Without `objects`, rights on single objects of the resource stay as they are. */
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

const tag = 'Role Management';
const roleParam = z.object({ roleUuid: uuid() });
/** A resource is addressed by the identifier that the catalogue of resources gives it. */
const resourceParams = z.object({ roleUuid: uuid(), resourceUuid: uuid() });
const objectParams = z.object({ roleUuid: uuid(), resourceUuid: uuid(), objectUuid: uuid() });
const audited = { module: 'auth', resource: 'roles' } as const;

export const roleOperations = {
  listRoles: operation({
    id: 'listRoles',
    summary: 'List Roles',
    tag,
    method: 'GET',
    path: '/v1/roles',
    success: { status: 200, body: z.array(RoleDto) },
    errors: [400, 401, 403, 500],
    access: { resource: 'roles', action: 'list' },
  }),
  createRole: operation({
    id: 'createRole',
    summary: 'Create Role',
    tag,
    method: 'POST',
    path: '/v1/roles',
    body: RoleRequestDto,
    success: { status: 201, body: RoleDetailDto },
    errors: [400, 401, 403, 500],
    access: { resource: 'roles', action: 'create' },
    audit: { module: 'auth', resource: 'roles', operation: 'create' },
  }),
  getRole: operation({
    id: 'getRole',
    summary: 'Get role details',
    tag,
    method: 'GET',
    path: '/v1/roles/{roleUuid}',
    params: roleParam,
    success: { status: 200, body: RoleDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'roles', action: 'detail', object: 'roleUuid' },
  }),
  updateRole: operation({
    id: 'updateRole',
    summary: 'Update Role',
    tag,
    method: 'PUT',
    path: '/v1/roles/{roleUuid}',
    params: roleParam,
    body: RoleRequestDto,
    success: { status: 200, body: RoleDetailDto },
    errors: [400, 401, 403, 500],
    access: { resource: 'roles', action: 'update', object: 'roleUuid' },
    audit: { module: 'auth', resource: 'roles', operation: 'update' },
  }),
  deleteRole: operation({
    id: 'deleteRole',
    summary: 'Delete Role',
    tag,
    method: 'DELETE',
    path: '/v1/roles/{roleUuid}',
    params: roleParam,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'roles', action: 'delete', object: 'roleUuid' },
    audit: { module: 'auth', resource: 'roles', operation: 'delete' },
  }),
  getRoleUsers: operation({
    id: 'getRoleUsers',
    summary: 'Get Role Users',
    tag,
    method: 'GET',
    path: '/v1/roles/{roleUuid}/users',
    params: roleParam,
    success: { status: 200, body: z.array(UserDto) },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'roles', action: 'detail', object: 'roleUuid' },
  }),
  /** Replaces the users of the role. */
  updateRoleUsers: operation({
    id: 'updateUsers',
    summary: 'Add users to Role',
    tag,
    method: 'PATCH',
    path: '/v1/roles/{roleUuid}/users',
    params: roleParam,
    body: UuidList,
    success: { status: 200, body: RoleDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'roles', action: 'update', object: 'roleUuid' },
    also: [sightOf('users', '$')],
    audit: { module: 'auth', resource: 'roles', operation: 'update' },
  }),
  getRolePermissions: operation({
    id: 'getRolePermissions',
    summary: 'Get Permissions of a Role',
    tag,
    method: 'GET',
    path: '/v1/roles/{roleUuid}/permissions',
    params: roleParam,
    success: { status: 200, body: SubjectPermissionsDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'roles', action: 'detail', object: 'roleUuid' },
  }) /** Replaces the rights on resources, and those on objects of each resource that comes with `objects`. */,
  saveRolePermissions: operation({
    id: 'savePermissions',
    summary: 'Add permissions to Role',
    tag,
    method: 'POST',
    path: '/v1/roles/{roleUuid}/permissions',
    params: roleParam,
    body: RolePermissionsRequestDto,
    success: { status: 200, body: SubjectPermissionsDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'roles', action: 'update', object: 'roleUuid' },
    audit: { ...audited, operation: 'updatePermissions' },
  }),
  getRoleResourcePermissions: operation({
    id: 'getRoleResourcePermissions',
    summary: 'Get Resources of a Role',
    tag,
    method: 'GET',
    path: '/v1/roles/{roleUuid}/permissions/{resourceUuid}',
    params: resourceParams,
    success: { status: 200, body: ResourcePermissionsDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'roles', action: 'detail', object: 'roleUuid' },
  }),
  getResourcePermissionObjects: operation({
    id: 'getResourcePermissionObjects',
    summary: 'Get Resource Objects of a Role',
    tag,
    method: 'GET',
    path: '/v1/roles/{roleUuid}/permissions/{resourceUuid}/objects',
    params: resourceParams,
    success: { status: 200, body: z.array(ObjectPermissionsDto) },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'roles', action: 'detail', object: 'roleUuid' },
  }),
  /** Objects that the role has rights on already get the ones given. */
  addResourcePermissionObjects: operation({
    id: 'addResourcePermissionObjects',
    summary: 'Add Resource Objects to a Role',
    tag,
    method: 'POST',
    path: '/v1/roles/{roleUuid}/permissions/{resourceUuid}/objects',
    params: resourceParams,
    body: z.array(ObjectPermissionsRequestDto),
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'roles', action: 'update', object: 'roleUuid' },
    audit: { ...audited, operation: 'updateObjectPermissions' },
  }),
  updateResourcePermissionObject: operation({
    id: 'updateResourcePermissionObjects',
    summary: 'Update Resource Objects to a Role',
    tag,
    method: 'PUT',
    path: '/v1/roles/{roleUuid}/permissions/{resourceUuid}/objects/{objectUuid}',
    params: objectParams,
    body: ObjectPermissionsRequestDto,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'roles', action: 'update', object: 'roleUuid' },
    audit: { ...audited, operation: 'updateObjectPermissions' },
  }),
  removeResourcePermissionObject: operation({
    id: 'removeResourcePermissionObjects',
    summary: 'Update Resource Objects to a Role',
    tag,
    method: 'DELETE',
    path: '/v1/roles/{roleUuid}/permissions/{resourceUuid}/objects/{objectUuid}',
    params: objectParams,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'roles', action: 'update', object: 'roleUuid' },
    audit: { ...audited, operation: 'updateObjectPermissions' },
  }),
};
