// Rows of this area's tables (migrations 0003-audit, 0016-audit-ends-and-sealing-keys).
import type { Generated } from 'kysely';
import type { AuditObject } from './record.ts';

export type AuditTables = {
  audit_record: {
    id: Generated<number>;
    node_id: string;
    timestamp: Date;
    logged_at: Generated<Date>;
    version: Generated<string>;
    module: string;
    operation: string;
    operation_result: string;
    resource: string;
    resource_objects: AuditObject[] | null;
    affiliated_resource: string | null;
    affiliated_objects: AuditObject[] | null;
    actor_type: string;
    actor_auth_method: string;
    actor_uuid: string | null;
    actor_name: string | null;
    source_method: string | null;
    source_path: string | null;
    source_content_type: string | null;
    source_ip_address: string | null;
    source_user_agent: string | null;
    message: string | null;
    operation_data: unknown;
    additional_data: Record<string, unknown> | null;
  };
  audit_unsealed: { audit_id: number; node_id: string; queued_at: Generated<Date> };
  audit_chain: {
    node_id: string;
    seal_number: number;
    next_sequence: number;
    chain_value: Uint8Array;
    end_seal_number: number | null;
    end_mac: Uint8Array | null;
  };
  audit_seal: {
    node_id: string;
    seal_number: number;
    first_sequence: number;
    audit_ids: number[];
    row_hashes: Uint8Array;
    previous_value: Uint8Array;
    chain_value: Uint8Array;
    sealed_at: Date;
  };
  audit_purge: {
    uuid: string;
    part: number;
    purged_at: Date;
    actor_name: string | null;
    first_ids: number[];
    last_ids: number[];
    record_count: number;
    mac: Uint8Array;
  };
  audit_key: { id: number; sealed_key: Uint8Array };
};

export type AuditSealRow = AuditTables['audit_seal'];
export type AuditChainRow = AuditTables['audit_chain'];
export type AuditPurgeRow = AuditTables['audit_purge'];
