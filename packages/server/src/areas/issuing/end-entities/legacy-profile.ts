// Finds the RA profile named in a path. It must belong to a v1 authority and be visible to the caller.
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { IssuingProfile, RaProfiles } from '../../ra-profiles/index.ts';

type Profiles = Pick<RaProfiles, 'findByName' | 'forIssuingByUuid' | 'assertEnabled'>;

/** Returns the profile. Throws 404 for a profile that the caller cannot see, as for one that does not exist. */
export async function legacyProfile(raProfiles: Profiles, name: string, context: RequestContext) {
  const facts = await raProfiles.findByName(name);
  if (!facts || !isVisibleTo(facts, context)) throw notFound('RA profile', name);
  const profile = await raProfiles.forIssuingByUuid(facts.uuid);
  if (!profile.legacy) throw notFound('RA profile with end entities', name);
  raProfiles.assertEnabled(profile);
  return profile;
}

const isVisibleTo = (
  { uuid, authorityUuid }: { readonly uuid: string; readonly authorityUuid: string | null },
  { actor: { permissions } }: RequestContext,
): boolean =>
  isAllowed(permissions, 'raProfiles', 'detail', [uuid]) &&
  isAllowed(permissions, 'authorities', 'detail', authorityUuid === null ? [] : [authorityUuid]);

/** Rejects callers who cannot use the RA profile, because they must not access its certificates. */
export function assertMember({ uuid, name }: IssuingProfile, { actor }: RequestContext): void {
  if (!isAllowed(actor.permissions, 'raProfiles', 'members', [uuid])) throw notFound('RA profile', name);
}
