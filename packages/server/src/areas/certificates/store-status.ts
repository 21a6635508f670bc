// Revocation status of certificates, the only query of an OCSP request: from the inventory, and from the records by
// issuer and serial number, which are not affected by deletion from the inventory. Relies on
// certificate_issuer_serial_key and the primary key of issued_certificate.
import { hotStatement, runHot, type HotExecutor } from '../../platform/database/database.ts';
import type { CertificateRow } from './tables.ts';

/** A CA, identified by its current and former certificates in the inventory, and by its key. */
export interface IssuerIdentity {
  readonly certificateUuids: readonly string[];
  /** SHA-256 of the SubjectPublicKeyInfo, in lowercase hex. */
  readonly publicKeyFingerprint: string;
}

export interface InventoryStatus {
  /** Lowercase hex without leading zeros. */
  readonly serialNumber: string;
  readonly revokedAt: Date | null;
  readonly revocationReason: CertificateRow['revocation_reason'];
}

const FIND_STATUSES = hotStatement(
  'find_certificate_statuses',
  `SELECT serial_number AS "serialNumber", revoked_at AS "revokedAt", revocation_reason AS "revocationReason"
   FROM certificate
   WHERE issuer_certificate_uuid = ANY($1::uuid[]) AND serial_number = ANY($2::text[])
     AND issuer_certificate_uuid IS NOT NULL AND state <> 'failed' AND state IN ('issued', 'pending_revoke', 'revoked')
   UNION ALL
   SELECT serial_number, revoked_at, revocation_reason
   FROM issued_certificate WHERE issuer_key = $3::text AND serial_number = ANY($2::text[])`,
);

/** Can return a certificate twice; a revoked row takes precedence. */
export const findStatuses = (
  executor: HotExecutor,
  issuer: IssuerIdentity,
  serialNumbers: readonly string[],
): Promise<readonly InventoryStatus[]> =>
  runHot<InventoryStatus>(executor, FIND_STATUSES, [
    issuer.certificateUuids,
    serialNumbers,
    issuer.publicKeyFingerprint,
  ]);
