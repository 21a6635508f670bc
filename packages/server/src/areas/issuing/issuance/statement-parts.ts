// Building blocks of the hot issuance statements: their input for each certificate, and the rows that multiple
// statements write. `wanted` contains the requested certificates, `item` the issued ones, and `ended` the operations
// that end with them.
import { auditInsertCte } from '../../audit/index.ts';
import { storedValidity, type CertificateFacts, type HistoryRow, type RequestFacts } from '../../certificates/index.ts';
import type { OperationKind } from '../tables.ts';
import type { Reservation } from '../operations/reservation.ts';

/** Columns of a stored request, with their types. `der` is transferred as Base64. */
const REQUEST_COLUMNS = {
  fingerprint: 'text',
  format: 'text',
  common_name: 'text',
  subject_dn: 'text',
  subject_dn_normalized: 'text',
  public_key_algorithm: 'text',
  public_key_fingerprint: 'text',
  key_size: 'integer',
  signature_algorithm: 'text',
  alt_public_key_algorithm: 'text',
  alt_key_size: 'integer',
  alt_signature_algorithm: 'text',
  subject_alternative_names: 'jsonb',
} as const satisfies Partial<Record<keyof RequestFacts, string>>;

const WANTED_COLUMNS = {
  place: 'integer',
  certificate_uuid: 'uuid',
  operation_uuid: 'uuid',
  history_uuid: 'uuid',
  kind: 'text',
  ra_profile_uuid: 'uuid',
  predecessor_uuid: 'uuid',
  requester_uuid: 'uuid',
  requester_name: 'text',
  owner_uuid: 'uuid',
  owner_username: 'text',
  protocol: 'text',
  protocol_profile_uuid: 'uuid',
  protocol_account_uuid: 'uuid',
  payload: 'jsonb',
  leased_by: 'uuid',
  leased_until: 'timestamptz',
  created_at: 'timestamptz',
  request_uuid: 'uuid',
  der: 'text',
  ...REQUEST_COLUMNS,
} as const;

/**
 * Columns of a certificate object that issuance writes, with their types. The columns of `item` have the same names.
 */
const CERTIFICATE_COLUMNS = {
  common_name: 'text',
  subject_dn: 'text',
  subject_dn_normalized: 'text',
  issuer_common_name: 'text',
  issuer_dn: 'text',
  issuer_dn_normalized: 'text',
  serial_number: 'text',
  fingerprint: 'text',
  not_before: 'timestamptz',
  not_after: 'timestamptz',
  public_key_algorithm: 'text',
  public_key_fingerprint: 'text',
  key_size: 'integer',
  signature_algorithm: 'text',
  key_usage: 'integer',
  extended_key_usage: 'text[]',
  subject_type: 'text',
  trusted_ca: 'boolean',
  subject_alternative_names: 'jsonb',
  hybrid_certificate: 'boolean',
  alt_public_key_algorithm: 'text',
  alt_key_size: 'integer',
  alt_signature_algorithm: 'text',
  validation_status: 'text',
  issuer_certificate_uuid: 'uuid',
  issuer_serial_number: 'text',
} as const;

const ITEM_COLUMNS = {
  place: 'integer',
  certificate_uuid: 'uuid',
  operation_uuid: 'uuid',
  action: 'text',
  der: 'text',
  at: 'timestamptz',
  history_uuid: 'uuid',
  event: 'text',
  message: 'text',
  created_by: 'text',
  additional: 'jsonb',
  relation_type: 'text',
  ...CERTIFICATE_COLUMNS,
} as const;

type RowOf<Columns> = Readonly<Record<keyof Columns, unknown>>;

/** Returns a query for rows of these columns from a parameter that contains them as JSON. */
const rowsFrom = (parameter: string, name: string, columns: Readonly<Record<string, string>>): string =>
  `SELECT * FROM jsonb_to_recordset(${parameter}::jsonb) AS ${name} (${Object.entries(columns)
    .map(([column, type]) => `${column} ${type}`)
    .join(', ')})`;

/** Reads `wanted` from rows created by `reservationRow`. */
export const reservationsFrom = (parameter: string): string => rowsFrom(parameter, 'wanted', WANTED_COLUMNS);

