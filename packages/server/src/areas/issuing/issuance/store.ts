// Hot issuance statements, which reserve an operation, record its result, or do both together. Each writes multiple
// rows to multiple tables, so that concurrent requests share a commit. They rely on primary keys and on
// certificate_request_fingerprint_key. The array of operation identifiers is an index condition in every plan, even in
// one created while the tables were empty.
import { hotStatement, runHot, type HotExecutor } from '../../../platform/database/database.ts';
import { outboxCte } from '../../../platform/events/store.ts';
import { auditInsertValue, withRecord, type AuditRecord } from '../../audit/index.ts';
import { isCompromisedSql } from '../../certificates/index.ts';
import type { Reservation } from '../operations/reservation.ts';
import {
  auditCte,
  CONTENT_CTE,
  historyCte,
  ISSUED_COLUMNS,
  ISSUED_HISTORY,
  issuedFrom,
  issuedRow,
  recordsIn,
  requestCte,
  requestedHistory,
  reservationsFrom,
  reservationRow,
  type IssuedResult,
} from './statement-parts.ts';

const RESERVE = hotStatement(
  'reserve_certificates',
  `WITH wanted AS (
     ${reservationsFrom('$1')}
     WHERE NOT ${isCompromisedSql('wanted.public_key_fingerprint')}
   ), ${requestCte('wanted')}, certificate AS (
     INSERT INTO certificate (uuid, state, common_name, subject_dn, subject_dn_normalized, public_key_algorithm, public_key_fingerprint,
       key_size, subject_alternative_names, ra_profile_uuid, request_uuid, owner_uuid, owner_username, protocol, protocol_profile_uuid,
       protocol_account_uuid, created_at, updated_at)
     SELECT wanted.certificate_uuid, 'requested', wanted.common_name, wanted.subject_dn, wanted.subject_dn_normalized,
       wanted.public_key_algorithm, wanted.public_key_fingerprint, wanted.key_size, wanted.subject_alternative_names,
       wanted.ra_profile_uuid, request.uuid, wanted.owner_uuid, wanted.owner_username, wanted.protocol, wanted.protocol_profile_uuid,
       wanted.protocol_account_uuid, wanted.created_at, wanted.created_at
     FROM wanted JOIN request ON request.fingerprint = wanted.fingerprint
   ), ${historyCte(requestedHistory('wanted'))}, relation AS (
     INSERT INTO certificate_relation (successor_uuid, predecessor_uuid, relation_type, created_at)
     SELECT certificate_uuid, predecessor_uuid, 'pending', created_at FROM wanted WHERE predecessor_uuid IS NOT NULL
   ), ${auditCte([recordsIn('$2')], 'wanted ON wanted.place = entry.place')}, operation AS (
     INSERT INTO certificate_operation (uuid, certificate_uuid, kind, state, ra_profile_uuid, predecessor_uuid, requester_uuid, requester_name,
       payload, leased_by, leased_until, created_at)
     SELECT operation_uuid, certificate_uuid, kind, 'pending', ra_profile_uuid, predecessor_uuid, requester_uuid, requester_name,
       payload, leased_by, leased_until, created_at FROM wanted WHERE operation_uuid IS NOT NULL
   )
   SELECT certificate_uuid FROM wanted`,
);

/**
 * Writes reservations with their audit records. Returns the reserved certificates; writes nothing for certificates
 * whose key is compromised.
 */
export async function reserve(
  executor: HotExecutor,
  items: readonly Reservation[],
  audit: readonly AuditRecord[],
): Promise<ReadonlySet<string>> {
  const values = [reservationsValue(items), auditInsertValue(audit)];
  const reserved = await withRecord(() => runHot<{ certificate_uuid: string }>(executor, RESERVE, values));
  return new Set(reserved.map((row) => row.certificate_uuid));
}

const ACTION_PERFORMED = outboxCte({
  event: 'certificate_action_performed',
  payload:
    "jsonb_build_object('certificateUuid', item.certificate_uuid, 'action', item.action, 'requesterUuid', ended.requester_uuid)",
  from: 'item JOIN ended ON ended.uuid = item.operation_uuid',
});

const OF_ENDED = 'item ON item.place = entry.place JOIN ended ON ended.uuid = item.operation_uuid';

