// Revocation status of certificates, the one read of every OCSP request. Relies on certificate_issuer_serial_key.
import { hotStatement, runHot, type HotExecutor } from '../../platform/database/database.ts';
import type { CertificateRow } from './tables.ts';

export interface InventoryStatus {
  /** Lower-case hex without leading zeros. */
  readonly serialNumber: string;
  readonly revokedAt: Date | null;
  readonly revocationReason: CertificateRow['revocation_reason'];
}

const FIND_STATUSES = hotStatement(
  'find_certificate_statuses',
  `SELECT serial_number AS "serialNumber", revoked_at AS "revokedAt", revocation_reason AS "revocationReason"
   FROM certificate
   WHERE issuer_certificate_uuid = ANY($1::uuid[]) AND serial_number = ANY($2::text[])
     AND issuer_certificate_uuid IS NOT NULL AND state <> 'failed' AND state IN ('issued', 'pending_revoke', 'revoked')`,
);

export const findStatuses = (
  executor: HotExecutor,
  issuerCertificateUuids: readonly string[],
  serialNumbers: readonly string[],
): Promise<readonly InventoryStatus[]> =>
  runHot<InventoryStatus>(executor, FIND_STATUSES, [issuerCertificateUuids, serialNumbers]);
