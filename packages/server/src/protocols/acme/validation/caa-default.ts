// What CAA means for a profile whose administrator said nothing about it (ADR 0025): records of public names that give
// the issuance to others are respected, and nothing else stands in the way of a private authority. Pure.

import type { AcmeAdditionalChallenge } from '@signetry/contract';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { ValidationRules } from './challenge.ts';

export interface CaaSettings {
  /** By which CAA records know this authority under profiles that say nothing of it; undefined: they check none. */
  readonly defaultCaaIdentity?: () => string | undefined;
}

/** What a profile says of CAA, or the default. */
export function caaRulesOf(
  { caaIdentities }: Pick<ServedAcmeProfile, 'caaIdentities'>,
  { defaultCaaIdentity }: CaaSettings,
): Required<Pick<ValidationRules, 'caaIdentities' | 'isCaaByDefault'>> {
  if (caaIdentities !== undefined) return { caaIdentities, isCaaByDefault: false };
  const own = defaultCaaIdentity?.();
  return { caaIdentities: own === undefined ? [] : [own], isCaaByDefault: true };
}

/** More are not sent to clients (draft-ietf-acme-dns-persist-02 §3.1). */
const MAX_ISSUERS = 10;

/** What a profile adds to the challenges that all offer; the issuers of dns-persist-01 are those of its CAA records. */
export function offersOf(
  profile: Pick<ServedAcmeProfile, 'additionalChallenges' | 'caaIdentities'>,
  settings: CaaSettings,
): {
  readonly additionalChallenges: readonly AcmeAdditionalChallenge[];
  readonly issuerDomainNames: readonly string[];
} {
  const issuers = caaRulesOf(profile, settings).caaIdentities.slice(0, MAX_ISSUERS);
  const isPersistOffered = profile.additionalChallenges.includes('dns-persist-01') && issuers.length > 0;
  return {
    // The public URL, whose host is the issuer by default, may have lost its public name since the profile was edited.
    additionalChallenges: profile.additionalChallenges.filter((type) => type !== 'dns-persist-01' || isPersistOffered),
    issuerDomainNames: isPersistOffered ? issuers : [],
  };
}

/**
 * Whether the records of a domain are those of the organisation that runs the authority: its name is within the domain.
 * They were written for public authorities, and say nothing of the organisation's own.
 */
export const isOwnDomain = (domain: string, identities: readonly string[]): boolean =>
  identities.some((identity) => identity === domain || identity.endsWith(`.${domain}`));
