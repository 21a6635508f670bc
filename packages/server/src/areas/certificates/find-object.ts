// A certificate object for areas that know certificates by their identifiers only.
import type { Executor } from '../../platform/database/database.ts';
import { findCertificate, findContent } from './store.ts';
import type { CertificateRow } from './tables.ts';

export interface FoundObject {
  readonly state: string;
  readonly serialNumber: string | null;
  readonly revocationReason: CertificateRow['revocation_reason'];
  /** Undefined before it is issued. */
  readonly der: Uint8Array | undefined;
}

export async function findObject(executor: Executor, uuid: string): Promise<FoundObject | undefined> {
  const row = await findCertificate(executor, uuid);
  if (!row) return undefined;
  return {
    state: row.state,
    serialNumber: row.serial_number,
    revocationReason: row.revocation_reason,
    der: row.fingerprint === null ? undefined : await findContent(executor, row),
  };
}
