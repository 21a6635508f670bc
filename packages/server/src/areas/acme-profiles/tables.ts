// Profile rows (migrations 0008-acme, 0024-acme-policies, 0026-acme-dns-challenges and 0122-acme-external-accounts).
// Activation rows are the same for every protocol.
import type { ProtocolProfileRow, SettingsRowOf } from '../protocol-profiles/index.ts';
import type { acmeSettings } from './settings.ts';

/** Row as read; the store increments `version`. */
export type AcmeProfileRow = ProtocolProfileRow & SettingsRowOf<typeof acmeSettings>;
