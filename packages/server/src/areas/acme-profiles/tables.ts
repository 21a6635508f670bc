// Rows of profiles (migrations 0008-acme, 0024-acme-policies and 0026-acme-dns-challenges). Those of activations are
// the same for every protocol.
import type { ProtocolProfileRow, SettingsRowOf } from '../protocol-profiles/index.ts';
import type { acmeSettings } from './settings.ts';

/** As it is read; `version` is counted by the store. */
export type AcmeProfileRow = ProtocolProfileRow & SettingsRowOf<typeof acmeSettings>;
