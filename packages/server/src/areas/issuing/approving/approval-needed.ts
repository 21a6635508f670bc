// Determines which operations wait for approval: all requests from users and protocol clients under an RA profile with
// an approval profile. Certificates that the platform itself requires (for HTTPS and OCSP responders) do not wait,
// because no user could sign in to approve them once they have expired.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';

/** Returns the approval profile to wait for, or undefined if no approval is required. */
export const approvalNeeded = (
  { approvalProfileUuid }: Pick<IssuingProfile, 'approvalProfileUuid'>,
  { actor }: RequestContext,
): string | undefined => (actor.type === 'core' ? undefined : (approvalProfileUuid ?? undefined));

/** Returns the error for callers whose interface cannot report that an operation is waiting for approval. */
export const awaitingApprovalError = (what: 'issuing' | 'revocation', certificateUuid: string): AppError =>
  new AppError(
    'unavailable',
    { reason: `the ${what} waits for approval and proceeds once it is approved` },
    { objectUuid: certificateUuid },
  );
