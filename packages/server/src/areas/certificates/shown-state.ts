// State of a certificate as displayed. A certificate whose revocation awaits approval is as valid as any other issued
// certificate, so it is stored as issued, and everything that relies on it continues to work; lists and details show
// that it is waiting.
import type { CertificateRow } from './tables.ts';

export const shownState = (
  row: Pick<CertificateRow, 'state' | 'revocation_awaits_approval'>,
): CertificateRow['state'] =>
  row.state === 'issued' && row.revocation_awaits_approval ? 'pending_approval' : row.state;
