// Hot statements of issuing: reserve an operation, record its result. Each writes many rows of several tables at once,
// so that concurrent requests share a commit. They rely on primary keys and on certificate_request_fingerprint_key. The
// list of operation identifiers is an index condition that holds in every plan, also in one made for empty tables.
import type { HotExecutor } from '../../../platform/database/database.ts';
import { hotStatement, runHot } from '../../../platform/database/database.ts';
import { outboxCte } from '../../../platform/events/store.ts';
import { auditInsertCte, auditInsertValue, withRecord, type AuditRecord } from '../../audit/index.ts';
import type { CertificateFacts } from '../core/read-certificate.ts';
import type { RequestFacts } from '../core/read-request.ts';
import { isCompromisedSql } from '../core/store-compromised.ts';
import type { CertificateRow, HistoryRow, OperationKind, OperationPayload } from '../core/tables.ts';

export interface Owner {
  readonly uuid: string;
  readonly username: string;
}

/** The protocol that a certificate is asked for over, its profile, and the account there. */
export interface ProtocolLink {
  readonly protocol: NonNullable<CertificateRow['protocol']>;
  readonly profileUuid: string;
  readonly accountUuid: string | null;
}

/** A certificate that is asked for: the rows that exist before any authority is called. */
export interface Reservation {
  readonly certificateUuid: string;
  /** Null for a request that is issued later. */
  readonly operationUuid: string | null;
  readonly kind: Exclude<OperationKind, 'revoke'>;
  readonly raProfileUuid: string;
  readonly predecessorUuid: string | null;
  readonly requesterUuid: string | null;
  readonly requesterName: string;
  readonly payload: OperationPayload;
  readonly leasedBy: string;
  readonly leasedUntil: Date;
  readonly createdAt: Date;
  readonly historyUuid: string;
  readonly owner: Owner | null;
  readonly protocol: ProtocolLink | null;
  readonly request: RequestFacts;
}

/** Audit records of those items that are reserved; they stand in `$2` in the order of the items. */
const AUDIT_OF_RESERVED = `(
  SELECT json_agg(entry.record) FROM json_array_elements($2::json) WITH ORDINALITY AS entry (record, place)
  JOIN item ON item.place = entry.place)`;

const RESERVE = hotStatement(
  'reserve_certificates',
  `WITH item AS (
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS item (
       place integer, certificate_uuid uuid, operation_uuid uuid, history_uuid uuid, kind text, ra_profile_uuid uuid, predecessor_uuid uuid,
       requester_uuid uuid, requester_name text, owner_uuid uuid, owner_username text, protocol text, protocol_profile_uuid uuid,
       protocol_account_uuid uuid, payload jsonb, leased_by uuid, leased_until timestamptz, created_at timestamptz,
       request_uuid uuid, fingerprint text, format text, der text, common_name text, subject_dn text, subject_dn_normalized text,
       public_key_algorithm text, public_key_fingerprint text, key_size integer, signature_algorithm text,
       alt_public_key_algorithm text, alt_key_size integer, alt_signature_algorithm text, subject_alternative_names jsonb)
     WHERE NOT ${isCompromisedSql('item.public_key_fingerprint')}
   ), request AS (
     INSERT INTO certificate_request (uuid, fingerprint, format, der, common_name, subject_dn, subject_dn_normalized,
       public_key_algorithm, public_key_fingerprint, key_size, signature_algorithm, alt_public_key_algorithm, alt_key_size,
       alt_signature_algorithm, subject_alternative_names, created_at)
     SELECT DISTINCT ON (fingerprint) request_uuid, fingerprint, format, decode(der, 'base64'), common_name, subject_dn, subject_dn_normalized,
       public_key_algorithm, public_key_fingerprint, key_size, signature_algorithm, alt_public_key_algorithm, alt_key_size,
       alt_signature_algorithm, subject_alternative_names, created_at
     FROM item ORDER BY fingerprint
     ON CONFLICT (fingerprint) DO UPDATE SET fingerprint = EXCLUDED.fingerprint
     RETURNING uuid, fingerprint
   ), certificate AS (
     INSERT INTO certificate (uuid, state, common_name, subject_dn, subject_dn_normalized, public_key_algorithm, public_key_fingerprint,
       key_size, subject_alternative_names, ra_profile_uuid, request_uuid, owner_uuid, owner_username, protocol, protocol_profile_uuid,
       protocol_account_uuid, created_at, updated_at)
     SELECT item.certificate_uuid, 'requested', item.common_name, item.subject_dn, item.subject_dn_normalized, item.public_key_algorithm,
       item.public_key_fingerprint, item.key_size, item.subject_alternative_names, item.ra_profile_uuid, request.uuid,
       item.owner_uuid, item.owner_username, item.protocol, item.protocol_profile_uuid, item.protocol_account_uuid,
       item.created_at, item.created_at
     FROM item JOIN request ON request.fingerprint = item.fingerprint
   ), history AS (
     INSERT INTO certificate_history (uuid, certificate_uuid, event, status, message, created_at, created_by)
     SELECT history_uuid, certificate_uuid, 'Request Certificate', 'SUCCESS', 'Certificate requested', created_at, requester_name FROM item
   ), relation AS (
     INSERT INTO certificate_relation (successor_uuid, predecessor_uuid, relation_type, created_at)
     SELECT certificate_uuid, predecessor_uuid, 'pending', created_at FROM item WHERE predecessor_uuid IS NOT NULL
   ), ${auditInsertCte(AUDIT_OF_RESERVED)}, operation AS (
     INSERT INTO certificate_operation (uuid, certificate_uuid, kind, state, ra_profile_uuid, predecessor_uuid, requester_uuid, requester_name,
       payload, leased_by, leased_until, created_at)
     SELECT operation_uuid, certificate_uuid, kind, 'pending', ra_profile_uuid, predecessor_uuid, requester_uuid, requester_name,
       payload, leased_by, leased_until, created_at FROM item WHERE operation_uuid IS NOT NULL
   )
   SELECT certificate_uuid FROM item`,
);

