// Access tokens: long-lived credentials of the caller for scripts and clients without a browser. Not part of the
// published interface. A token is shown once, on creation.
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
    /** The token that this one was created with: it expires no later and is revoked together with it. */
    madeWith: NameAndUuidDto.optional(),
  })
  .meta({ id: 'AccessToken' });
export type AccessToken = z.output<typeof AccessToken>;

export const AccessTokenRequest = z
  .object({ name: objectName().max(MAX_TOKEN_NAME_LENGTH), expiresAt: dateTime().optional() })
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
      errors: [400, 401, 403, 422, 500],
      access: 'authenticated',
      audit: 'create',
    },
    revokeAccessToken: {
      route: 'DELETE /x/v1/accessTokens/{uuid}',
      summary: 'Revoke one of your access tokens, and all tokens created with it',
      errors: [401, 403, 404, 500],
      access: 'authenticated',
      audit: 'revoke',
    },
  },
);
