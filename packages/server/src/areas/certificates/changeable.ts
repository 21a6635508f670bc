// Archived certificates are read-only: every change is checked here first.
import { AppError } from '../../kernel/errors.ts';
import type { CertificateRow } from './tables.ts';

/** Returns the name by which users know a certificate. */
export const certificateName = (row: Pick<CertificateRow, 'common_name' | 'uuid'>): string =>
  row.common_name || row.uuid;

export function assertChangeable(row: Pick<CertificateRow, 'archived' | 'common_name' | 'uuid'>): void {
  if (!row.archived) return;
  const needed = 'a certificate that is not archived';
  throw new AppError('invalid_state', { what: 'Certificate', name: certificateName(row), state: 'archived', needed });
}
