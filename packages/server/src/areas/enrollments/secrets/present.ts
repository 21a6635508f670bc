// Presents one-time secrets to operators.
import type { EnrollmentSecretDto, EnrollmentSecretState } from '@signetry/contract';
import type { SecretRow } from '../tables.ts';

export const presentSecret = (row: SecretRow, now: Date): EnrollmentSecretDto => ({
  uuid: row.uuid,
  protocol: row.protocol,
  reference: row.reference,
  subject: row.subject ?? undefined,
  ...row.alt_names,
  state: stateOf(row, now),
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
  expiresAt: row.expires_at.toISOString(),
  usedAt: row.used_at?.toISOString(),
  enrollmentUuid: row.enrollment_uuid ?? undefined,
});

function stateOf({ used_at, withdrawn_at, expires_at }: SecretRow, now: Date): EnrollmentSecretState {
  if (used_at !== null) return 'used';
  if (withdrawn_at !== null) return 'withdrawn';
  return expires_at <= now ? 'expired' : 'usable';
}
