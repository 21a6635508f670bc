// Checks whether an authority can still issue. Certificates below a revoked or expired CA are useless, so they are not
// requested.
import { AppError } from '../../../kernel/errors.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import type { Issuers, PathLink } from '../../certificates/index.ts';

/**
 * Throws an error that names the authority, the reason and the remedy. Missing information about a CA never causes a
 * rejection.
 */
export async function assertMayIssue(
  issuers: Pick<Issuers, 'pathOf'>,
  profile: Pick<IssuingProfile, 'authorityName' | 'caCertificateUuid'>,
  now: Date,
): Promise<void> {
  if (profile.caCertificateUuid === null) return;
  for (const [above, link] of (await issuers.pathOf(profile.caCertificateUuid)).entries()) {
    const problem = problemOf(link, now);
    if (problem === undefined) continue;
    throw new AppError('invalid_state', {
      what: 'Authority',
      name: profile.authorityName,
      state: `unable to issue certificates: ${above === 0 ? 'its CA certificate' : 'the CA above it'}, ${link.common_name || link.uuid}, ${problem}`,
      needed:
        above === 0
          ? 'a valid CA certificate: have its issuer issue a new one, or use an RA profile of a different authority'
          : 'valid CAs above it: use an RA profile of a different authority',
    });
  }
}

function problemOf({ state, revoked_at, revocation_reason, not_after }: PathLink, now: Date): string | undefined {
  if (state === 'revoked')
    return `was revoked on ${revoked_at?.toISOString() ?? 'an unknown date'} (${revocation_reason ?? 'unspecified'})`;
  return not_after !== null && not_after <= now ? `expired on ${not_after.toISOString()}` : undefined;
}
