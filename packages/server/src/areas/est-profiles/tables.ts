// Rows of profiles (migration 0091-est-profiles). Activation rows are the same for every protocol.
import type { ProtocolProfileRow, SettingsRowOf } from '../protocol-profiles/index.ts';
import type { estSettings } from './settings.ts';

/** As it is read; `version` is counted by the store. One profile at most is the default. */
export interface EstProfileRow extends ProtocolProfileRow, SettingsRowOf<typeof estSettings> {
  readonly usernames: string[];
  /** Null: the profile has no users with a password. */
  readonly sealed_passwords: string | null;
}
