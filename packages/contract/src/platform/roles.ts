// Roles: administration, users of a role, permissions of a role.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { uuid } from '../primitives.ts';
import { RequestAttributeDto } from '../shared/attributes.ts';
import { UuidList } from '../shared/objects.ts';
import { RoleDetailDto, RoleDto, SubjectPermissionsDto, UserDto } from './principals.ts';

export const RoleRequestDto = z
  .object({
    name: z.string().optional(),
    description: z.string().optional(),
    email: z.string().optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'RoleRequestDto' });
export type RoleRequestDto = z.output<typeof RoleRequestDto>;

const tag = 'Role Management';
const roleParam = z.object({ roleUuid: uuid() });

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
  }),
};
