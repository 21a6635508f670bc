// TXT records for DNS challenges.
import { createHash } from 'node:crypto';
import { ValidationFailure, type ChallengeToValidate } from './challenge.ts';
import { LookupFailure } from './lookup-failure.ts';
import type { Attempt } from './attempt.ts';

type LookupContext = Pick<Attempt, 'dns' | 'rules' | 'signal'>;

/** Returns the TXT records at a name, possibly none; throws `ValidationFailure` if they cannot be determined. */
export async function textsAt(name: string, { dns, rules, signal }: LookupContext): Promise<readonly string[]> {
  const { records } = await dns.texts(name, { resolver: rules.resolver, signal }).catch((error: unknown) => {
    throw error instanceof LookupFailure ? error.toValidationFailure(`the TXT records of ${name}`) : error;
  });
  return records;
}

export const noRecordAt = (name: string): ValidationFailure =>
  // Records need time to propagate to all of a zone's servers, so a missing record may appear soon.
  new ValidationFailure({ type: 'dns', detail: `There is no TXT record at ${name}.`, mayChange: true });

/** Throws `ValidationFailure` unless a record at the name contains the digest of the key authorization. */
export async function requireDigestAt(
  name: string,
  { keyAuthorization }: ChallengeToValidate,
  means: LookupContext,
): Promise<void> {
  const records = await textsAt(name, means);
  if (records.includes(createHash('sha256').update(keyAuthorization).digest('base64url'))) return;
  if (records.length === 0) throw noRecordAt(name);
  throw new ValidationFailure({
    type: 'incorrectResponse',
    detail: `None of the TXT records at ${name} contains the digest of this challenge's key authorization.`,
    mayChange: true,
  });
}
