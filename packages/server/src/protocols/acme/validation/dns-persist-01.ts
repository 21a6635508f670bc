// dns-persist-01 (draft-ietf-acme-dns-persist-02): a TXT record at the name, or one with `policy=wildcard` at a parent
// domain, names this authority and the account. The record remains in place and is read again for every proof.
import { ValidationFailure, type ChallengeToValidate, type Proof } from './challenge.ts';
import { noRecordAt, textsAt } from './dns-texts.ts';
import { isWildcard, validatedName } from './identifier-form.ts';
import { evaluateRecords, type PersistRejection } from './persist-record.ts';
import type { ProblemType } from '../model/vocabulary.ts';
import type { Attempt } from './attempt.ts';

const LABEL = '_validation-persist';
/** Maximum number of domains checked, including the name itself: each requires a separate query. */
const MAX_DOMAINS = 8;

/** Throws `ValidationFailure` unless one of the records matches. */
export async function validateDnsPersist01(challenge: ChallengeToValidate, attempt: Attempt): Promise<Proof> {
  const { issuerDomainNames } = attempt.rules;
  if (issuerDomainNames.length === 0) throw failureOf('switchedOff', '');
  const name = validatedName(challenge.identifier);
  let closest: { readonly domain: string; readonly why: PersistRejection } | undefined;
  for (const domain of domainsOf(name)) {
    const found = evaluateRecords(await textsAt(`${LABEL}.${domain}`, attempt), {
      domain,
      needsWildcardPolicy: domain !== name || isWildcard(challenge.identifier),
      issuerDomainNames,
      account: challenge,
      now: attempt.clock.now(),
    });
    if (found.fits) return { validUntil: found.validUntil };
    // Report the closest domain with a record for this authority, or else the name itself.
    if (closest === undefined || (isUnrelated(closest.why) && !isUnrelated(found.why)))
      closest = { domain, why: found.why };
  }
  throw failureOf(closest?.why ?? 'noRecord', `${LABEL}.${closest?.domain ?? name}`, issuerDomainNames);
}

const isUnrelated = (why: PersistRejection): boolean => ['noRecord', 'unreadable', 'otherIssuer'].includes(why);

/**
 * Returns the name and its parent domains, except the top-level domain, whose operator has no authority over the names
 * below it.
 */
function domainsOf(name: string): readonly string[] {
  const labels = name.split('.');
  const above = Array.from({ length: Math.max(0, labels.length - 2) }, (_, at) => labels.slice(at + 1).join('.'));
  return [name, ...above].slice(0, MAX_DOMAINS);
}

const REFUSALS: Readonly<
  Record<Exclude<PersistRejection, 'noRecord'> | 'switchedOff', readonly [type: ProblemType, detail: string]>
> = {
  switchedOff: ['unauthorized', 'The ACME profile no longer offers dns-persist-01, or has no issuer names.'],
  unreadable: ['malformed', 'None of the TXT records at NAME is a valid issue-value (RFC 8659 §4.2).'],
  otherIssuer: ['unauthorized', 'No TXT record at NAME names this authority, which is identified as ISSUERS.'],
  malformed: [
    'malformed',
    'The TXT record at NAME for this authority must have one accounturi (the account URL or a sha-256 account hash), and at most one policy and one persistUntil (Unix time in seconds).',
  ],
  otherAccount: ['unauthorized', 'No TXT record at NAME for this authority names this account or one of its keys.'],
  noWildcard: [
    'unauthorized',
    'The TXT record at NAME applies only to that domain; wildcards and subdomains require policy=wildcard.',
  ],
  expired: ['unauthorized', 'The persistUntil time of the TXT record at NAME has passed.'],
};

/**
 * Returns the failure to report. DNS records can change at any time, so a retry may succeed unless the profile does not
 * offer the challenge.
 */
function failureOf(
  why: PersistRejection | 'switchedOff',
  name: string,
  issuers: readonly string[] = [],
): ValidationFailure {
  if (why === 'noRecord') return noRecordAt(name);
  const [type, text] = REFUSALS[why];
  const detail = text.replace('NAME', name).replace('ISSUERS', issuers.join(' or '));
  return new ValidationFailure({ type, detail, mayChange: why !== 'switchedOff' });
}
