// Profile rows (migration 0090-scep-profiles). Activation rows are the same for every protocol.
import type { ProtocolProfileRow, SettingsRowOf } from '../protocol-profiles/index.ts';
import type { scepSettings } from './settings.ts';

/** Row as read from the table. The store increments `version`. */
export interface ScepProfileRow extends ProtocolProfileRow, SettingsRowOf<typeof scepSettings> {
  /** Sealed password in Base64; empty if none is required. */
  readonly sealed_challenge_password: string | null;
  /** Sealed application key in Base64. */
  readonly sealed_intune_application_key: string | null;
}
