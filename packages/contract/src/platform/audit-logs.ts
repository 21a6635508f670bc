// The audit log: search, export, purge.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { dateTime, int64, uuid } from '../primitives.ts';
import { pageTotals } from '../shared/paging.ts';
import { SearchFieldDataByGroupDto, SearchFilterRequestDto, SearchRequestDto } from '../shared/search.ts';
import { ActorType, AuditModule, AuditOperation, AuthMethod, OperationResult } from './audit-vocabulary.ts';
import { Resource } from './resource.ts';

export const ResourceObjectIdentity = z
  .object({ name: z.string().optional(), uuid: uuid().optional() })
  .meta({ id: 'ResourceObjectIdentity' });
export type ResourceObjectIdentity = z.output<typeof ResourceObjectIdentity>;

/** Objects that an operation affected. */
export const ResourceRecord = z
  .object({ type: Resource, objects: z.array(ResourceObjectIdentity).optional() })
  .meta({ id: 'ResourceRecord' });
export type ResourceRecord = z.output<typeof ResourceRecord>;

/** The actor; the name is absent for work done by the platform itself. */
export const ActorRecord = z
  .object({
    type: ActorType,
    authMethod: AuthMethod,
    uuid: uuid().optional(),
    name: z.string().optional(),
  })
  .meta({ id: 'ActorRecord' });
export type ActorRecord = z.output<typeof ActorRecord>;

/** The request that caused the record; absent for scheduled work. */
export const SourceRecord = z
  .object({
    method: z.string(),
    path: z.string(),
    contentType: z.string().optional(),
    ipAddress: z.string().optional(),
    userAgent: z.string().optional(),
  })
  .meta({ id: 'SourceRecord' });
export type SourceRecord = z.output<typeof SourceRecord>;

export const AuditLogDto = z
  .object({
    id: int64(),
    version: z.string(),
    /** Time at which the record was stored. */
    loggedAt: dateTime(),
    /** Time at which the operation was completed. */
    timestamp: dateTime(),
    module: AuditModule,
    actor: ActorRecord,
    source: SourceRecord.optional(),
    resource: ResourceRecord,
    /** Second object of an operation, such as the role assigned to a user. */
    affiliatedResource: ResourceRecord.optional(),
    operation: AuditOperation,
    operationResult: OperationResult,
    message: z.string().optional(),
    operationData: z.unknown().optional(),
    additionalData: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'AuditLogDto' });
export type AuditLogDto = z.output<typeof AuditLogDto>;

export const AuditLogResponseDto = z
  .object({
    ...pageTotals,
    items: z.array(AuditLogDto),
  })
  .meta({ id: 'AuditLogResponseDto' });
export type AuditLogResponseDto = z.output<typeof AuditLogResponseDto>;

export const auditLogOperations = operations(
  { tag: 'Audit Log', resource: 'auditLogs', module: 'core', errors: plainErrors },
  {
    listAuditLogs: {
      route: 'POST /v1/auditLogs',
      summary: 'List Audit logs',
      body: SearchRequestDto,
      answer: AuditLogResponseDto,
      access: { action: 'list' },
    },
    getAuditLogSearchFields: {
      route: 'GET /v1/auditLogs/search',
      id: 'getSearchableFieldInformation_AuditLog',
      summary: 'Get Audit logs searchable fields',
      answer: z.array(SearchFieldDataByGroupDto),
      access: 'authenticated',
    },
    /** A ZIP archive with a single CSV file. */
    exportAuditLogs: {
      route: 'POST /v1/auditLogs/export',
      summary: 'Export Audit logs',
      body: z.array(SearchFilterRequestDto),
      success: { status: 200, media: 'application/octet-stream' },
      access: { action: 'export' },
      audit: 'export',
    },
    /** Deletes all records that match the filters. If there are no filters, all records are deleted. */
    purgeAuditLogs: {
      route: 'POST /v1/auditLogs/purge',
      summary: 'Purge Audit logs',
      body: z.array(SearchFilterRequestDto),
      access: { action: 'delete' },
      audit: 'delete',
    },
  },
);
