// Profile under which an order is issued (draft-ietf-acme-profiles-00): one that the directory offers, or the ACME
// profile itself.
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import { rejection } from '../model/problems.ts';

/**
 * Parses the "profile" member of a new order. If it is absent, selects the offered profile with the same RA profile as
 * the ACME profile (§4); null if there is no such profile.
 */
export function readOrderedProfile(value: unknown, profile: ServedAcmeProfile): string | null {
  if (value === undefined)
    return profile.offeredProfiles.find(({ raProfile }) => raProfile.uuid === profile.raProfile?.uuid)?.name ?? null;
  if (typeof value !== 'string') throw rejection('malformed', '"profile" must be the name of a profile.');
  if (!profile.offeredProfiles.some(({ name }) => name === value)) throw notOffered(profile);
  return value;
}

/**
 * Returns the ACME profile with the RA profile that the order selected. The ACME profile's issuance attributes apply
 * only to its own RA profile. Rejects a name that is no longer offered (§4).
 */
export function issuingProfileFor(profile: ServedAcmeProfile, ordered: string | null): ServedAcmeProfile {
  if (ordered === null) return profile;
  const offer = profile.offeredProfiles.find(({ name }) => name === ordered);
  if (!offer) throw notOffered(profile);
  if (offer.raProfile.uuid === profile.raProfile?.uuid) return profile;
  return { ...profile, raProfile: offer.raProfile, issueAttributes: [] };
}

function notOffered({ offeredProfiles }: ServedAcmeProfile) {
  const offered = offeredProfiles.map(({ name }) => name);
  return rejection(
    'invalidProfile',
    offered.length === 0
      ? 'This directory does not offer profiles. Place the order without "profile".'
      : `This directory does not offer the profile of the order. Available profiles: ${offered.join(', ')}.`,
  );
}
