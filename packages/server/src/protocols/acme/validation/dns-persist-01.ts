// dns-persist-01 (draft-ietf-acme-dns-persist-02): a TXT record of the name, or with `policy=wildcard` of a domain
// above it, names this authority and the account. It stays where it is, and is read anew for every proof.
import { ValidationFailure, type ChallengeToValidate, type Proof } from './challenge.ts';
import { noRecordAt, textsAt } from './dns-texts.ts';
import { isWildcard, validatedName } from './identifier-form.ts';
import { judgeRecords, type PersistRefusal } from './persist-record.ts';
import type { ProblemType } from '../model/vocabulary.ts';
import type { Attempt } from './attempt.ts';

const LABEL = '_validation-persist';
/** Domains that are looked at, the name itself included: each is a question of its own. */
const MAX_DOMAINS = 8;

/** Throws `ValidationFailure` unless one of the records fits. */
export async function validateDnsPersist01(challenge: ChallengeToValidate, attempt: Attempt): Promise<Proof> {
  const { issuerDomainNames } = attempt.rules;
  if (issuerDomainNames.length === 0) throw failureOf('switchedOff', '');
  const name = validatedName(challenge.identifier);
  let closest: { readonly domain: string; readonly why: PersistRefusal } | undefined;
  for (const domain of domainsOf(name)) {
    const found = judgeRecords(await textsAt(`${LABEL}.${domain}`, attempt), {
      domain,
      needsWildcardPolicy: domain !== name || isWildcard(challenge.identifier),
      issuerDomainNames,
      account: challenge,
      now: attempt.clock.now(),
    });
    if (found.fits) return { validUntil: found.validUntil };
    // Of the closest domain with a record for this authority, else of the name itself.
    if (closest === undefined || (isOfOthers(closest.why) && !isOfOthers(found.why)))
      closest = { domain, why: found.why };
  }
  throw failureOf(closest?.why ?? 'noRecord', `${LABEL}.${closest?.domain ?? name}`, issuerDomainNames);
}

const isOfOthers = (why: PersistRefusal): boolean => ['noRecord', 'unreadable', 'otherIssuer'].includes(why);

/** The name, and the domains above it, but no top-level domain: whoever runs that has no business below it. */
function domainsOf(name: string): readonly string[] {
  const labels = name.split('.');
  const above = Array.from({ length: Math.max(0, labels.length - 2) }, (_, at) => labels.slice(at + 1).join('.'));
  return [name, ...above].slice(0, MAX_DOMAINS);
}

const REFUSALS: Readonly<
  Record<Exclude<PersistRefusal, 'noRecord'> | 'switchedOff', readonly [type: ProblemType, detail: string]>
> = {
  switchedOff: ['unauthorized', 'The ACME profile does not offer dns-persist-01 any more, or has no issuer names.'],
  unreadable: ['malformed', 'None of the TXT records at NAME has the form of an issue-value (RFC 8659 §4.2).'],
  otherIssuer: ['unauthorized', 'No TXT record at NAME names this authority, which is ISSUERS.'],
  malformed: [
    'malformed',
    'The TXT record at NAME for this authority needs one accounturi, in the form of the account URL or of a sha-256 account hash, and at most one policy and one persistUntil, in seconds since 1970.',
  ],
  otherAccount: ['unauthorized', 'No TXT record at NAME for this authority names this account or a key of it.'],
  noWildcard: [
    'unauthorized',
    'The TXT record at NAME is good for that domain alone: wildcards and names below it need policy=wildcard.',
  ],
  expired: ['unauthorized', 'The persistUntil of the TXT record at NAME has passed.'],
};

/** The zone can be changed at any moment, so everything but the profile may be different soon. */
function failureOf(
  why: PersistRefusal | 'switchedOff',
  name: string,
  issuers: readonly string[] = [],
): ValidationFailure {
  if (why === 'noRecord') return noRecordAt(name);
  const [type, text] = REFUSALS[why];
  const detail = text.replace('NAME', name).replace('ISSUERS', issuers.join(' or '));
  return new ValidationFailure({ type, detail, mayChange: why !== 'switchedOff' });
}
