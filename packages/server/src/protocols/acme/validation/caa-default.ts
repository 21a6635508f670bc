// CAA defaults for profiles without CAA settings (ADR 0025): records of public names that authorize only other CAs are
// respected; nothing else restricts a private authority. Pure.

import type { AcmeAdditionalChallenge } from '@signetry/contract';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { ValidationRules } from './challenge.ts';

export interface CaaSettings {
  /**
   * Returns this authority's name in CAA records for profiles without CAA settings; if undefined, those profiles do not
   * check CAA.
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

/** Maximum number of issuers sent to clients (draft-ietf-acme-dns-persist-02 §3.1). */
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
    // The host in the public URL is the default issuer, and may have ceased to be a public name since the profile was
    // edited.
    additionalChallenges: profile.additionalChallenges.filter((type) => type !== 'dns-persist-01' || isPersistOffered),
    issuerDomainNames: isPersistOffered ? issuers : [],
  };
}

/**
 * Returns whether a domain's CAA records belong to the organization that runs this authority, because the authority's
 * name is within the domain. Such records were written for public CAs and do not concern the organization's own
 * authority.
 */
export const isOwnDomain = (domain: string, identities: readonly string[]): boolean =>
  identities.some((identity) => identity === domain || identity.endsWith(`.${domain}`));
