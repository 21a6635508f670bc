// May an authority still issue? A certificate below a CA that is revoked or has expired is good for nobody, so it is
// not even asked for.
import { AppError } from '../../../kernel/errors.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import type { Issuers, PathLink } from '../../certificates/index.ts';

/**
 * Refuses, naming the authority, what happened to it and what helps. What the platform does not know of a CA refuses
 * nothing.
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
      state: `out of service for issuing: ${above === 0 ? 'its CA certificate' : 'the CA above it'}, ${link.common_name || link.uuid}, ${problem}`,
      needed:
        above === 0
          ? 'a CA certificate that is good: have its issuer issue a new one, or use the RA profile of another authority'
          : 'CAs above it that are good: use the RA profile of another authority',
    });
  }
}

function problemOf({ state, revoked_at, revocation_reason, not_after }: PathLink, now: Date): string | undefined {
  if (state === 'revoked')
    return `was revoked on ${revoked_at?.toISOString() ?? 'an unknown day'} (${revocation_reason ?? 'unspecified'})`;
  return not_after !== null && not_after <= now ? `expired on ${not_after.toISOString()}` : undefined;
}