/**
 * Writes the reservations with their audit records. Returns the certificates that were reserved: those whose key is
 * compromised are left out, and nothing of them is written.
 */
export async function reserve(
  executor: HotExecutor,
  items: readonly Reservation[],
  audit: readonly AuditRecord[],
): Promise<ReadonlySet<string>> {
  const rows = items.map((item, index) => ({
    place: index + 1,
    certificate_uuid: item.certificateUuid,
    operation_uuid: item.operationUuid,
    history_uuid: item.historyUuid,
    kind: item.kind,
    ra_profile_uuid: item.raProfileUuid,
    predecessor_uuid: item.predecessorUuid,
    requester_uuid: item.requesterUuid,
    requester_name: item.requesterName,
    owner_uuid: item.owner?.uuid,
    owner_username: item.owner?.username,
    protocol: item.protocol?.protocol,
    protocol_profile_uuid: item.protocol?.profileUuid,
    protocol_account_uuid: item.protocol?.accountUuid,
    payload: item.payload,
    leased_by: item.leasedBy,
    leased_until: item.leasedUntil,
    created_at: item.createdAt,
    ...item.request,
    uuid: undefined,
    request_uuid: item.request.uuid,
    der: Buffer.from(item.request.der).toString('base64'),
  }));
  const values = [JSON.stringify(rows), auditInsertValue(audit)];
  const reserved = await withRecord(() => runHot<{ certificate_uuid: string }>(executor, RESERVE, values));
  return new Set(reserved.map((row) => row.certificate_uuid));
}

/** A signed certificate to be recorded. */
export interface IssuedResult {
  readonly certificateUuid: string;
  readonly operationUuid: string;
  readonly action: Exclude<OperationKind, 'revoke'>;
  readonly facts: CertificateFacts;
  readonly der: Uint8Array;
  readonly issuerCertificateUuid: string | null;
  readonly issuerSerialNumber: string | null;
  readonly validationStatus: string;
  readonly relationType: string | null;
  readonly history: Omit<HistoryRow, 'certificate_uuid'>;
  readonly at: Date;
}

/** Audit records of those results that ended an operation; they stand in `$2` in the order of the items. */
const AUDIT_OF_ENDED = `(
  SELECT json_agg(entry.record) FROM json_array_elements($2::json) WITH ORDINALITY AS entry (record, place)
  JOIN item ON item.place = entry.place JOIN ended ON ended.uuid = item.operation_uuid)`;

