// SCEP profiles as the protocol server reads them for every request.
import type { Secret } from '../../kernel/secret.ts';
import { intuneAccountOf, type IntuneAccount } from './intune-accounts.ts';
import {
  createServedProfiles,
  type ProfileParts,
  type ServedProfile,
  type ServedProfiles,
  type ServedSettingsOf,
} from '../protocol-profiles/index.ts';
import { openSecret } from './sealed-secrets.ts';
import { scepSettings } from './settings.ts';
import type { ScepProfileRow } from './tables.ts';

/** Attributes contain secrets: never log a profile. */
export interface ServedScepProfile extends ServedProfile, ServedSettingsOf<typeof scepSettings> {
  /** Which part of the certificate's chain a response contains. */
  readonly sends: 'leaf' | 'issuer' | 'chain';
  readonly challengePassword: Secret | undefined;
  /** If set, Intune validates requests instead of the other challenge methods. */
  readonly intune: IntuneAccount | undefined;
}

export type ServedScepProfiles = ServedProfiles<ServedScepProfile>;

export const createServedScepProfiles = (parts: ProfileParts<ScepProfileRow>): ServedScepProfiles =>
  createServedProfiles(parts, (row, served) => ({
    ...served,
    ...scepSettings.serve(row),
    sends: sentBy(row),
    challengePassword: openSecret(parts.platform.sealer, row, 'sealed_challenge_password'),
    intune: intuneAccountOf(parts.platform.sealer, row),
  }));

const sentBy = (row: ScepProfileRow): ServedScepProfile['sends'] => {
  if (row.include_ca_certificate_chain) return 'chain';
  return row.include_ca_certificate ? 'issuer' : 'leaf';
};
