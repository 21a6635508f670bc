// Accepts an invitation with a provider's identity instead of a passkey; from then on, the invited user signs in with
// that identity. The invitation proves who the user is, which a name in a token could not. The invitation is consumed.
import { newUuid } from '../../../kernel/ids.ts';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { asUser } from '../credentials/open-session.ts';
import * as invitations from '../credentials/store-invitations.ts';
import { SignInRejected } from '../providers/verify-token.ts';
import type { UserRow } from '../tables.ts';
import type { Administration } from '../users/administration.ts';
import * as users from '../users/store.ts';
import * as store from './store.ts';

export interface InvitedSignIn {
  /** Hash of the secret in the link. */
  readonly invitationSha256: Uint8Array;
  readonly provider: string;
  readonly identity: store.Subject;
  readonly context: RequestContext;
}

export type LinkInvited = (arrival: InvitedSignIn) => Promise<UserRow>;

/**
 * Links the identity to the invited user. Throws `SignInRejected`, without consuming anything, unless the invitation is
 * valid and the identity is not linked to a different user.
 */
export const createLinkInvited =
  (
    { clock }: Pick<Platform, 'clock'>,
    { audit, administration }: { readonly audit: AuditTrail; readonly administration: Administration },
  ): LinkInvited =>
  ({ invitationSha256, provider, identity, context }) =>
    administration.change(async (tx) => {
      const now = clock.now();
      const invitation = await invitations.claim(tx, { tokenSha256: invitationSha256, now });
      const user = invitation && (await users.findOne(tx, invitation.user_uuid));
      if (!invitation || !user?.enabled)
        throw new SignInRejected('the invitation was used or replaced in the meantime, or is no longer valid');
      const { issuer, subject } = identity;
      const linked = await store.findIdentity(tx, identity);
      if (linked && linked.user_uuid !== user.uuid)
        throw new SignInRejected(
          `the invitation is for ${user.username}, but the subject ${subject} is already linked to another user`,
        );
      if (!linked)
        await store.insertIdentity(tx, {
          uuid: newUuid(),
          issuer_url: issuer,
          subject,
          user_uuid: user.uuid,
          created_at: now,
        });
      await audit.append(tx, asUser(context, user), {
        facts: { module: 'auth', resource: 'users', operation: 'register' },
        objects: [{ uuid: user.uuid, name: user.username }],
        data: { linked: { provider, subject }, invitation: { uuid: invitation.uuid } },
      });
      return user;
    });
