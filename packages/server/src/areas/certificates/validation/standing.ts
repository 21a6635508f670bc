// Under which statuses an authority stands in valid paths.
import type { CertificateRow } from '../core/tables.ts';

export const isUsable = (status: CertificateRow['validation_status']): boolean =>
  status === 'valid' || status === 'expiring';
