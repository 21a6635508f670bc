// dns-01 (RFC 8555 §8.4): a TXT record below the name contains the digest of the key authorization.
import type { ChallengeToValidate } from './challenge.ts';
import { requireDigestAt } from './dns-texts.ts';
import { validatedName } from './identifier-form.ts';
import type { Attempt } from './attempt.ts';

/** Throws `ValidationFailure` unless one of the records matches. */
export const validateDns01 = (challenge: ChallengeToValidate, attempt: Attempt): Promise<void> =>
  requireDigestAt(`_acme-challenge.${validatedName(challenge.identifier)}`, challenge, attempt);
