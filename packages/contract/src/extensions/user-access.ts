// Which roles users have and what they can sign in with, for a list of all of them at once. Not part of the published
// interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { int32 } from '../primitives.ts';
import { NameAndUuidDto } from '../shared/objects.ts';

/** Counts are of what can be used now: tokens that have expired and invitations that have ended are left out. */
export const UserAccess = z
  .object({
    /** The user. */
    uuid: z.string(),
    roles: z.array(NameAndUuidDto),
    /** A client certificate is bound to the user. */
    certificate: z.boolean(),
    passkeys: int32(),
    accessTokens: int32(),
    /** Identities of providers that the user signs in as. */
    externalIdentities: int32(),
    /** An invitation waits for the user. */
    invited: z.boolean(),
  })
  .meta({ id: 'UserAccess' });
export type UserAccess = z.output<typeof UserAccess>;

export const userAccessOperations = operations(
  { tag: 'User Access', resource: 'users', module: 'auth', errors: plainErrors },
  {
    /** Users whose details the caller may not see are left out. */
    listUserAccess: {
      route: 'GET /x/v1/userAccess',
      summary: 'List roles of users and what they can sign in with',
      answer: z.array(UserAccess),
      access: { action: 'list', filtered: true },
    },
  },
);
