// CAA defaults for profiles without CAA settings (ADR 0025): records of public names that authorize only other CAs are
// respected; nothing else restricts a private authority. Pure.

import type { AcmeAdditionalChallenge } from '@signetry/contract';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { ValidationRules } from './challenge.ts';

export interface CaaSettings {
  /**
   * Returns the name of this authority in CAA records under profiles without CAA settings; undefined: those profiles do
   * not check CAA.
   */
  readonly defaultCaaIdentity?: () => string | undefined;
}

/** Returns the CAA settings of a profile, or the defaults. */
export function caaRulesOf(
  { caaIdentities }: Pick<ServedAcmeProfile, 'caaIdentities'>,
  { defaultCaaIdentity }: CaaSettings,
): Required<Pick<ValidationRules, 'caaIdentities' | 'isCaaByDefault'>> {
  if (caaIdentities !== undefined) return { caaIdentities, isCaaByDefault: false };
  const own = defaultCaaIdentity?.();
  return { caaIdentities: own === undefined ? [] : [own], isCaaByDefault: true };
}

/** Maximum number sent to clients (draft-ietf-acme-dns-persist-02 §3.1). */
const MAX_ISSUERS = 10;

/** Returns the additional challenges that a profile offers; the issuers for dns-persist-01 are its CAA identities. */
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
    // The public URL, whose host is the default issuer, may no longer have a public name since the profile was edited.
    additionalChallenges: profile.additionalChallenges.filter((type) => type !== 'dns-persist-01' || isPersistOffered),
    issuerDomainNames: isPersistOffered ? issuers : [],
  };
}

/**
 * Returns whether the CAA records of a domain belong to the organization that runs this authority: the authority's name
 * is within the domain. Such records were written for public CAs and do not concern the organization's own authority.
 */
export const isOwnDomain = (domain: string, identities: readonly string[]): boolean =>
  identities.some((identity) => identity === domain || identity.endsWith(`.${domain}`));
