// dns-01 (RFC 8555 §8.4): a TXT record below the name holds the digest of the key authorization.
import { createHash } from 'node:crypto';
import { ValidationFailure, type ChallengeToValidate } from './challenge.ts';
import { validatedName } from './identifier-form.ts';
import { LookupFailure } from './lookup-failure.ts';
import type { Attempt } from './attempt.ts';

/** Throws `ValidationFailure` unless one of the records fits. */
export async function validateDns01(challenge: ChallengeToValidate, { dns, rules, signal }: Attempt): Promise<void> {
  const name = `_acme-challenge.${validatedName(challenge.identifier)}`;
  const { records } = await dns.texts(name, { resolver: rules.resolver, signal }).catch((error: unknown) => {
    throw error instanceof LookupFailure ? error.toValidationFailure(`the TXT records of ${name}`) : error;
  });
  const expected = createHash('sha256').update(challenge.keyAuthorization).digest('base64url');
  if (records.includes(expected)) return;
  // Records need time to reach every server of a zone, so both may be different soon.
  throw records.length === 0
    ? new ValidationFailure({ type: 'dns', detail: `There is no TXT record at ${name}.`, mayChange: true })
    : new ValidationFailure({
        type: 'incorrectResponse',
        detail: `None of the TXT records at ${name} holds the digest of this challenge's key authorization.`,
        mayChange: true,
      });
}
