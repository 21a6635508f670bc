// The state of a certificate as people see it. One whose revocation waits for approval is in force like any other that
// is issued, so it is stored as issued, and everything that relies on it goes on; lists and details show that it waits.
import type { CertificateRow } from './tables.ts';

export const shownState = (
  row: Pick<CertificateRow, 'state' | 'revocation_awaits_approval'>,
): CertificateRow['state'] =>
  row.state === 'issued' && row.revocation_awaits_approval ? 'pending_approval' : row.state;
