// Under which statuses an authority stands in valid paths.
import type { CertificateRow } from '../certificates/index.ts';

export const isUsable = (status: CertificateRow['validation_status']): boolean =>
  status === 'valid' || status === 'expiring';