export function reservationRow(reservation: Reservation, place: number): RowOf<typeof WANTED_COLUMNS> {
  const { uuid: requestUuid, der, ...request } = reservation.request;
  return {
    ...request,
    place,
    certificate_uuid: reservation.certificateUuid,
    operation_uuid: reservation.operationUuid,
    history_uuid: reservation.historyUuid,
    kind: reservation.kind,
    ra_profile_uuid: reservation.raProfileUuid,
    predecessor_uuid: reservation.predecessorUuid,
    requester_uuid: reservation.requesterUuid,
    requester_name: reservation.requesterName,
    owner_uuid: reservation.owner?.uuid,
    owner_username: reservation.owner?.username,
    protocol: reservation.protocol?.protocol,
    protocol_profile_uuid: reservation.protocol?.profileUuid,
    protocol_account_uuid: reservation.protocol?.accountUuid,
    payload: reservation.payload,
    leased_by: reservation.leasedBy,
    leased_until: reservation.leasedUntil,
    created_at: reservation.createdAt,
    request_uuid: requestUuid,
    der: Buffer.from(der).toString('base64'),
  };
}

/** Signed certificate to be recorded. */
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

/** Reads `item` from rows created by `issuedRow`. */
export const issuedFrom = (parameter: string): string => rowsFrom(parameter, 'item', ITEM_COLUMNS);

export const issuedRow = (result: IssuedResult, place: number): RowOf<typeof ITEM_COLUMNS> => ({
  ...result.facts,
  ...storedValidity(result.facts),
  place,
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
});

export const ISSUED_COLUMNS = Object.keys(CERTIFICATE_COLUMNS);

const REQUEST_NAMES = Object.keys(REQUEST_COLUMNS).join(', ');

/** Inserts the certificates' requests, each only once, and finds existing requests. */
export const requestCte = (wanted: string): string => `request AS (
     INSERT INTO certificate_request (uuid, ${REQUEST_NAMES}, der, created_at)
     SELECT DISTINCT ON (fingerprint) request_uuid, ${REQUEST_NAMES}, decode(der, 'base64'), created_at
     FROM ${wanted} ORDER BY fingerprint
     ON CONFLICT (fingerprint) DO UPDATE SET fingerprint = EXCLUDED.fingerprint
     RETURNING uuid, fingerprint
   )`;

/** First entry in the history of a certificate. */
export const requestedHistory = (wanted: string): string =>
  `SELECT history_uuid, certificate_uuid, 'Request Certificate', 'SUCCESS', 'Certificate requested', NULL::jsonb, created_at, requester_name
     FROM ${wanted}`;

export const ISSUED_HISTORY = `SELECT item.history_uuid, item.certificate_uuid, item.event, 'SUCCESS', item.message, item.additional, item.at, item.created_by
     FROM item JOIN ended ON ended.uuid = item.operation_uuid`;

/** @param entries query with the columns of a history */
export const historyCte = (entries: string): string => `history AS (
     INSERT INTO certificate_history (uuid, certificate_uuid, event, status, message, additional, created_at, created_by)
     ${entries}
   )`;

export const CONTENT_CTE = `content AS (
     INSERT INTO certificate_content (fingerprint, der)
     SELECT item.fingerprint, decode(item.der, 'base64') FROM item JOIN ended ON ended.uuid = item.operation_uuid
     ON CONFLICT (fingerprint) DO NOTHING
   )`;

/**
 * Writes the audit records whose item is among the chosen ones.
 * @param records queries for `(record, place)`, in the order in which they are written
 * @param chosen source of the chosen places, after `JOIN`
 */
export const auditCte = (records: readonly string[], chosen: string): string =>
  auditInsertCte(`(
  SELECT json_agg(entry.record) FROM (${records.join(' UNION ALL ')}) AS entry (record, place) JOIN ${chosen})`);

/** Returns a query for the records from `auditInsertValue`, in the order of the items. */
export const recordsIn = (parameter: string): string =>
  `SELECT * FROM json_array_elements(${parameter}::json) WITH ORDINALITY`;
