// Rows of profiles (migration 0090-scep-profiles). Those of activations are the same for every protocol.
import type { ProtocolProfileRow, SettingsRowOf } from '../protocol-profiles/index.ts';
import type { scepSettings } from './settings.ts';

/** As it is read; `version` is counted by the store. */
export interface ScepProfileRow extends ProtocolProfileRow, SettingsRowOf<typeof scepSettings> {
  /** Base64 of the sealed password; empty where none is needed. */
  readonly sealed_challenge_password: string | null;
  /** Base64. */
  readonly sealed_intune_application_key: string | null;
}
