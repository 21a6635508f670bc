// Users: administration, roles of a user, identification.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { description, line, objectName, uuid } from '../primitives.ts';
import { RequestAttributeDto } from '../shared/attributes.ts';
import { UuidList } from '../shared/objects.ts';
import { RoleDto, SubjectPermissionsDto, UserDetailDto, UserDto } from './principals.ts';
import { certificateOfUser, sightOf } from './second-objects.ts';

/** `certificateUuid` names a certificate of the inventory and wins over `certificateData`, which is Base64 of a certificate. */
export const AddUserRequestDto = z
  .object({
    username: objectName(),
    description: description().optional(),
    firstName: line().optional(),
    lastName: line().optional(),
    email: line().optional(),
    groupUuids: z.array(z.string()).optional(),
    enabled: z.boolean().optional(),
    certificateData: z.string().optional(),
    certificateUuid: z.string().optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'AddUserRequestDto' });
export type AddUserRequestDto = z.output<typeof AddUserRequestDto>;

/** Full replacement: a user updated without a certificate has none afterwards. */
export const UpdateUserRequestDto = z
  .object({
    description: description().optional(),
    firstName: line().optional(),
    lastName: line().optional(),
    email: line(),
    groupUuids: z.array(z.string()).optional(),
    certificateData: z.string().optional(),
    certificateUuid: z.string().optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'UpdateUserRequestDto' });
export type UpdateUserRequestDto = z.output<typeof UpdateUserRequestDto>;

/** One of the two: Base64 of a certificate, or a JSON Web Token. */
export const UserIdentificationRequestDto = z
  .object({
    certificateContent: z.string().optional(),
    authenticationToken: z.string().optional(),
  })
  .meta({ id: 'UserIdentificationRequestDto' });
export type UserIdentificationRequestDto = z.output<typeof UserIdentificationRequestDto>;

const tag = 'User Management';
const userParam = z.object({ userUuid: uuid() });
const userRoleParams = z.object({ userUuid: uuid(), roleUuid: uuid() });

const sightOfRole = [{ resource: 'roles', action: 'detail', object: 'roleUuid' }] as const;

export const userOperations = {
  listUsers: operation({
    id: 'listUsers',
    summary: 'List users',
    tag,
    method: 'GET',
    path: '/v1/users',
    success: { status: 200, body: z.array(UserDto) },
    errors: [400, 401, 403, 500],
    access: { resource: 'users', action: 'list' },
  }),
  createUser: operation({
    id: 'createUser',
    summary: 'Create User',
    tag,
    method: 'POST',
    path: '/v1/users',
    body: AddUserRequestDto,
    success: { status: 201, body: UserDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'users', action: 'create' },
    also: [sightOf('groups', 'groupUuids'), ...certificateOfUser],
    audit: { module: 'auth', resource: 'users', operation: 'create' },
  }),
  getUser: operation({
    id: 'getUser',
    summary: 'Get user details',
    tag,
    method: 'GET',
    path: '/v1/users/{userUuid}',
    params: userParam,
    success: { status: 200, body: UserDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'users', action: 'detail', object: 'userUuid' },
  }),
  updateUser: operation({
    id: 'updateUser',
    summary: 'Update User',
    tag,
    method: 'PUT',
    path: '/v1/users/{userUuid}',
    params: userParam,
    body: UpdateUserRequestDto,
    success: { status: 200, body: UserDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'users', action: 'update', object: 'userUuid' },
    also: [sightOf('groups', 'groupUuids'), ...certificateOfUser],
    audit: { module: 'auth', resource: 'users', operation: 'update' },
  }),
  deleteUser: operation({
    id: 'deleteUser',
    summary: 'Delete User',
    tag,
    method: 'DELETE',
    path: '/v1/users/{userUuid}',
    params: userParam,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'users', action: 'delete', object: 'userUuid' },
    audit: { module: 'auth', resource: 'users', operation: 'delete' },
  }),
  enableUser: operation({
    id: 'enableUser',
    summary: 'Enable User',
    tag,
    method: 'PATCH',
    path: '/v1/users/{userUuid}/enable',
    params: userParam,
    success: { status: 200, body: UserDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'users', action: 'enable', object: 'userUuid' },
    audit: { module: 'auth', resource: 'users', operation: 'enable' },
  }),
  disableUser: operation({
    id: 'disableUser',
    summary: 'Disable User',
    tag,
    method: 'PATCH',
    path: '/v1/users/{userUuid}/disable',
    params: userParam,
    success: { status: 200, body: UserDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'users', action: 'enable', object: 'userUuid' },
    audit: { module: 'auth', resource: 'users', operation: 'disable' },
  }),
  identifyUser: operation({
    id: 'identifyUser',
    summary: 'Identify User',
    tag,
    method: 'POST',
    path: '/v1/users/identify',
    body: UserIdentificationRequestDto,
    success: { status: 200, body: UserDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'users', action: 'detail' },
  }),
  getUserPermissions: operation({
    id: 'getPermissions',
    summary: 'Get User permissions',
    tag,
    method: 'GET',
    path: '/v1/users/{userUuid}/permissions',
    params: userParam,
    success: { status: 200, body: SubjectPermissionsDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'users', action: 'detail', object: 'userUuid' },
  }),
  getUserRoles: operation({
    id: 'getUserRoles',
    summary: 'Get User Roles',
    tag,
    method: 'GET',
    path: '/v1/users/{userUuid}/roles',
    params: userParam,
    success: { status: 200, body: z.array(RoleDto) },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'users', action: 'detail', object: 'userUuid' },
  }),
  updateUserRoles: operation({
    id: 'updateRoles',
    summary: 'Add roles to User',
    tag,
    method: 'PATCH',
    path: '/v1/users/{userUuid}/roles',
    params: userParam,
    body: UuidList,
    success: { status: 200, body: UserDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'users', action: 'update', object: 'userUuid' },
    also: [sightOf('roles', '$')],
    audit: { module: 'auth', resource: 'users', operation: 'update' },
  }),
  addUserRole: operation({
    id: 'addRole',
    summary: 'Add role to User',
    tag,
    method: 'PUT',
    path: '/v1/users/{userUuid}/roles/{roleUuid}',
    params: userRoleParams,
    success: { status: 200, body: UserDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'users', action: 'update', object: 'userUuid' },
    also: sightOfRole,
    audit: { module: 'auth', resource: 'users', operation: 'add' },
  }),
  removeUserRole: operation({
    id: 'removeRole',
    summary: 'Remove role from User',
    tag,
    method: 'DELETE',
    path: '/v1/users/{userUuid}/roles/{roleUuid}',
    params: userRoleParams,
    success: { status: 200, body: UserDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'users', action: 'update', object: 'userUuid' },
    also: sightOfRole,
    audit: { module: 'auth', resource: 'users', operation: 'remove' },
  }),
};
