// Rows of profiles (migrations 0089-cmp-profiles, 0094-cmp-profile-keys, 0109-bound-names and 0110-mac-iterations).
// Those of activations are the same for every protocol.
import type { CmpProfileVariant, ProtectionMethod } from '@signetry/contract';
import type { ProtocolProfileRow } from '../protocol-profiles/index.ts';

/** As it is read; `version` is counted by the store. */
export interface CmpProfileRow extends ProtocolProfileRow {
  readonly variant: CmpProfileVariant;
  readonly request_protection: ProtectionMethod;
  readonly response_protection: ProtectionMethod;
  /** Base64; empty where no request is protected with it. */
  readonly sealed_shared_secret: string | null;
  readonly signing_certificate_uuid: string | null;
  readonly implicit_confirmation: boolean;
  readonly one_time_secrets: boolean;
  /** Base64 of DER. */
  readonly trusted_authorities: string[];
  readonly registration_authorities: string[];
  readonly require_manual_approval: boolean;
  readonly central_keys: boolean;
  /** Null: nobody has decided since the setting exists. */
  readonly bind_names: boolean | null;
  readonly max_mac_iterations: number;
}
