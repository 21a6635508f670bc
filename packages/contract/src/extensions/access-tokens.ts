// Access tokens: long-lived credentials of the caller for scripts and clients without a browser. Not part of the
// published interface. A token is shown once, on creation.
import { z } from 'zod';
import { dateTime, objectName, uuid } from '../primitives.ts';
import { objectErrors, operations } from '../operations.ts';
import { SubjectPermissionsDto } from '../platform/principals.ts';
import { RolePermissionsRequestDto } from '../platform/roles.ts';
import { NameAndUuidDto } from '../shared/objects.ts';

/** Longest name of an access token. */
export const MAX_TOKEN_NAME_LENGTH = 100;

/** What a token with a scope may do at most: never more than its user may at the time. One member is there. */
export const AccessTokenScope = z
  .object({
    role: NameAndUuidDto.optional(),
    permissions: SubjectPermissionsDto.optional(),
  })
  .meta({ id: 'AccessTokenScope' });
export type AccessTokenScope = z.output<typeof AccessTokenScope>;

/** A role or a set of permissions: exactly one of the two. */
export const AccessTokenScopeRequest = z
  .object({ roleUuid: uuid().optional(), permissions: RolePermissionsRequestDto.optional() })
  .refine(({ roleUuid, permissions }) => (roleUuid === undefined) !== (permissions === undefined), {
    message: 'must have either roleUuid or permissions',
  })
  .meta({ id: 'AccessTokenScopeRequest' });
export type AccessTokenScopeRequest = z.output<typeof AccessTokenScopeRequest>;

export const AccessToken = z
  .object({
    uuid: z.string(),
    name: z.string(),
    createdAt: dateTime(),
    /** Absent for a token that does not expire. */
    expiresAt: dateTime().optional(),
    /** Absent for a token that was never used. Kept to the hour. */
    lastUsedAt: dateTime().optional(),
    /** The token that this one was created with: it expires no later and is revoked together with it. */
    madeWith: NameAndUuidDto.optional(),
    /** Absent for a token with all rights of its user. */
    scope: AccessTokenScope.optional(),
  })
  .meta({ id: 'AccessToken' });
export type AccessToken = z.output<typeof AccessToken>;

export const AccessTokenRequest = z
  .object({
    name: objectName().max(MAX_TOKEN_NAME_LENGTH),
    expiresAt: dateTime().optional(),
    scope: AccessTokenScopeRequest.optional(),
  })
  .meta({ id: 'AccessTokenRequest' });
export type AccessTokenRequest = z.output<typeof AccessTokenRequest>;

/** A new token, with the secret that is sent as a bearer token. */
export const IssuedAccessToken = AccessToken.extend({ token: z.string() }).meta({ id: 'IssuedAccessToken' });
export type IssuedAccessToken = z.output<typeof IssuedAccessToken>;

export const accessTokenOperations = operations(
  { tag: 'Access Tokens', resource: 'users', module: 'auth', errors: [401, 403, 500] },
  {
    listAccessTokens: {
      route: 'GET /x/v1/accessTokens',
      summary: 'List own access tokens',
      answer: z.array(AccessToken),
      access: 'authenticated',
    },
    createAccessToken: {
      route: 'POST /x/v1/accessTokens',
      summary: 'Create an access token; a token created with another token ends with it',
      body: AccessTokenRequest,
      created: IssuedAccessToken,
      errors: [400, 401, 403, 404, 422, 500],
      access: 'authenticated',
      also: [
        { resource: 'roles', action: 'detail', where: 'the scope is a role that the caller does not have, on it' },
      ],
      audit: 'create',
    },
    revokeAccessToken: {
      route: 'DELETE /x/v1/accessTokens/{uuid}',
      summary: 'Revoke one of your access tokens, and all tokens created with it',
      errors: [401, 403, 404, 500],
      access: 'authenticated',
      audit: 'revoke',
    },
    listAccessTokensOfUser: {
      route: 'GET /x/v1/users/{userUuid}/accessTokens',
      summary: 'List access tokens of a user',
      answer: z.array(AccessToken),
      errors: objectErrors,
      access: { action: 'detail', object: 'userUuid' },
    },
    revokeAccessTokenOfUser: {
      route: 'DELETE /x/v1/users/{userUuid}/accessTokens/{uuid}',
      summary: 'Revoke an access token of a user, and all tokens created with it',
      errors: objectErrors,
      access: { action: 'update', object: 'userUuid' },
      audit: 'revoke',
    },
  },
);
