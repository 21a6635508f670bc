// Users, roles and permissions in responses. They share a file because users and roles refer to each other.
import { z } from 'zod';
import { ResponseAttributeDto } from '../shared/attributes.ts';
import { NameAndUuidDto } from '../shared/objects.ts';

export const UserDto = z
  .object({
    uuid: z.string(),
    username: z.string(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    email: z.string().optional(),
    description: z.string().optional(),
    groups: z.array(NameAndUuidDto),
    enabled: z.boolean(),
    /** Created by the platform; cannot be changed or deleted. */
    systemUser: z.boolean(),
  })
  .meta({ id: 'UserDto' });
export type UserDto = z.output<typeof UserDto>;

export const RoleDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    description: z.string().optional(),
    email: z.string().optional(),
    /** Created by the platform; cannot be changed or deleted. */
    systemRole: z.boolean(),
  })
  .meta({ id: 'RoleDto' });
export type RoleDto = z.output<typeof RoleDto>;

/** The certificate with which a user signs in; the fingerprint is the lowercase hex SHA-256 of its DER encoding. */
export const UserCertificateDto = z
  .object({ uuid: z.string(), fingerprint: z.string() })
  .meta({ id: 'UserCertificateDto' });
export type UserCertificateDto = z.output<typeof UserCertificateDto>;

export const UserDetailDto = UserDto.extend({
  certificate: UserCertificateDto.optional(),
  roles: z.array(RoleDto),
  customAttributes: z.array(ResponseAttributeDto).optional(),
}).meta({ id: 'UserDetailDto' });
export type UserDetailDto = z.output<typeof UserDetailDto>;

export const RoleDetailDto = RoleDto.extend({
  users: z.array(UserDto),
  customAttributes: z.array(ResponseAttributeDto).optional(),
}).meta({ id: 'RoleDetailDto' });
export type RoleDetailDto = z.output<typeof RoleDetailDto>;

/** Actions allowed and denied on a single object; a denial takes precedence. */
export const ObjectPermissionsDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    allow: z.array(z.string()),
    deny: z.array(z.string()),
  })
  .meta({ id: 'ObjectPermissionsDto' });
export type ObjectPermissionsDto = z.output<typeof ObjectPermissionsDto>;

/** Permissions on a resource: on all of its objects, and on individual ones. */
export const ResourcePermissionsDto = z
  .object({
    name: z.string(),
    allowAllActions: z.boolean(),
    actions: z.array(z.string()),
    objects: z.array(ObjectPermissionsDto),
  })
  .meta({ id: 'ResourcePermissionsDto' });
export type ResourcePermissionsDto = z.output<typeof ResourcePermissionsDto>;

/** A role's permissions, or a user's permissions across all roles. */
export const SubjectPermissionsDto = z
  .object({ allowAllResources: z.boolean(), resources: z.array(ResourcePermissionsDto) })
  .meta({ id: 'SubjectPermissionsDto' });
export type SubjectPermissionsDto = z.output<typeof SubjectPermissionsDto>;
