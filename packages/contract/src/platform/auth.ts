// The caller's own profile, and the resources and actions that permissions are made of.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { NameAndUuidDto } from '../shared/objects.ts';
import { UserDetailDto } from './principals.ts';
import { Resource } from './resource.ts';
import { UpdateUserRequestDto } from './users.ts';
import { certificateOfUser } from './second-objects.ts';

/** Resources that the caller may list, all or some objects of. */
export const UserProfilePermissionsDto = z
  .object({ allowedListings: z.array(Resource) })
  .meta({ id: 'UserProfilePermissionsDto' });
export type UserProfilePermissionsDto = z.output<typeof UserProfilePermissionsDto>;

export const UserProfileDetailDto = UserDetailDto.extend({ permissions: UserProfilePermissionsDto }).meta({
  id: 'UserProfileDetailDto',
});
export type UserProfileDetailDto = z.output<typeof UserProfileDetailDto>;

export const AuthActionDto = z
  .object({ uuid: z.string(), name: z.string(), displayName: z.string() })
  .meta({ id: 'AuthActionDto' });
export type AuthActionDto = z.output<typeof AuthActionDto>;

/** A resource as the editor of permissions needs it. */
export const AuthResourceDto = z
  .object({
    uuid: z.string(),
    name: Resource,
    displayName: z.string(),
    listObjectsEndpoint: z.string().optional(),
    objectAccess: z.boolean(),
    actions: z.array(AuthActionDto),
  })
  .meta({ id: 'AuthResourceDto' });
export type AuthResourceDto = z.output<typeof AuthResourceDto>;

const tag = 'Authentication Management';

export const authOperations = {
  getUserProfile: operation({
    id: 'profile',
    summary: 'Profile Authorization',
    tag,
    method: 'GET',
    path: '/v1/auth/profile',
    success: { status: 200, body: UserProfileDetailDto },
    errors: [400, 401, 403, 500],
    access: 'authenticated',
  }),
  /** Keeps the certificate when none is given, and the roles always. */
  updateUserProfile: operation({
    id: 'updateUserProfile',
    summary: 'Update User Profile',
    tag,
    method: 'PUT',
    path: '/v1/auth/profile',
    body: UpdateUserRequestDto,
    success: { status: 200, body: UserDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: 'authenticated',
    also: [
      ...certificateOfUser,
      { resource: 'groups', action: 'detail', where: 'the caller may update users and names groups, on them' },
    ],
    audit: { module: 'auth', resource: 'users', operation: 'updateUserProfile' },
  }),
  getAuthResources: operation({
    id: 'getAuthResources',
    summary: 'Get Auth Resources',
    tag,
    method: 'GET',
    path: '/v1/auth/resources',
    success: { status: 200, body: z.array(AuthResourceDto) },
    errors: [400, 401, 403, 500],
    access: 'authenticated',
  }),
  /** Objects to give permissions on, as far as the caller may list them. */
  getObjectsForResource: operation({
    id: 'getObjectsForResource',
    summary: 'Get List of objects for Object Access',
    tag,
    method: 'GET',
    path: '/v1/auth/resources/{resourceName}/objects',
    params: z.object({ resourceName: Resource }),
    success: { status: 200, body: z.array(NameAndUuidDto) },
    errors: [400, 401, 403, 404, 500],
    access: { resource: '{resourceName}', action: 'list', filtered: true },
  }),
};
