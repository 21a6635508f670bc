// Which operations wait for approval: all that people and protocol clients ask for under an RA profile with an approval
// profile. What the platform needs for itself (its HTTPS certificate, those of OCSP responders) does not wait: nobody
// could sign in to approve it once it had expired.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';

/** The approval profile to wait for; undefined where nothing waits. */
export const approvalNeeded = (
  { approvalProfileUuid }: Pick<IssuingProfile, 'approvalProfileUuid'>,
  { actor }: RequestContext,
): string | undefined => (actor.type === 'core' ? undefined : (approvalProfileUuid ?? undefined));

/** For callers whose interface cannot say that something waits. */
export const waitsForApproval = (what: 'issuing' | 'revocation', certificateUuid: string): AppError =>
  new AppError(
    'unavailable',
    { reason: `the ${what} waits for approval and is carried out once it is approved` },
    { objectUuid: certificateUuid },
  );
