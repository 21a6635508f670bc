// CMP profiles as read by the protocol server on every request.
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

/** Attributes contain secrets: never log a profile. */
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
