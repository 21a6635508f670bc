// SCEP profiles as the protocol server reads them on every request.
import type { Secret } from '../../kernel/secret.ts';
import { intuneAccountOf, type IntuneAccount } from './intune-accounts.ts';
import {
  createServedProfiles,
  type ProfileParts,
  type ServedProfile,
  type ServedProfiles,
} from '../protocol-profiles/index.ts';
import { openSecret } from './sealed-secrets.ts';
import type { ScepProfileRow } from './tables.ts';

/** Attributes carry secrets: never log a profile. */
export interface ServedScepProfile extends ServedProfile {
  /** The recipient of requests and signer of responses. */
  readonly caCertificateUuid: string;
  /** Days before the end; 0: the second half of the validity. */
  readonly renewalThresholdDays: number;
  /** How much of the chain a response carries with the certificate. */
  readonly sends: 'leaf' | 'issuer' | 'chain';
  readonly challengePassword: Secret | undefined;
  readonly allowsOldClients: boolean;
  readonly bindNames: boolean;
  readonly waitsForPerson: boolean;
  readonly oneTimeChallenges: boolean;
  /** Asked about each challenge; undefined: nobody is. */
  readonly challengeWebhookUrl: string | undefined;
  /** Validates requests instead of all challenges; undefined: it is not asked. */
  readonly intune: IntuneAccount | undefined;
}

export type ServedScepProfiles = ServedProfiles<ServedScepProfile>;

export const createServedScepProfiles = (parts: ProfileParts<ScepProfileRow>): ServedScepProfiles =>
  createServedProfiles(parts, (row, served) => ({
    ...served,
    caCertificateUuid: row.ca_certificate_uuid,
    renewalThresholdDays: row.renewal_threshold_days,
    sends: sentBy(row),
    challengePassword: openSecret(parts.platform.sealer, row, 'sealed_challenge_password'),
    allowsOldClients: row.allow_old_clients,
    bindNames: row.bind_names ?? false,
    waitsForPerson: row.require_manual_approval,
    oneTimeChallenges: row.one_time_challenges,
    challengeWebhookUrl: row.challenge_webhook_url ?? undefined,
    intune: intuneAccountOf(parts.platform.sealer, row),
  }));

const sentBy = (row: ScepProfileRow): ServedScepProfile['sends'] => {
  if (row.include_ca_certificate_chain) return 'chain';
  return row.include_ca_certificate ? 'issuer' : 'leaf';
};
