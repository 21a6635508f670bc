// Roles and credentials of all users, for display in a user list. Not part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { int32 } from '../primitives.ts';
import { NameAndUuidDto } from '../shared/objects.ts';

/** Counts only usable credentials: expired tokens and invitations are excluded. */
export const UserAccess = z
  .object({
    uuid: z.string(),
    roles: z.array(NameAndUuidDto),
    /** Whether a client certificate is bound to the user. */
    certificate: z.boolean(),
    passkeys: int32(),
    accessTokens: int32(),
    /** Number of external identities that sign in as the user. */
    externalIdentities: int32(),
    /** Whether the user has an open invitation. */
    invited: z.boolean(),
  })
  .meta({ id: 'UserAccess' });
export type UserAccess = z.output<typeof UserAccess>;

export const userAccessOperations = operations(
  { tag: 'User Access', resource: 'users', module: 'auth', errors: plainErrors },
  {
    /** Users whose details the caller cannot see are omitted. */
    listUserAccess: {
      route: 'GET /x/v1/userAccess',
      summary: "List users' roles and sign-in credentials",
      answer: z.array(UserAccess),
      access: { action: 'list', filtered: true },
    },
  },
);
