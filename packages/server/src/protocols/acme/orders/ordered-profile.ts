// The profile that an order is issued under (draft-ietf-acme-profiles-00): one of those that the directory offers, or
// the ACME profile as it is.
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import { refusal } from '../model/problems.ts';

/**
 * Reads "profile" of a new order; null: none is offered, or none is for what the ACME profile issues with anyway, which
 * is chosen for an order that names none (§4).
 */
export function readOrderedProfile(value: unknown, profile: ServedAcmeProfile): string | null {
  if (value === undefined)
    return profile.offeredProfiles.find(({ raProfile }) => raProfile.uuid === profile.raProfile?.uuid)?.name ?? null;
  if (typeof value !== 'string') throw refusal('malformed', '"profile" must be the name of a profile.');
  if (!profile.offeredProfiles.some(({ name }) => name === value)) throw notOffered(profile);
  return value;
}

/**
 * The ACME profile with the RA profile that an order chose. The issue attributes of the ACME profile are for its own RA
 * profile. Refuses a name that is not offered any more (§4).
 */
export function issuedUnder(profile: ServedAcmeProfile, ordered: string | null): ServedAcmeProfile {
  if (ordered === null) return profile;
  const offer = profile.offeredProfiles.find(({ name }) => name === ordered);
  if (!offer) throw notOffered(profile);
  if (offer.raProfile.uuid === profile.raProfile?.uuid) return profile;
  return { ...profile, raProfile: offer.raProfile, issueAttributes: [] };
}

function notOffered({ offeredProfiles }: ServedAcmeProfile) {
  const offered = offeredProfiles.map(({ name }) => name);
  return refusal(
    'invalidProfile',
    offered.length === 0
      ? 'This directory offers no profiles. Place the order without "profile".'
      : `This directory does not offer the profile of the order. It offers ${offered.join(', ')}.`,
  );
}
