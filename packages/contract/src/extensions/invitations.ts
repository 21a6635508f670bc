// Invitations: single-use links with which users register a passkey and sign in. Not part of the published interface. A
// user can have at most one invitation; a user who has lost all passkeys can be sent a new one. The link is shown only
// once, on creation.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { dateTime } from '../primitives.ts';
import { privilegesOfUser } from '../platform/referenced-objects.ts';

export const Invitation = z
  .object({
    uuid: z.string(),
    createdAt: dateTime(),
    /** Name of the user who created the invitation; absent if the platform created it. */
    createdBy: z.string().optional(),
    expiresAt: dateTime(),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.output<typeof Invitation>;

/** A newly created invitation, including the link to send to the user. */
export const IssuedInvitation = Invitation.extend({ url: z.string() }).meta({ id: 'IssuedInvitation' });
export type IssuedInvitation = z.output<typeof IssuedInvitation>;

export const invitationOperations = operations(
  { tag: 'Invitations', resource: 'users', module: 'auth', errors: objectErrors },
  {
    /** Contains at most one invitation. */
    listInvitations: {
      route: 'GET /x/v1/users/{userUuid}/invitations',
      summary: "List a user's usable invitations",
      answer: z.array(Invitation),
      access: { action: 'detail', object: 'userUuid' },
    },
    createInvitation: {
      route: 'POST /x/v1/users/{userUuid}/invitations',
      summary: "Invite a user to register a passkey; revokes the user's previous invitation",
      created: IssuedInvitation,
      errors: ruleErrors,
      access: { action: 'update', object: 'userUuid' },
      also: [privilegesOfUser],
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