const RECORD_ISSUED = hotStatement(
  'record_issued_certificates',
  `WITH item AS (
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS item (
       place integer, certificate_uuid uuid, operation_uuid uuid, action text, der text, at timestamptz, history_uuid uuid, event text, message text, created_by text,
       additional jsonb, relation_type text, validation_status text, issuer_certificate_uuid uuid, issuer_serial_number text,
       common_name text, subject_dn text, subject_dn_normalized text, issuer_common_name text, issuer_dn text, issuer_dn_normalized text,
       serial_number text, fingerprint text, not_before timestamptz, not_after timestamptz, public_key_algorithm text,
       public_key_fingerprint text, key_size integer, signature_algorithm text, key_usage integer, extended_key_usage text[],
       subject_type text, trusted_ca boolean, subject_alternative_names jsonb,
       hybrid_certificate boolean, alt_public_key_algorithm text, alt_key_size integer, alt_signature_algorithm text)
   ), ended AS (
     UPDATE certificate_operation o SET state = 'done', finished_at = item.at, last_problem = NULL
     FROM item WHERE o.uuid = item.operation_uuid AND o.uuid = ANY (ARRAY(SELECT operation_uuid FROM item)) AND o.state IN ('pending', 'undecided')
     RETURNING o.uuid, o.predecessor_uuid, o.requester_uuid
   ), content AS (
     INSERT INTO certificate_content (fingerprint, der)
     SELECT item.fingerprint, decode(item.der, 'base64') FROM item JOIN ended ON ended.uuid = item.operation_uuid
     ON CONFLICT (fingerprint) DO NOTHING
   ), certificate AS (
     UPDATE certificate c SET state = 'issued', validation_status = item.validation_status,
       common_name = item.common_name, subject_dn = item.subject_dn, subject_dn_normalized = item.subject_dn_normalized,
       issuer_common_name = item.issuer_common_name, issuer_dn = item.issuer_dn, issuer_dn_normalized = item.issuer_dn_normalized,
       serial_number = item.serial_number, fingerprint = item.fingerprint, not_before = item.not_before, not_after = item.not_after,
       public_key_algorithm = item.public_key_algorithm, public_key_fingerprint = item.public_key_fingerprint, key_size = item.key_size,
       signature_algorithm = item.signature_algorithm, key_usage = item.key_usage, extended_key_usage = item.extended_key_usage,
       subject_type = item.subject_type, trusted_ca = item.trusted_ca, subject_alternative_names = item.subject_alternative_names,
       hybrid_certificate = item.hybrid_certificate, alt_public_key_algorithm = item.alt_public_key_algorithm,
       alt_key_size = item.alt_key_size, alt_signature_algorithm = item.alt_signature_algorithm,
       issuer_certificate_uuid = item.issuer_certificate_uuid, issuer_serial_number = item.issuer_serial_number,
       issued_at = item.at, updated_at = item.at
     FROM item JOIN ended ON ended.uuid = item.operation_uuid WHERE c.uuid = item.certificate_uuid
   ), relation AS (
     UPDATE certificate_relation r SET relation_type = item.relation_type
     FROM item JOIN ended ON ended.uuid = item.operation_uuid
     WHERE item.relation_type IS NOT NULL AND r.successor_uuid = item.certificate_uuid AND r.predecessor_uuid = ended.predecessor_uuid
   ), history AS (
     INSERT INTO certificate_history (uuid, certificate_uuid, event, status, message, additional, created_at, created_by)
     SELECT item.history_uuid, item.certificate_uuid, item.event, 'SUCCESS', item.message, item.additional, item.at, item.created_by
     FROM item JOIN ended ON ended.uuid = item.operation_uuid
   ), ${outboxCte({
     event: 'certificate_action_performed',
     payload:
       "jsonb_build_object('certificateUuid', item.certificate_uuid, 'action', item.action, 'requesterUuid', ended.requester_uuid)",
     from: 'item JOIN ended ON ended.uuid = item.operation_uuid',
   })}, ${auditInsertCte(AUDIT_OF_ENDED)}
   SELECT uuid FROM ended`,
);

/**
 * Records results with their audit records; returns the operations that were ended by this call (others had ended
 * before).
 */
export async function recordIssued(
  executor: HotExecutor,
  results: readonly IssuedResult[],
  audit: readonly AuditRecord[],
): Promise<ReadonlySet<string>> {
  const rows = results.map((result, index) => ({
    ...result.facts,
    place: index + 1,
    certificate_uuid: result.certificateUuid,
    operation_uuid: result.operationUuid,
    action: result.action,
    der: Buffer.from(result.der).toString('base64'),
    at: result.at,
    history_uuid: result.history.uuid,
    event: result.history.event,
    message: result.history.message,
    created_by: result.history.created_by,
    additional: result.history.additional,
    relation_type: result.relationType,
    validation_status: result.validationStatus,
    issuer_certificate_uuid: result.issuerCertificateUuid,
    issuer_serial_number: result.issuerSerialNumber,
  }));
  const ended = await runHot<{ uuid: string }>(executor, RECORD_ISSUED, [
    JSON.stringify(rows),
    auditInsertValue(audit),
  ]);
  return new Set(ended.map((row) => row.uuid));
}
