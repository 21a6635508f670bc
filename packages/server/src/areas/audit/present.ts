// API representation of audit records.
import type {
  ActorRecord,
  AuditLogDto,
  AuditVerificationReport,
  ResourceRecord,
  SourceRecord,
} from '@signetry/contract';
import type { AuditReport } from './findings.ts';
import type { AuditObject } from './record.ts';
import type { AuditRow } from './store.ts';

/** Contents of a record, regardless of where it is stored. */
export type AuditFactsRow = Omit<AuditRow, 'id' | 'version' | 'logged_at' | 'node_id'>;

export const presentAuditRecord = (row: AuditRow): AuditLogDto => ({
  id: row.id,
  version: row.version,
  loggedAt: row.logged_at.toISOString(),
  ...presentFacts(row),
});

/** The casts are safe because codes were validated against the contract types when they were written. */
export const presentFacts = (row: AuditFactsRow): Omit<AuditLogDto, 'id' | 'version' | 'loggedAt'> => ({
  timestamp: row.timestamp.toISOString(),
  module: row.module as AuditLogDto['module'],
  actor: {
    type: row.actor_type as ActorRecord['type'],
    authMethod: row.actor_auth_method as ActorRecord['authMethod'],
    uuid: row.actor_uuid ?? undefined,
    name: row.actor_name ?? undefined,
  },
  source: presentSource(row),
  resource: presentResource(row.resource, row.resource_objects),
  affiliatedResource:
    row.affiliated_resource === null ? undefined : presentResource(row.affiliated_resource, row.affiliated_objects),
  operation: row.operation as AuditLogDto['operation'],
  operationResult: row.operation_result as AuditLogDto['operationResult'],
  message: row.message ?? undefined,
  operationData: row.operation_data ?? undefined,
  additionalData: row.additional_data ?? undefined,
});

const presentResource = (resource: string, objects: AuditObject[] | null): ResourceRecord => ({
  type: resource as ResourceRecord['type'],
  objects: objects ?? undefined,
});

const presentSource = (row: AuditFactsRow): SourceRecord | undefined =>
  row.source_method === null
    ? undefined
    : {
        method: row.source_method,
        path: row.source_path ?? '',
        contentType: row.source_content_type ?? undefined,
        ipAddress: row.source_ip_address ?? undefined,
        userAgent: row.source_user_agent ?? undefined,
      };

export function presentReport(report: AuditReport): AuditVerificationReport {
  const { firstBad } = report;
  return {
    intact: report.intact,
    verifiedAt: report.verifiedAt.toISOString(),
    rows: report.rows,
    sealed: report.sealed,
    unsealedOverdue: report.unsealedOlderThanLimit,
    gaps: report.gaps.map(({ from, to }) => ({ from, to })),
    gapCount: report.gapCount,
    badRecords: report.badRows,
    brokenLinks: report.brokenLinks,
    purged: report.purged,
    ends: report.ends,
    endFaults: report.endFaults.map((fault) => ({ ...fault })),
    firstFault: firstBad && {
      problem: firstBad.problem,
      node: firstBad.node,
      id: firstBad.id,
      sequence: firstBad.sequence,
      sealedAt: firstBad.sealedAt?.toISOString(),
    },
  };
}
