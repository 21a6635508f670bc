// A certificate's state as displayed. A certificate whose revocation is awaiting approval is as valid as any other
// issued certificate, so it is stored as issued, and everything that relies on it continues to work. Lists and details
// show that its revocation is awaiting approval.
import type { CertificateRow } from './tables.ts';

export const shownState = (
  row: Pick<CertificateRow, 'state' | 'revocation_awaits_approval'>,
): CertificateRow['state'] =>
  row.state === 'issued' && row.revocation_awaits_approval ? 'pending_approval' : row.state;
