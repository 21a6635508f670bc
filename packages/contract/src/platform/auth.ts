// The caller's own profile, and the resources and actions for which permissions can be granted.
import { z } from 'zod';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { NameAndUuidDto } from '../shared/objects.ts';
import { UserDetailDto } from './principals.ts';
import { Resource } from './resource.ts';
import { UpdateUserRequestDto } from './users.ts';
import { certificateOfUser } from './referenced-objects.ts';

/** Resources of which the caller can list all or some objects. */
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

/** A resource with the data needed by a permission editor. */
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

export const authOperations = operations(
  { tag: 'Authentication Management', resource: 'users', module: 'auth', errors: plainErrors },
  {
    getUserProfile: {
      route: 'GET /v1/auth/profile',
      id: 'profile',
      summary: 'Profile Authorization',
      answer: UserProfileDetailDto,
      access: 'authenticated',
    },
    /** Keeps the certificate if none is specified. Roles are never changed. */
    updateUserProfile: {
      route: 'PUT /v1/auth/profile',
      summary: 'Update User Profile',
      body: UpdateUserRequestDto,
      answer: UserDetailDto,
      errors: objectErrors,
      access: 'authenticated',
      also: [
        ...certificateOfUser,
        {
          resource: 'groups',
          action: 'detail',
          where: 'the caller can update users and the body specifies groups, on them',
        },
      ],
      audit: 'updateUserProfile',
    },
    getAuthResources: {
      route: 'GET /v1/auth/resources',
      summary: 'Get Auth Resources',
      answer: z.array(AuthResourceDto),
      access: 'authenticated',
    },
    /**
     * Objects for which permissions can be granted, limited to those that the caller can list. Returns 501 for a
     * resource without a list operation.
     */
    getObjectsForResource: {
      route: 'GET /v1/auth/resources/{resourceName}/objects',
      summary: 'Get List of objects for Object Access',
      params: z.object({ resourceName: Resource }),
      answer: z.array(NameAndUuidDto),
      errors: [...objectErrors, 501],
      access: { resource: '{resourceName}', action: 'list', filtered: true },
    },
  },
);
