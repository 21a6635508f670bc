// Access tokens: a user's long-lived credentials for scripts and clients without a browser. Not part of the published
// interface. The secret is shown only once, when the token is created.
import { z } from 'zod';
import { dateTime, objectName, uuid } from '../primitives.ts';
import { objectErrors, operations } from '../operations.ts';
import { SubjectPermissionsDto } from '../platform/principals.ts';
import { RolePermissionsRequestDto } from '../platform/roles.ts';
import { NameAndUuidDto } from '../shared/objects.ts';

/** Maximum length of an access token's name. */
export const MAX_TOKEN_NAME_LENGTH = 100;

/**
 * Upper limit on a scoped token's permissions, which never exceed the user's current permissions. Exactly one member is
 * present.
 */
export const AccessTokenScope = z
  .object({
    role: NameAndUuidDto.optional(),
    permissions: SubjectPermissionsDto.optional(),
  })
  .meta({ id: 'AccessTokenScope' });
export type AccessTokenScope = z.output<typeof AccessTokenScope>;

/** Either a role or a set of permissions, but not both. */
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
    /** Absent if the token does not expire. */
    expiresAt: dateTime().optional(),
    /** Absent if the token has never been used. Updated at most once an hour. */
    lastUsedAt: dateTime().optional(),
    /** The token with which this one was created. This token expires no later than that one and is revoked with it. */
    madeWith: NameAndUuidDto.optional(),
    /** Absent if the token has all of the user's permissions. */
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

/** A new token, with the secret to send as a bearer token. */
export const IssuedAccessToken = AccessToken.extend({ token: z.string() }).meta({ id: 'IssuedAccessToken' });
export type IssuedAccessToken = z.output<typeof IssuedAccessToken>;

export const accessTokenOperations = operations(
  { tag: 'Access Tokens', resource: 'users', module: 'auth', errors: [401, 403, 500] },
  {
    listAccessTokens: {
      route: 'GET /x/v1/accessTokens',
      summary: 'List your access tokens',
      answer: z.array(AccessToken),
      access: 'authenticated',
    },
    createAccessToken: {
      route: 'POST /x/v1/accessTokens',
      summary: 'Create an access token; a token created with another token expires no later and is revoked with it',
      body: AccessTokenRequest,
      created: IssuedAccessToken,
      errors: [400, 401, 403, 404, 422, 500],
      access: 'authenticated',
      also: [
        {
          resource: 'roles',
          action: 'detail',
          where: 'the scope is a role that the caller does not have, on that role',
        },
      ],
      audit: 'create',
    },
    revokeAccessToken: {
      route: 'DELETE /x/v1/accessTokens/{uuid}',
      summary: 'Revoke one of your access tokens and all tokens created with it',
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
      summary: 'Revoke an access token of a user and all tokens created with it',
      errors: objectErrors,
      access: { action: 'update', object: 'userUuid' },
      audit: 'revoke',
    },
  },
);
