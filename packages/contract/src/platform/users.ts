// Users: administration, role assignment, identification.
import { z } from 'zod';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { description, line, objectName } from '../primitives.ts';
import { RequestAttributeDto } from '../shared/attributes.ts';
import { UuidList } from '../shared/objects.ts';
import { RoleDto, SubjectPermissionsDto, UserDetailDto, UserDto } from './principals.ts';
import { certificateOfUser, privilegesOfUser, sightOf } from './referenced-objects.ts';

/**
 * `certificateUuid` identifies a certificate in the inventory and takes precedence over `certificateData`, a
 * Base64-encoded certificate.
 */
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

/** Replaces all values: if no certificate is specified, the user's certificate is removed. */
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

/** Either a Base64-encoded certificate or a JSON Web Token. */
export const UserIdentificationRequestDto = z
  .object({
    certificateContent: z.string().optional(),
    authenticationToken: z.string().optional(),
  })
  .meta({ id: 'UserIdentificationRequestDto' });
export type UserIdentificationRequestDto = z.output<typeof UserIdentificationRequestDto>;

const sightOfRole = [{ resource: 'roles', action: 'detail', object: 'roleUuid' }] as const;

export const userOperations = operations(
  { tag: 'User Management', resource: 'users', module: 'auth', errors: objectErrors },
  {
    listUsers: {
      route: 'GET /v1/users',
      summary: 'List users',
      answer: z.array(UserDto),
      errors: plainErrors,
      access: { action: 'list', filtered: true },
    },
    createUser: {
      route: 'POST /v1/users',
      summary: 'Create User',
      body: AddUserRequestDto,
      created: UserDetailDto,
      access: { action: 'create' },
      also: [sightOf('groups', 'groupUuids'), ...certificateOfUser],
      audit: 'create',
    },
    getUser: {
      route: 'GET /v1/users/{userUuid}',
      summary: 'Get user details',
      answer: UserDetailDto,
      access: { action: 'detail', object: 'userUuid' },
    },
    updateUser: {
      route: 'PUT /v1/users/{userUuid}',
      summary: 'Update User',
      body: UpdateUserRequestDto,
      answer: UserDetailDto,
      access: { action: 'update', object: 'userUuid' },
      also: [sightOf('groups', 'groupUuids'), ...certificateOfUser, privilegesOfUser],
      audit: 'update',
    },
    deleteUser: {
      route: 'DELETE /v1/users/{userUuid}',
      summary: 'Delete User',
      access: { action: 'delete', object: 'userUuid' },
      audit: 'delete',
    },
    enableUser: {
      route: 'PATCH /v1/users/{userUuid}/enable',
      summary: 'Enable User',
      answer: UserDetailDto,
      access: { action: 'enable', object: 'userUuid' },
      audit: 'enable',
    },
    disableUser: {
      route: 'PATCH /v1/users/{userUuid}/disable',
      summary: 'Disable User',
      answer: UserDetailDto,
      access: { action: 'enable', object: 'userUuid' },
      audit: 'disable',
    },
    identifyUser: {
      route: 'POST /v1/users/identify',
      summary: 'Identify User',
      body: UserIdentificationRequestDto,
      answer: UserDetailDto,
      access: { action: 'detail' },
    },
    getUserPermissions: {
      route: 'GET /v1/users/{userUuid}/permissions',
      id: 'getPermissions',
      summary: 'Get User permissions',
      answer: SubjectPermissionsDto,
      access: { action: 'detail', object: 'userUuid' },
    },
    getUserRoles: {
      route: 'GET /v1/users/{userUuid}/roles',
      summary: 'Get User Roles',
      answer: z.array(RoleDto),
      access: { action: 'detail', object: 'userUuid' },
    },
    updateUserRoles: {
      route: 'PATCH /v1/users/{userUuid}/roles',
      id: 'updateRoles',
      summary: 'Add roles to User',
      body: UuidList,
      answer: UserDetailDto,
      access: { action: 'update', object: 'userUuid' },
      also: [sightOf('roles', '$')],
      audit: 'update',
    },
    addUserRole: {
      route: 'PUT /v1/users/{userUuid}/roles/{roleUuid}',
      id: 'addRole',
      summary: 'Add role to User',
      answer: UserDetailDto,
      access: { action: 'update', object: 'userUuid' },
      also: sightOfRole,
      audit: 'add',
    },
    removeUserRole: {
      route: 'DELETE /v1/users/{userUuid}/roles/{roleUuid}',
      id: 'removeRole',
      summary: 'Remove role from User',
      answer: UserDetailDto,
      access: { action: 'update', object: 'userUuid' },
      also: sightOfRole,
      audit: 'remove',
    },
  },
);