const RECORD_ISSUED = hotStatement(
  'record_issued_certificates',
  `WITH item AS (
     ${issuedFrom('$1')}
   ), ended AS (
     UPDATE certificate_operation o SET state = 'done', finished_at = item.at, last_problem = NULL
     FROM item WHERE o.uuid = item.operation_uuid AND o.uuid = ANY (ARRAY(SELECT operation_uuid FROM item)) AND o.state IN ('pending', 'undecided')
     RETURNING o.uuid, o.predecessor_uuid, o.requester_uuid
   ), ${CONTENT_CTE}, certificate AS (
     UPDATE certificate c SET state = 'issued', ${ISSUED_COLUMNS.map((column) => `${column} = item.${column}`).join(', ')},
       issued_at = item.at, updated_at = item.at
     FROM item JOIN ended ON ended.uuid = item.operation_uuid WHERE c.uuid = item.certificate_uuid
   ), relation AS (
     UPDATE certificate_relation r SET relation_type = item.relation_type
     FROM item JOIN ended ON ended.uuid = item.operation_uuid
     WHERE item.relation_type IS NOT NULL AND r.successor_uuid = item.certificate_uuid AND r.predecessor_uuid = ended.predecessor_uuid
   ), ${historyCte(ISSUED_HISTORY)}, ${ACTION_PERFORMED}, ${auditCte([recordsIn('$2')], OF_ENDED)}
   SELECT uuid FROM ended`,
);

/**
 * Records results with their audit records. Returns the operations that this call ended; the others had already ended.
 */
export async function recordIssued(
  executor: HotExecutor,
  results: readonly IssuedResult[],
  audit: readonly AuditRecord[],
): Promise<ReadonlySet<string>> {
  const ended = await runHot<{ uuid: string }>(executor, RECORD_ISSUED, [
    issuedValue(results),
    auditInsertValue(audit),
  ]);
  return new Set(ended.map((row) => row.uuid));
}

/**
 * For certificates without predecessors. Those reserved in the meantime are skipped, because their operation exists.
 */
const RECORD_AT_ONCE = hotStatement(
  'record_certificates_at_once',
  `WITH asked AS (
     ${reservationsFrom('$1')}
   ), item AS (
     ${issuedFrom('$2')}
   ), ended AS (
     INSERT INTO certificate_operation (uuid, certificate_uuid, kind, state, ra_profile_uuid, requester_uuid, requester_name,
       payload, leased_by, leased_until, created_at, finished_at)
     SELECT asked.operation_uuid, asked.certificate_uuid, asked.kind, 'done', asked.ra_profile_uuid, asked.requester_uuid,
       asked.requester_name, asked.payload, asked.leased_by, asked.leased_until, asked.created_at, item.at
     FROM asked JOIN item ON item.place = asked.place
     ON CONFLICT (uuid) DO NOTHING RETURNING uuid, requester_uuid
   ), wanted AS (
     SELECT asked.* FROM asked JOIN ended ON ended.uuid = asked.operation_uuid
   ), ${requestCte('wanted')}, ${CONTENT_CTE}, certificate AS (
     INSERT INTO certificate (uuid, state, ${ISSUED_COLUMNS.join(', ')}, ra_profile_uuid, request_uuid, owner_uuid, owner_username, protocol,
       protocol_profile_uuid, protocol_account_uuid, created_at, issued_at, updated_at)
     SELECT wanted.certificate_uuid, 'issued', ${ISSUED_COLUMNS.map((column) => `item.${column}`).join(', ')}, wanted.ra_profile_uuid,
       request.uuid, wanted.owner_uuid, wanted.owner_username, wanted.protocol, wanted.protocol_profile_uuid,
       wanted.protocol_account_uuid, wanted.created_at, item.at, item.at
     FROM wanted JOIN item ON item.place = wanted.place JOIN request ON request.fingerprint = wanted.fingerprint
   ), ${historyCte(`${requestedHistory('wanted')} UNION ALL ${ISSUED_HISTORY}`)}, ${ACTION_PERFORMED},
   ${auditCte([recordsIn('$3'), recordsIn('$4')], OF_ENDED)}
   SELECT uuid FROM ended`,
);

export interface ImmediateIssue {
  readonly reservation: Reservation;
  readonly result: IssuedResult;
  readonly audit: { readonly requested: AuditRecord; readonly issued: AuditRecord };
}

/**
 * Writes certificates that were not reserved, as `reserve` and `recordIssued` together would. Returns the operations
 * that this call ended. Certificates reserved in the meantime are left to `recordIssued`.
 */
export async function recordImmediate(
  executor: HotExecutor,
  items: readonly ImmediateIssue[],
): Promise<ReadonlySet<string>> {
  const values = [
    reservationsValue(items.map(({ reservation }) => reservation)),
    issuedValue(items.map(({ result }) => result)),
    auditInsertValue(items.map(({ audit }) => audit.requested)),
    auditInsertValue(items.map(({ audit }) => audit.issued)),
  ];
  const ended = await withRecord(() => runHot<{ uuid: string }>(executor, RECORD_AT_ONCE, values));
  return new Set(ended.map((row) => row.uuid));
}

const reservationsValue = (items: readonly Reservation[]): string =>
  JSON.stringify(items.map((item, index) => reservationRow(item, index + 1)));

const issuedValue = (results: readonly IssuedResult[]): string =>
  JSON.stringify(results.map((result, index) => issuedRow(result, index + 1)));
