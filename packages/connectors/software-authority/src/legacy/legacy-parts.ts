// Dependencies of the end entity operations: the CA's parts, the stores, and an authority's profiles.
import type { ConnectorContext } from '@signetry/connector-sdk';
import type { SigningAuthority } from '../authorities/signing-authority.ts';
import type { ConnectorParts } from '../parts.ts';
import { gatherProblems } from '../problems.ts';
import { createProfileReader } from '../profiles/certificate-profile.ts';
import {
  DEFAULT_END_ENTITY_PROFILES,
  readEndEntityProfiles,
  requireProfile,
  type EndEntityProfile,
} from './end-entity-profiles.ts';
import { EndEntityStore } from './end-entity-store.ts';

export interface LegacyParts extends ConnectorParts {
  readonly context: ConnectorContext;
  readonly entities: EndEntityStore;
  readonly profileOf: ReturnType<typeof createProfileReader>;
}

export const createLegacyParts = (parts: ConnectorParts, context: ConnectorContext): LegacyParts => ({
  ...parts,
  context,
  entities: new EndEntityStore(context.storage),
  profileOf: createProfileReader(context.publicUrl),
});

export const profilesTextOf = async ({ entities }: LegacyParts, authorityUuid: string): Promise<string> =>
  (await entities.findProfiles(authorityUuid)) ?? DEFAULT_END_ENTITY_PROFILES;

/** Returns an authority's profiles, which were validated when they were stored. */
export const endEntityProfilesOf = async (
  parts: LegacyParts,
  authorityUuid: string,
): Promise<readonly EndEntityProfile[]> =>
  readEndEntityProfiles(await profilesTextOf(parts, authorityUuid), gatherProblems());

/**
 * Returns the authority in a path and its end entity profile, by identifier or name. Throws 404 if either does not
 * exist.
 */
export async function profileOfPath(
  parts: LegacyParts,
  authorityUuid: string,
  key: number | string,
): Promise<{ readonly authority: SigningAuthority; readonly profile: EndEntityProfile }> {
  const authority = await parts.registry.get(authorityUuid);
  return { authority, profile: requireProfile(await endEntityProfilesOf(parts, authorityUuid), key) };
}
