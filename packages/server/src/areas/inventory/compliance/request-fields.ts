// CSR fields for rules. `q` is the CSR.
import { sql } from 'kysely';
import { column } from '../../../platform/database/filter/reading.ts';
import { sqlFields } from '../../../platform/database/filter/sql-fields.ts';

export const requestFields = sqlFields('certificateRequests', {
  CERT_REQUEST_COMMON_NAME: column('q.common_name'),
  CERT_REQUEST_CERTIFICATE_TYPE: column(sql`'X.509'::text`),
  CERT_REQUEST_FORMAT: column('q.format'),
  CERT_REQUEST_SUBJECT_DN: column('q.subject_dn'),
  CERT_REQUEST_PUBLIC_KEY_ALGORITHM: column('q.public_key_algorithm'),
  CERT_REQUEST_ALT_PUBLIC_KEY_ALGORITHM: column('q.alt_public_key_algorithm'),
  CERT_REQUEST_SIGNATURE_ALGORITHM: column('q.signature_algorithm'),
  CERT_REQUEST_ALT_SIGNATURE_ALGORITHM: column('q.alt_signature_algorithm'),
  CERT_REQUEST_COMPLIANCE_STATUS: column('q.compliance_status'),
  CERT_REQUEST_SUBJECT_ALTERNATIVE_NAMES: column(sql`q.subject_alternative_names::text`),
});
