// Rows of profiles (migration 0090-scep-profiles). Those of activations are the same for every protocol.
import type { ProtocolProfileRow } from '../protocol-profiles/index.ts';

/** As it is read; `version` is counted by the store. */
export interface ScepProfileRow extends ProtocolProfileRow {
  readonly ca_certificate_uuid: string;
  /** Days; 0: the second half of the validity. */
  readonly renewal_threshold_days: number;
  readonly include_ca_certificate: boolean;
  readonly include_ca_certificate_chain: boolean;
  /** Base64 of the sealed password; empty where none is needed. */
  readonly sealed_challenge_password: string | null;
  readonly enable_intune: boolean;
  readonly intune_tenant: string | null;
  readonly intune_application_id: string | null;
  /** Base64. */
  readonly sealed_intune_application_key: string | null;
  readonly allow_old_clients: boolean;
  /** Null: nobody has decided since the setting exists. */
  readonly bind_names: boolean | null;
  readonly require_manual_approval: boolean;
  readonly one_time_challenges: boolean;
  readonly challenge_webhook_url: string | null;
}
