// dns-account-01 (draft-ietf-acme-dns-account-label): like dns-01, but at a name specific to the account, so that
// multiple accounts can prove control of one name at the same time.
import { ValidationFailure, type ChallengeToValidate } from './challenge.ts';
import { accountLabel } from './account-label.ts';
import { requireDigestAt } from './dns-texts.ts';
import { validatedName } from './identifier-form.ts';
import type { Attempt } from './attempt.ts';

/** Throws `ValidationFailure` unless a record below the label of one of the account's URLs matches. */
export async function validateDnsAccount01(challenge: ChallengeToValidate, attempt: Attempt): Promise<void> {
  const base = validatedName(challenge.identifier);
  let first: ValidationFailure | undefined;
  for (const url of challenge.accountUrls) {
    try {
      return await requireDigestAt(`_${accountLabel(url)}._acme-challenge.${base}`, challenge, attempt);
    } catch (error) {
      if (!(error instanceof ValidationFailure)) throw error;
      // The error for the first URL is reported, since that is the URL that the client knows.
      first ??= error;
    }
  }
  throw first ?? new Error('The account has no URL.');
}
