// Presents external account binding keys in the API format, always without the MAC key.
import type { AcmeEabKey, AcmeEabKeyState } from '@signetry/contract';
import type { AcmeEabKeyRow } from './tables.ts';

export function stateOf(row: AcmeEabKeyRow, now: Date): AcmeEabKeyState {
  if (row.revoked_at !== null) return 'revoked';
  if (row.expires_at !== null && row.expires_at <= now) return 'expired';
  return row.accounts_bound > 0 && !row.reusable ? 'used' : 'usable';
}

export const presentEabKey = (row: AcmeEabKeyRow, now: Date): AcmeEabKey => ({
  uuid: row.uuid,
  keyId: row.key_id,
  description: row.description ?? undefined,
  state: stateOf(row, now),
  reusable: row.reusable,
  boundAccounts: row.accounts_bound,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
  expiresAt: row.expires_at?.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString(),
  namePolicy: row.name_policy ?? undefined,
});
