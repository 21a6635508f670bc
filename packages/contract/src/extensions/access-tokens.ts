// Access tokens: long-lived credentials of the caller for scripts and clients without a browser. Not part of the
// published interface. A token is shown once, when it is made.
import { z } from 'zod';
import { dateTime, objectName } from '../primitives.ts';
import { operations } from '../operations.ts';
import { NameAndUuidDto } from '../shared/objects.ts';

/** Longest name of an access token. */
export const MAX_TOKEN_NAME_LENGTH = 100;

export const AccessToken = z
  .object({
    uuid: z.string(),
    name: z.string(),
    createdAt: dateTime(),
    /** Absent for a token that does not expire. */
    expiresAt: dateTime().optional(),
    /** Absent for a token that was never used. Kept to the hour. */
    lastUsedAt: dateTime().optional(),
    /** The token that this one was made with: it ends no later than that, and is revoked with it. */
    madeWith: NameAndUuidDto.optional(),
  })
  .meta({ id: 'AccessToken' });
export type AccessToken = z.output<typeof AccessToken>;

export const AccessTokenRequest = z
  .object({ name: objectName().max(MAX_TOKEN_NAME_LENGTH), expiresAt: dateTime().optional() })
  .meta({ id: 'AccessTokenRequest' });
export type AccessTokenRequest = z.output<typeof AccessTokenRequest>;

/** A token just made, with the secret that is sent as a bearer token. */
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
      summary: 'Create an access token; one that is made with a token ends with it',
      body: AccessTokenRequest,
      created: IssuedAccessToken,
      errors: [400, 401, 403, 422, 500],
      access: 'authenticated',
      audit: 'create',
    },
    revokeAccessToken: {
      route: 'DELETE /x/v1/accessTokens/{uuid}',
      summary: 'Revoke an own access token, and all that were made with it',
      errors: [401, 403, 404, 500],
      access: 'authenticated',
      audit: 'revoke',
    },
  },
);
