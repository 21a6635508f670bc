// Rows of profiles (migrations 0089-cmp-profiles, 0094-cmp-profile-keys, 0109-bound-names and 0110-mac-iterations).
// Activation rows are the same for every protocol.
import type { ProtocolProfileRow, SettingsRowOf } from '../protocol-profiles/index.ts';
import type { cmpSettings } from './settings.ts';

/** Row as read; the store increments `version`. */
export interface CmpProfileRow extends ProtocolProfileRow, SettingsRowOf<typeof cmpSettings> {
  /** In Base64; null if no request is protected with it. */
  readonly sealed_shared_secret: string | null;
}
