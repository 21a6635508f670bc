// Invariants checked in the tables, over any connection: the real one, or a transaction in which a planted fault proves
// that the check detects it.

export interface Queryable {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Violation {
  /**
   * `service`: guarantees to clients during a fault. Automation: W1 every event is evaluated once, W2 effects and their
   * records agree, W3 every notification is queued once, W4 it is delivered, and repeated only under the same
   * identifier, W5 no work stays pending forever.
   */
  readonly invariant:
    | 'I1'
    | 'I2'
    | 'I3'
    | 'I4'
    | 'I5'
    | 'I6'
    | 'I7'
    | 'I8'
    | 'I10'
    | 'I11'
    | 'W1'
    | 'W2'
    | 'W3'
    | 'W4'
    | 'W5'
    | 'service';
  readonly what: string;
}

const SIGNER = 'connector_software_authority';

export interface Check {
  readonly invariant: Violation['invariant'];
  readonly what: string;
  /** Returns one row `{ it }` per violation. */
  readonly sql: string;
}

/** CTE of the audit records by certificate, read once: a lookup per certificate would get slower as the log grows. */
const reportedCte = (operation: 'issue' | 'revoke'): string => `told AS (
  SELECT object ->> 'uuid' AS uuid, count(*) AS times FROM audit_record a, jsonb_array_elements(a.resource_objects) AS object
  WHERE a.operation = '${operation}' AND a.operation_result = 'success' AND a.resource = 'certificates' GROUP BY 1)`;

const checks: readonly Check[] = [
  {
    invariant: 'I1',
    what: 'signed by the CA but not in the inventory',
    sql: `SELECT encode(i.serial, 'hex') AS it FROM ${SIGNER}.issuance i JOIN ${SIGNER}.issuance_signature s ON s.issuance_id = i.id
          WHERE NOT EXISTS (SELECT FROM certificate c WHERE c.serial_number = ltrim(encode(i.serial, 'hex'), '0') AND c.state IN ('issued', 'revoked', 'failed'))`,
  },
  {
    invariant: 'I3',
    what: 'serial number used twice by one issuer',
    sql: `SELECT serial_number AS it FROM certificate WHERE serial_number IS NOT NULL GROUP BY issuer_dn_normalized, serial_number HAVING count(*) > 1
          UNION ALL SELECT encode(serial, 'hex') FROM ${SIGNER}.issuance GROUP BY authority_uuid, serial HAVING count(*) > 1`,
  },
  {
    invariant: 'I3',
    what: 'malformed serial number',
    sql: `SELECT encode(serial, 'hex') AS it FROM ${SIGNER}.issuance WHERE octet_length(serial) NOT BETWEEN 8 AND 20 OR get_byte(serial, 0) > 127`,
  },
  {
    invariant: 'I4',
    what: 'signature without a committed intent',
    sql: `SELECT i.idempotency_key AS it FROM ${SIGNER}.issuance i JOIN ${SIGNER}.issuance_signature s ON s.issuance_id = i.id
          WHERE i.idempotency_key NOT LIKE 'authority:%'
          AND NOT EXISTS (SELECT FROM certificate_operation o WHERE o.uuid::text = i.idempotency_key
            -- An ACME order that names its certificate is the intent; after a crash its operation may be younger.
            AND (o.created_at <= i.prepared_at + interval '1 second'
              OR EXISTS (SELECT FROM acme_order a WHERE a.certificate_uuid = o.certificate_uuid)))`,
  },
  {
    invariant: 'I5',
    what: 'revoked at the CA but not in the inventory',
    sql: `SELECT c.uuid::text AS it FROM ${SIGNER}.revocation r JOIN certificate c ON c.serial_number = ltrim(encode(r.serial, 'hex'), '0')
          WHERE c.state <> 'revoked' OR c.revocation_reason <> r.reason`,
  },
  {
    invariant: 'I7',
    what: 'issued without exactly one audit record',
    sql: `WITH ${reportedCte('issue')} SELECT c.uuid::text AS it FROM certificate c LEFT JOIN told ON told.uuid = c.uuid::text
          WHERE c.state IN ('issued', 'revoked') AND c.request_uuid IS NOT NULL AND coalesce(told.times, 0) <> 1`,
  },
  {
    invariant: 'I7',
    what: 'revoked without exactly one audit record',
    sql: `WITH ${reportedCte('revoke')} SELECT c.uuid::text AS it FROM certificate c LEFT JOIN told ON told.uuid = c.uuid::text
          WHERE c.state = 'revoked' AND coalesce(told.times, 0) <> 1`,
  },
  {
    invariant: 'I7',
    what: 'audit record of an issuance that did not happen',
    sql: `WITH ${reportedCte('issue')} SELECT told.uuid AS it FROM told
          WHERE NOT EXISTS (SELECT FROM certificate c WHERE c.uuid::text = told.uuid AND c.state IN ('issued', 'revoked'))`,
  },
  {
    invariant: 'I11',
    what: 'issued without content',
    sql: `SELECT c.uuid::text AS it FROM certificate c LEFT JOIN certificate_content k ON k.fingerprint = c.fingerprint WHERE c.state IN ('issued', 'revoked') AND (k.der IS NULL OR encode(sha256(k.der), 'hex') <> c.fingerprint)`,
  },
  {
    invariant: 'I11',
    what: 'state without its history entry',
    sql: `SELECT c.uuid::text AS it FROM certificate c WHERE c.request_uuid IS NOT NULL AND c.state IN ('issued', 'revoked')
          AND (SELECT count(*) FROM certificate_history h WHERE h.certificate_uuid = c.uuid AND h.event = 'Issue Certificate' AND h.status = 'SUCCESS') <> 1`,
  },
  {
    invariant: 'I11',
    what: 'operation whose outcome differs from the state of its certificate',
    sql: `SELECT o.uuid::text AS it FROM certificate_operation o JOIN certificate c ON c.uuid = o.certificate_uuid
          WHERE (o.state = 'done' AND o.kind <> 'revoke' AND c.state NOT IN ('issued', 'revoked')) OR (o.state = 'done' AND o.kind = 'revoke' AND c.state <> 'revoked') OR o.state IN ('pending', 'undecided')`,
  },
];

export const checkDatabase = (database: Queryable): Promise<Violation[]> => runChecks(database, checks);

export async function runChecks(database: Queryable, list: readonly Check[]): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { invariant, what, sql } of list) {
    for (const { it } of await database.query<{ it: string }>(sql))
      violations.push({ invariant, what: `${what}: ${it}` });
  }
  return violations;
}
