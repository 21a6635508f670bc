// Statuses that allow an authority to be part of a valid path.
import type { CertificateRow } from '../certificates/index.ts';

export const isUsable = (status: CertificateRow['validation_status']): boolean =>
  status === 'valid' || status === 'expiring';
