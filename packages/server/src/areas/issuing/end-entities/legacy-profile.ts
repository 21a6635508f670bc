// The RA profile that a path names by its name: of an authority of the first generation, and seen by the caller.
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { IssuingProfile, RaProfiles } from '../../ra-profiles/index.ts';

type Profiles = Pick<RaProfiles, 'findByName' | 'forIssuingByUuid' | 'assertEnabled'>;

/** 404 for a profile that the caller does not see, as for one that does not exist. */
export async function legacyProfile(raProfiles: Profiles, name: string, context: RequestContext) {
  const facts = await raProfiles.findByName(name);
  if (!facts || !isSeen(facts, context)) throw notFound('RA profile', name);
  const profile = await raProfiles.forIssuingByUuid(facts.uuid);
  if (!profile.legacy) throw notFound('RA profile with end entities', name);
  raProfiles.assertEnabled(profile);
  return profile;
}

const isSeen = (
  { uuid, authorityUuid }: { readonly uuid: string; readonly authorityUuid: string | null },
  { actor: { permissions } }: RequestContext,
): boolean =>
  isAllowed(permissions, 'raProfiles', 'detail', [uuid]) &&
  isAllowed(permissions, 'authorities', 'detail', authorityUuid === null ? [] : [authorityUuid]);

/** Certificates of an RA profile are only for callers that may use the profile. */
export function assertMember({ uuid, name }: IssuingProfile, { actor }: RequestContext): void {
  if (!isAllowed(actor.permissions, 'raProfiles', 'members', [uuid])) throw notFound('RA profile', name);
}
