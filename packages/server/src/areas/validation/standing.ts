// Statuses with which an authority can be part of a valid path.
import type { CertificateRow } from '../certificates/index.ts';

export const isUsable = (status: CertificateRow['validation_status']): boolean =>
  status === 'valid' || status === 'expiring';
