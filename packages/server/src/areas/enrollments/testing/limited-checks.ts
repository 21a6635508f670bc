// Credential checks for protocol tests: rejects after a number of wrong credentials, counted in memory.
import { AppError } from '../../../kernel/errors.ts';
import { limited, noRateLimits, type RateLimit } from '../../../platform/limits/rate-limits.ts';
import { createCredentialChecks, type CheckCredential } from '../credential-checks.ts';

export function checksAfter(count: number): CheckCredential {
  const { what } = limited.failedEnrollmentsOfProfile;
  let taken = 0;
  const take: RateLimit['take'] = async () => {
    taken += 1;
    if (taken > count) throw new AppError('too_many_requests', { what, retryAfterS: 9 });
  };
  const failedEnrollmentsOfProfile = { ...noRateLimits.failedEnrollmentsOfProfile, take };
  return createCredentialChecks({ limits: { ...noRateLimits, failedEnrollmentsOfProfile }, pauseMs: 0 });
}
