// Discoveries: runs of a discovery provider that search for certificates, and their results.
import { z } from 'zod';
import { DiscoveryStatus } from '../enums/jobs.ts';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { dateTime, int32, line, objectName, uuid } from '../primitives.ts';
import { MetadataResponseDto, RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { UuidDto, UuidList } from '../shared/objects.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { queryBoolean, queryInt32 } from '../shared/query.ts';
import { SearchFieldDataByGroupDto, SearchRequestDto } from '../shared/search.ts';
import { cronExpression } from './scheduled-jobs.ts';
import { sightOf, sightOfCredentials } from './referenced-objects.ts';
import { TriggerDto } from './workflow-shapes.ts';

export const DiscoveryDto = z
  .object({
    name: objectName(),
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
    connectorUuid: uuid(),
    kind: line(),
    /** Triggers that are evaluated for every new certificate, before the platform's triggers. */
    triggers: z.array(uuid()).optional(),
  })
  .meta({ id: 'DiscoveryDto' });
export type DiscoveryDto = z.output<typeof DiscoveryDto>;

export const ScheduleDiscoveryDto = z
  .object({
    jobName: objectName(),
    cronExpression: cronExpression(),
    /** Whether the job is disabled after its first successful run. */
    oneTime: z.boolean().default(false),
    /**
     * Each run creates a discovery. Its name is the name specified here, followed by the time, e.g.
     * `office_2026-11-23T02:00:00Z`.
     */
    request: DiscoveryDto,
  })
  .meta({ id: 'ScheduleDiscoveryDto' });
export type ScheduleDiscoveryDto = z.output<typeof ScheduleDiscoveryDto>;

const listed = {
  uuid: z.string(),
  name: z.string(),
  kind: z.string(),
  status: DiscoveryStatus,
  startTime: dateTime().nullable().optional(),
  endTime: dateTime().nullable().optional(),
  /** Number of distinct certificates found so far. */
  totalCertificatesDiscovered: int32().default(0),
  /** Empty if the connector has been removed. */
  connectorUuid: z.string(),
  connectorName: z.string(),
};

export const DiscoveryHistoryDto = z.object(listed).meta({ id: 'DiscoveryHistoryDto' });
export type DiscoveryHistoryDto = z.output<typeof DiscoveryHistoryDto>;

export const DiscoveryResponseDto = z
  .object({ discoveries: z.array(DiscoveryHistoryDto), ...pageTotals })
  .meta({ id: 'DiscoveryResponseDto' });
export type DiscoveryResponseDto = z.output<typeof DiscoveryResponseDto>;

export const DiscoveryHistoryDetailDto = z
  .object({
    ...listed,
    /** Status reported by the provider. */
    connectorStatus: DiscoveryStatus,
    /** Why the discovery ended with this status. */
    message: z.string().optional(),
    /** Number of certificates announced by the provider. */
    connectorTotalCertificatesDiscovered: int32().default(0),
    /** Secrets are omitted. */
    attributes: z.array(ResponseAttributeDto),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    metadata: z.array(MetadataResponseDto).optional(),
    triggers: z.array(TriggerDto),
  })
  .meta({ id: 'DiscoveryHistoryDetailDto' });
export type DiscoveryHistoryDetailDto = z.output<typeof DiscoveryHistoryDetailDto>;

export const DiscoveryCertificateDto = z
  .object({
    uuid: z.string(),
    /** Absent if the certificate is not in the inventory. */
    inventoryUuid: z.string().optional(),
    commonName: z.string(),
    /** Hexadecimal. */
    serialNumber: z.string(),
    issuerCommonName: z.string(),
    notBefore: dateTime(),
    notAfter: dateTime(),
    /** Lowercase hex SHA-256 of the certificate. */
    fingerprint: z.string(),
    /** Base64-encoded DER. */
    certificateContent: z.string(),
    /** Whether the certificate was not in the inventory before. */
    newlyDiscovered: z.boolean(),
    processed: z.boolean(),
    processedError: z.string().optional(),
  })
  .meta({ id: 'DiscoveryCertificateDto' });
export type DiscoveryCertificateDto = z.output<typeof DiscoveryCertificateDto>;

export const DiscoveryCertificateResponseDto = z
  .object({ certificates: z.array(DiscoveryCertificateDto), ...pageTotals })
  .meta({ id: 'DiscoveryCertificateResponseDto' });
export type DiscoveryCertificateResponseDto = z.output<typeof DiscoveryCertificateResponseDto>;

export const discoveryOperations = operations(
  { tag: 'Discovery Management', resource: 'discoveries', module: 'discovery', errors: connectorErrors },
  {
    /** Newest first. */
    listDiscoveries: {
      route: 'POST /v1/discoveries/list',
      summary: 'List Discovery',
      body: SearchRequestDto,
      answer: DiscoveryResponseDto,
      errors: [400, 401, 403, 500, 502, 503],
      access: { action: 'list', filtered: true },
    },
    getDiscoverySearchFields: {
      route: 'GET /v1/discoveries/search',
      id: 'getSearchableFieldInformation_Discovery',
      summary: 'Get Discovery searchable fields information',
      answer: z.array(SearchFieldDataByGroupDto),
      errors: [400, 401, 403, 500, 502, 503],
      access: { action: 'list', filtered: true },
    },
    /** Returns immediately; the discovery runs in the background under the caller's identity. */
    createDiscovery: {
      route: 'POST /v1/discoveries',
      summary: 'Create Discovery',
      body: DiscoveryDto,
      created: UuidDto,
      errors: connectorRuleErrors,
      access: { action: 'create' },
      also: [sightOf('connectors', 'connectorUuid'), sightOf('triggers', 'triggers'), sightOfCredentials],
      audit: 'create',
    },
    /**
     * Returns the identifier of the scheduled job, which runs with the permissions that the caller has at the time of
     * each run.
     */
    scheduleDiscovery: {
      route: 'POST /v1/discoveries/schedule',
      summary: 'Schedule Discovery',
      body: ScheduleDiscoveryDto,
      created: UuidDto,
      errors: connectorRuleErrors,
      access: { action: 'create' },
      also: [
        sightOf('connectors', 'request.connectorUuid'),
        sightOf('triggers', 'request.triggers'),
        sightOfCredentials,
      ],
      audit: { module: 'scheduler', resource: 'jobs', operation: 'create' },
    },
    getDiscovery: {
      route: 'GET /v1/discoveries/{uuid}',
      summary: 'Discovery Details',
      answer: DiscoveryHistoryDetailDto,
      access: { action: 'detail', object: 'uuid' },
    },
    /** Certificates are listed in the order in which they were found, even while the discovery is running. */
    getDiscoveryCertificates: {
      route: 'GET /v1/discoveries/{uuid}/certificates',
      summary: 'Discovery Details',
      query: z.object({
        newlyDiscovered: queryBoolean().optional(),
        itemsPerPage: pageQuery.itemsPerPage,
        /** Both 0 and 1 select the first page. */
        pageNumber: queryInt32().default(0),
      }),
      answer: DiscoveryCertificateResponseDto,
      access: { action: 'detail', object: 'uuid' },
    },
    /** Certificates that the discovery added to the inventory are retained. */
    deleteDiscovery: {
      route: 'DELETE /v1/discoveries/{uuid}',
      summary: 'Delete Discovery',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    bulkDeleteDiscovery: {
      route: 'DELETE /v1/discoveries',
      summary: 'Delete Multiple Discoveries',
      body: UuidList,
      access: { action: 'delete' },
      audit: 'delete',
    },
  },
);
