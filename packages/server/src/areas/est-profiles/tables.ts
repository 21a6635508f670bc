// Row types for profiles (migration 0091-est-profiles). Activation rows have the same columns for every protocol.
import type { ProtocolProfileRow, SettingsRowOf } from '../protocol-profiles/index.ts';
import type { estSettings } from './settings.ts';

/** A profile row as read from the database; the store increments `version`. At most one profile is the default. */
export interface EstProfileRow extends ProtocolProfileRow, SettingsRowOf<typeof estSettings> {
  readonly usernames: string[];
  /** Null if the profile has no users with a password. */
  readonly sealed_passwords: string | null;
}
