// ACME profiles as the protocol server reads them on every request.
import {
  createServedProfiles,
  type ProfileParts,
  type ServedProfile,
  type ServedProfiles,
  type ServedSettingsOf,
} from '../protocol-profiles/index.ts';
import { serveOffers, type ServedOffer } from './offered-profiles.ts';
import { acmeSettings } from './settings.ts';
import type { AcmeProfileRow } from './tables.ts';

type Settings = ServedSettingsOf<typeof acmeSettings>;

/** Attributes carry secrets: never log a profile. */
export interface ServedAcmeProfile extends ServedProfile, Omit<Settings, 'caaIdentities' | 'offeredProfiles'> {
  /** Names that a CAA record may permit, in lower case; none: CAA is not checked; undefined: the default. */
  readonly caaIdentities: readonly string[] | undefined;
  /** What an order may choose; nothing under the name of an RA profile, which is chosen by that. */
  readonly offeredProfiles: readonly ServedOffer[];
}

export type ServedAcmeProfiles = ServedProfiles<ServedAcmeProfile>;

export const createServedAcmeProfiles = (parts: ProfileParts<AcmeProfileRow>): ServedAcmeProfiles =>
  createServedProfiles(parts, async (row, served) => ({
    ...served,
    ...acmeSettings.serve(row),
    caaIdentities: row.caa_by_default ? undefined : row.caa_identities,
    offeredProfiles: served.family === 'profile' ? await serveOffers(parts.raProfiles, row.offered_profiles) : [],
  }));
