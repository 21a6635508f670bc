// Determines the relation between a certificate and its successor. Pure.
import type { CertificateRow, CertificateTables } from './tables.ts';

export type RelationType = CertificateTables['certificate_relation']['relation_type'];

type ComparedColumns = Pick<
  CertificateRow,
  'issuer_dn_normalized' | 'subject_dn_normalized' | 'issuer_serial_number' | 'public_key_fingerprint'
>;

/**
 * If the issuer and subject are the same, the successor is a renewal (same key) or a rekey (different key). Otherwise,
 * it is a replacement.
 */
export function relationTypeOf(predecessor: ComparedColumns, successor: ComparedColumns): RelationType {
  const sameNames =
    predecessor.issuer_dn_normalized === successor.issuer_dn_normalized &&
    predecessor.subject_dn_normalized === successor.subject_dn_normalized;
  const sameIssuer = predecessor.issuer_serial_number === successor.issuer_serial_number;
  if (!sameNames || !sameIssuer) return 'replacement';
  return predecessor.public_key_fingerprint === successor.public_key_fingerprint ? 'renewal' : 'rekey';
}
