// EST profiles as the protocol server reads them on every request.
import type { EstRequestedAttributes } from '@signetry/contract';
import {
  createServedProfiles,
  type ProfileParts,
  type ServedProfile,
  type ServedProfiles,
} from '../protocol-profiles/index.ts';
import { openPasswords, type Passwords } from './passwords.ts';
import type { EstProfileRow } from './tables.ts';

/** Carries secrets: never log a profile. */
export interface ServedEstProfile extends ServedProfile {
  readonly ownCertificates: boolean;
  readonly trustedCertificateUuids: readonly string[];
  readonly oneTimePasswords: boolean;
  readonly passwordsRenew: boolean;
  readonly renewalsKeepNames: boolean;
  readonly bindNames: boolean;
  readonly requireLinking: boolean;
  readonly requestedAttributes: EstRequestedAttributes;
  readonly manualApproval: boolean;
  readonly serverKeys: boolean;
  readonly retryAfterS: number;
  readonly passwords: Passwords;
}

export interface ServedEstProfiles extends ServedProfiles<ServedEstProfile> {
  /** The name of the profile that is served without a label. */
  defaultName(): Promise<string | undefined>;
}

export const createServedEstProfiles = (parts: ProfileParts<EstProfileRow>): ServedEstProfiles => ({
  ...createServedProfiles(parts, (row, served) => Promise.resolve(completed(parts, row, served))),
  defaultName: async () =>
    (await parts.profiles.findAll(parts.platform.database.executor)).find((row) => row.is_default)?.name,
});

const completed = (
  { platform: { sealer } }: ProfileParts<EstProfileRow>,
  row: EstProfileRow,
  served: ServedProfile,
): ServedEstProfile => ({
  ...served,
  ownCertificates: row.own_certificates,
  trustedCertificateUuids: row.trusted_certificate_uuids,
  oneTimePasswords: row.one_time_passwords,
  passwordsRenew: row.passwords_renew,
  renewalsKeepNames: row.renewals_keep_names,
  bindNames: row.bind_names ?? false,
  requireLinking: row.require_linking,
  requestedAttributes: row.requested_attributes,
  manualApproval: row.manual_approval,
  serverKeys: row.server_keys,
  retryAfterS: row.retry_after_s,
  passwords: openPasswords(sealer, row),
});
