// Invitations: a link by which a user registers a passkey and signs in, once. Not part of the published interface. A
// user has one at most; who lost every passkey gets another. The link is shown once, on creation.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { dateTime } from '../primitives.ts';
import { powersOfUser } from '../platform/second-objects.ts';

export const Invitation = z
  .object({
    uuid: z.string(),
    createdAt: dateTime(),
    /** User name; absent where the platform itself made it. */
    createdBy: z.string().optional(),
    expiresAt: dateTime(),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.output<typeof Invitation>;

/** A new invitation, with the link that is sent to the user. */
export const IssuedInvitation = Invitation.extend({ url: z.string() }).meta({ id: 'IssuedInvitation' });
export type IssuedInvitation = z.output<typeof IssuedInvitation>;

export const invitationOperations = operations(
  { tag: 'Invitations', resource: 'users', module: 'auth', errors: objectErrors },
  {
    /** A list of one at most. */
    listInvitations: {
      route: 'GET /x/v1/users/{userUuid}/invitations',
      summary: 'List invitations of a user that can still be used',
      answer: z.array(Invitation),
      access: { action: 'detail', object: 'userUuid' },
    },
    createInvitation: {
      route: 'POST /x/v1/users/{userUuid}/invitations',
      summary: 'Invite a user to register a passkey; ends an older invitation of the user',
      created: IssuedInvitation,
      errors: ruleErrors,
      access: { action: 'update', object: 'userUuid' },
      also: [powersOfUser],
      audit: 'create',
    },
    revokeInvitation: {
      route: 'DELETE /x/v1/users/{userUuid}/invitations/{uuid}',
      summary: 'Revoke an invitation',
      access: { action: 'update', object: 'userUuid' },
      audit: 'revoke',
    },
  },
);
