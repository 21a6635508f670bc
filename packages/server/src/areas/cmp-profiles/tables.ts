// Row types for profiles (migrations 0089-cmp-profiles, 0094-cmp-profile-keys, 0109-bound-names, 0110-mac-iterations
// and 0118-cmp-protection-and-checks). Activation rows have the same columns for every protocol.
import type { ProtocolProfileRow, SettingsRowOf } from '../protocol-profiles/index.ts';
import type { cmpSettings } from './settings.ts';

/** A profile row as read from the database; the store increments `version`. */
export interface CmpProfileRow extends ProtocolProfileRow, SettingsRowOf<typeof cmpSettings> {
  /** Base64; null if requests are not protected with a shared secret. */
  readonly sealed_shared_secret: string | null;
}
