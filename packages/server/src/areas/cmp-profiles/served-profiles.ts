// CMP profiles as the protocol server reads them on every request.
import type { Secret } from '../../kernel/secret.ts';
import {
  createServedProfiles,
  type ProfileParts,
  type ServedProfile,
  type ServedProfiles,
  type ServedSettingsOf,
} from '../protocol-profiles/index.ts';
import { cmpSettings } from './settings.ts';
import { openSharedSecret } from './shared-secret.ts';
import type { CmpProfileRow } from './tables.ts';

/** The attributes contain secrets, so a profile must never be logged. */
export interface ServedCmpProfile extends ServedProfile, ServedSettingsOf<typeof cmpSettings> {
  readonly sharedSecret: Secret | undefined;
}

/** Returns whether the profile enrolls base stations (3GPP TS 33.310 §9). */
export const isForBaseStations = ({ variant }: ServedCmpProfile): boolean => variant === 'v2_3gpp';

export type ServedCmpProfiles = ServedProfiles<ServedCmpProfile>;

export const createServedCmpProfiles = (parts: ProfileParts<CmpProfileRow>): ServedCmpProfiles =>
  createServedProfiles(parts, (row, served) => ({
    ...served,
    ...cmpSettings.serve(row),
    sharedSecret: openSharedSecret(parts.platform.sealer, row),
  }));
