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

/** The attributes contain secrets, so a profile must never be logged. */
export interface ServedAcmeProfile extends ServedProfile, Omit<Settings, 'caaIdentities' | 'offeredProfiles'> {
  /** Issuer names that a CAA record can authorize, in lowercase; empty: CAA is not checked; undefined: the default. */
  readonly caaIdentities: readonly string[] | undefined;
  /**
   * Profiles that an order can choose. Empty under an RA profile's URL, because the URL already selects the RA profile.
   */
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
