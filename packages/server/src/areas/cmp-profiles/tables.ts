// Rows of profiles (migrations 0089-cmp-profiles, 0094-cmp-profile-keys, 0109-bound-names and 0110-mac-iterations).
// Those of activations are the same for every protocol.
import type { ProtocolProfileRow, SettingsRowOf } from '../protocol-profiles/index.ts';
import type { cmpSettings } from './settings.ts';

/** As it is read; `version` is counted by the store. */
export interface CmpProfileRow extends ProtocolProfileRow, SettingsRowOf<typeof cmpSettings> {
  /** Base64; empty where no request is protected with it. */
  readonly sealed_shared_secret: string | null;
}
