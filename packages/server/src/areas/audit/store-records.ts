// Inserts any number of audit records with a single statement. This is on the hot path of every issuance, so the row is
// narrow and has one index, and the same statement writes the row for the sealer's queue.
import { hotStatement, runHot, type Executor } from '../../platform/database/database.ts';
import { recordsAsJson, type AuditColumns, type AuditRecord } from './record.ts';

const COLUMN_TYPES: Readonly<Record<keyof AuditColumns, string>> = {
  node_id: 'uuid',
  timestamp: 'timestamptz',
  module: 'text',
  operation: 'text',
  operation_result: 'text',
  resource: 'text',
  resource_objects: 'jsonb',
  affiliated_resource: 'text',
  affiliated_objects: 'jsonb',
  actor_type: 'text',
  actor_auth_method: 'text',
  actor_uuid: 'uuid',
  actor_name: 'text',
  source_method: 'text',
  source_path: 'text',
  source_content_type: 'text',
  source_ip_address: 'text',
  source_user_agent: 'text',
  message: 'text',
  operation_data: 'jsonb',
  additional_data: 'jsonb',
};

const columns = Object.keys(COLUMN_TYPES)
  .map((name) => `"${name}"`)
  .join(', ');
const typedColumns = Object.entries(COLUMN_TYPES)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ');

/**
 * Common table expressions that insert audit records or queue them for the log, as each record specifies; for hot
 * statements that write records along with a change. `parameter` (e.g. `$4`) is bound to `auditInsertValue(records)`.
 */
export const auditInsertCte = (parameter: string): string => `
  audit_input AS (
    SELECT * FROM json_to_recordset(${parameter}::json) AS entry(${typedColumns}, stored boolean, printed boolean)
  ), audit_entry AS (
    INSERT INTO audit_record (${columns}) SELECT ${columns} FROM audit_input WHERE stored
    RETURNING id, node_id
  ), audit_queue AS (
    INSERT INTO audit_unsealed (audit_id, node_id) SELECT id, node_id FROM audit_entry
  ), audit_lines AS (
    INSERT INTO audit_line (node_id, record) SELECT node_id, to_jsonb(audit_input) FROM audit_input WHERE printed
  )`;

export const auditInsertValue = recordsAsJson;

const insert = hotStatement('insert_audit_records', `WITH ${auditInsertCte('$1')} SELECT`);

export async function insertRecords(executor: Executor, records: readonly AuditRecord[]): Promise<void> {
  const wanted = records.filter(({ stored, printed }) => stored || printed);
  if (wanted.length > 0) await runHot(executor, insert, [auditInsertValue(wanted)]);
}
