// EST profiles as the protocol server reads them for every request.
import {
  createServedProfiles,
  type ProfileParts,
  type ServedProfile,
  type ServedProfiles,
  type ServedSettingsOf,
} from '../protocol-profiles/index.ts';
import { openPasswords, type Passwords } from './passwords.ts';
import { estSettings } from './settings.ts';
import type { EstProfileRow } from './tables.ts';

/** A profile contains secrets and must never be logged. */
export interface ServedEstProfile extends ServedProfile, ServedSettingsOf<typeof estSettings> {
  readonly passwords: Passwords;
}

export interface ServedEstProfiles extends ServedProfiles<ServedEstProfile> {
  /** Returns the name of the profile that is served without a label. */
  defaultName(): Promise<string | undefined>;
}

export const createServedEstProfiles = (parts: ProfileParts<EstProfileRow>): ServedEstProfiles => ({
  ...createServedProfiles(parts, (row, served) => Promise.resolve(toServedProfile(parts, row, served))),
  defaultName: async () =>
    (await parts.profiles.findAll(parts.platform.database.executor)).find((row) => row.is_default)?.name,
});

const toServedProfile = (
  { platform: { sealer } }: ProfileParts<EstProfileRow>,
  row: EstProfileRow,
  served: ServedProfile,
): ServedEstProfile => ({
  ...served,
  ...estSettings.serve(row),
  passwords: openPasswords(sealer, row),
});
