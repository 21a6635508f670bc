// Determines which operations wait for approval: all requests from users and protocol clients under an RA profile with
// an approval profile. Certificates that the platform itself requires (for HTTPS and OCSP responders) do not wait:
// after their expiry, no user could sign in to approve them.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';

/** Returns the approval profile to wait for, or undefined if no approval is required. */
export const approvalNeeded = (
  { approvalProfileUuid }: Pick<IssuingProfile, 'approvalProfileUuid'>,
  { actor }: RequestContext,
): string | undefined => (actor.type === 'core' ? undefined : (approvalProfileUuid ?? undefined));

/** Error for callers whose interface cannot report that an operation is waiting. */
export const waitsForApproval = (what: 'issuing' | 'revocation', certificateUuid: string): AppError =>
  new AppError(
    'unavailable',
    { reason: `the ${what} waits for approval and proceeds once it is approved` },
    { objectUuid: certificateUuid },
  );
