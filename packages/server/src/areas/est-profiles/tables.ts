// Rows of profiles (migration 0091-est-profiles). Those of activations are the same for every protocol.
import type { EstRequestedAttributes } from '@signetry/contract';
import type { ProtocolProfileRow } from '../protocol-profiles/index.ts';

/** As it is read; `version` is counted by the store. */
export interface EstProfileRow extends ProtocolProfileRow {
  /** Served without a label, too; one at most. */
  readonly is_default: boolean;
  readonly own_certificates: boolean;
  readonly trusted_certificate_uuids: string[];
  readonly one_time_passwords: boolean;
  readonly passwords_renew: boolean;
  readonly renewals_keep_names: boolean;
  /** Null: nobody has decided since the setting exists. */
  readonly bind_names: boolean | null;
  readonly require_linking: boolean;
  readonly requested_attributes: EstRequestedAttributes;
  readonly manual_approval: boolean;
  readonly server_keys: boolean;
  readonly retry_after_s: number;
  readonly usernames: string[];
  /** Null: nobody has a password of the profile. */
  readonly sealed_passwords: string | null;
}
