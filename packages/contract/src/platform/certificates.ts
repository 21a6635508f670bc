// The certificate inventory: search, upload, requests, details, chains, validation, downloads.
import { z } from 'zod';
import {
  BulkOperationStatus,
  CertificateFormat,
  CertificateFormatEncoding,
  CertificateRequestFormat,
} from '../enums/certificates.ts';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { int64, uuid } from '../primitives.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import { requestSource } from '../shared/request-source.ts';
import { UuidDto, UuidList } from '../shared/objects.ts';
import { pageQuery } from '../shared/paging.ts';
import { queryBoolean } from '../shared/query.ts';
import { SearchFieldDataByGroupDto, SearchFilterRequestDto, SearchRequestDto } from '../shared/search.ts';
import { ApprovalResponseDto } from './approvals.ts';
import {
  CertificateChainDownloadResponseDto,
  CertificateChainResponseDto,
  CertificateContentDto,
  CertificateDetailDto,
  CertificateDownloadResponseDto,
  CertificateEventHistoryDto,
  CertificateRelationsDto,
  CertificateResponseDto,
  CertificateValidationResultDto,
} from './certificate-shapes.ts';
import { LocationDto } from './locations.ts';
import {
  raProfileMembership,
  privilegesOfOwner,
  sightOf,
  sightOfCredentials,
  useOfRequestingKeys,
} from './referenced-objects.ts';

export const CertificateSearchRequestDto = SearchRequestDto.extend({ includeArchived: z.boolean().optional() }).meta({
  id: 'CertificateSearchRequestDto',
});
export type CertificateSearchRequestDto = z.output<typeof CertificateSearchRequestDto>;

/**
 * A request that is stored so that the certificate can be issued later. If `request` is absent, the platform creates
 * one with the key in `keyUuid` and `tokenProfileUuid`.
 */
export const ClientCertificateRequestDto = z
  .object({
    raProfileUuid: uuid(),
    sourceCertificateUuid: uuid().optional(),
    request: z.string().optional(),
    format: CertificateRequestFormat.default('pkcs10'),
    ...requestSource,
    issueAttributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ClientCertificateRequestDto' });
export type ClientCertificateRequestDto = z.output<typeof ClientCertificateRequestDto>;

/** `certificate` is the Base64 encoding of a DER, PEM or PKCS #7 file. */
export const UploadCertificateRequestDto = z
  .object({ certificate: z.string(), customAttributes: z.array(RequestAttributeDto) })
  .meta({ id: 'UploadCertificateRequestDto' });
export type UploadCertificateRequestDto = z.output<typeof UploadCertificateRequestDto>;

/** Absent members stay unchanged. An empty array removes the groups; an empty string removes the owner. */
export const CertificateUpdateObjectsDto = z
  .object({
    groupUuids: z.array(z.string()).optional(),
    ownerUuid: z.string().optional(),
    raProfileUuid: z.string().optional(),
    trustedCa: z.boolean().optional(),
  })
  .meta({ id: 'CertificateUpdateObjectsDto' });
export type CertificateUpdateObjectsDto = z.output<typeof CertificateUpdateObjectsDto>;

/**
 * Changes to multiple certificates: either those listed or all that match the filters, not both. Absent members stay
 * unchanged, as when updating a single certificate.
 */
export const MultipleCertificateObjectUpdateDto = z
  .object({
    groupUuids: z.array(z.string()).optional(),
    ownerUuid: z.string().optional(),
    raProfileUuid: z.string().optional(),
    certificateUuids: z.array(z.string()).optional(),
    filters: z.array(SearchFilterRequestDto).optional(),
  })
  .meta({ id: 'MultipleCertificateObjectUpdateDto' });
export type MultipleCertificateObjectUpdateDto = z.output<typeof MultipleCertificateObjectUpdateDto>;

/** Certificates to delete: either those listed or all that match the filters, not both. */
export const RemoveCertificateDto = z
  .object({
    uuids: z.array(z.string()).optional(),
    filters: z.array(SearchFilterRequestDto).optional(),
  })
  .meta({ id: 'RemoveCertificateDto' });
export type RemoveCertificateDto = z.output<typeof RemoveCertificateDto>;

/** Outcome of deleting multiple certificates. */
export const BulkOperationResponse = z
  .object({ status: BulkOperationStatus, failedItem: int64(), message: z.string() })
  .meta({ id: 'BulkOperationResponse' });
export type BulkOperationResponse = z.output<typeof BulkOperationResponse>;

export const certificateOperations = operations(
  { tag: 'Certificate Inventory', resource: 'certificates', module: 'certificates', errors: objectErrors },
  {
    listCertificates: {
      route: 'POST /v1/certificates',
      summary: 'List Certificates',
      body: CertificateSearchRequestDto,
      answer: CertificateResponseDto,
      access: {
        action: 'list',
        filtered: true,
        parent: { resource: 'raProfiles', action: 'members', filtered: true },
      },
    },
    getCertificateSearchFields: {
      route: 'GET /v1/certificates/search',
      id: 'getSearchableFieldInformation_Certificate',
      summary: 'Get Certificate searchable fields information',
      answer: z.array(SearchFieldDataByGroupDto),
      access: 'authenticated',
    },
    getCertificateContent: {
      route: 'POST /v1/certificates/content',
      summary: 'Get Certificate Content',
      body: UuidList,
      answer: z.array(CertificateContentDto),
      errors: ruleErrors,
      access: { action: 'detail' },
      also: [raProfileMembership],
    },
    submitCertificateRequest: {
      route: 'POST /v1/certificates/create',
      summary: 'Submit certificate request',
      body: ClientCertificateRequestDto,
      answer: CertificateDetailDto,
      access: { action: 'create' },
      also: [sightOf('raProfiles', 'raProfileUuid'), sightOfCredentials, ...useOfRequestingKeys],
      audit: 'request',
    },
    uploadCertificate: {
      route: 'POST /v1/certificates/upload',
      id: 'upload',
      summary: 'Upload a new Certificate',
      body: UploadCertificateRequestDto,
      largeBody: true,
      created: UuidDto,
      access: { action: 'create' },
      audit: 'upload',
    },
    getCertificate: {
      route: 'GET /v1/certificates/{uuid}',
      summary: 'Get Certificate Details',
      answer: CertificateDetailDto,
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
    updateCertificateObjects: {
      route: 'PATCH /v1/certificates/{uuid}',
      summary: 'Update Certificate Objects',
      body: CertificateUpdateObjectsDto,
      access: { action: 'update', object: 'uuid' },
      also: [
        raProfileMembership,
        { resource: 'raProfiles', action: 'members', named: 'raProfileUuid' },
        sightOf('groups', 'groupUuids'),
        sightOf('users', 'ownerUuid'),
        privilegesOfOwner,
      ],
      audit: 'update',
    },
    /**
     * Up to 1,000 certificates are changed before the response is sent; larger changes run in the background. Rejected
     * certificates do not affect the others and are reported by `getCertificateChange`.
     */
    bulkUpdateCertificateObjects: {
      route: 'PATCH /v1/certificates',
      summary: 'Update Group and/or Owner for multiple Certificates',
      body: MultipleCertificateObjectUpdateDto,
      errors: [400, 401, 403, 404, 500, 501],
      access: { action: 'update', parent: { resource: 'raProfiles', action: 'detail' } },
      also: [
        raProfileMembership,
        { resource: 'raProfiles', action: 'members', named: 'raProfileUuid' },
        sightOf('groups', 'groupUuids'),
        sightOf('users', 'ownerUuid'),
        privilegesOfOwner,
      ],
      audit: 'update',
    },
    archiveCertificate: {
      route: 'PATCH /v1/certificates/{uuid}/archive',
      summary: 'Archive a certificate',
      access: { action: 'archive', object: 'uuid' },
      also: [raProfileMembership],
      audit: 'archive',
    },
    unarchiveCertificate: {
      route: 'PATCH /v1/certificates/{uuid}/unarchive',
      summary: 'Unarchive a certificate',
      access: { action: 'archive', object: 'uuid' },
      also: [raProfileMembership],
      audit: 'unarchive',
    },
    bulkArchiveCertificate: {
      route: 'PATCH /v1/certificates/archive',
      summary: 'Archive a list of certificates',
      body: UuidList,
      access: { action: 'archive' },
      also: [raProfileMembership],
      audit: 'archive',
    },
    bulkUnarchiveCertificate: {
      route: 'PATCH /v1/certificates/unarchive',
      summary: 'Unarchive a list of certificates',
      body: UuidList,
      access: { action: 'archive' },
      also: [raProfileMembership],
      audit: 'unarchive',
    },
    deleteCertificate: {
      route: 'DELETE /v1/certificates/{uuid}',
      summary: 'Delete a certificate',
      access: { action: 'delete', object: 'uuid' },
      also: [raProfileMembership],
      audit: 'delete',
    },
    bulkDeleteCertificate: {
      route: 'POST /v1/certificates/delete',
      summary: 'Delete multiple certificates',
      body: RemoveCertificateDto,
      answer: BulkOperationResponse,
      errors: [400, 401, 403, 404, 500, 501],
      access: { action: 'delete', parent: { resource: 'raProfiles', action: 'detail' } },
      also: [raProfileMembership],
      audit: 'delete',
    },
    getCertificateChain: {
      route: 'GET /v1/certificates/{uuid}/chain',
      summary: 'Get certificate chain',
      query: z.object({ withEndCertificate: queryBoolean().optional() }),
      answer: CertificateChainResponseDto,
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
    downloadCertificateChain: {
      route: 'GET /v1/certificates/{uuid}/chain/{certificateFormat}',
      summary: 'Download Certificate Chain in chosen format',
      params: z.object({ uuid: uuid(), certificateFormat: CertificateFormat }),
      query: z.object({ withEndCertificate: queryBoolean().optional(), encoding: CertificateFormatEncoding }),
      answer: CertificateChainDownloadResponseDto,
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
    downloadCertificate: {
      route: 'GET /v1/certificates/{uuid}/{certificateFormat}',
      id: 'downloadCertificate_Certificate',
      summary: 'Download Certificate',
      params: z.object({ uuid: uuid(), certificateFormat: CertificateFormat }),
      query: z.object({ encoding: CertificateFormatEncoding }),
      answer: CertificateDownloadResponseDto,
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
    getCertificateEventHistory: {
      route: 'GET /v1/certificates/{uuid}/history',
      summary: 'Get Certificate event history',
      answer: z.array(CertificateEventHistoryDto),
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
    /** Newest first. */
    listCertificateApprovals: {
      route: 'GET /v1/certificates/{uuid}/approvals',
      summary: 'List Certificates Approvals',
      query: z.object(pageQuery),
      answer: ApprovalResponseDto,
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
    getCertificateRelations: {
      route: 'GET /v1/certificates/{uuid}/relations',
      summary: 'Get relations for a certificate',
      answer: CertificateRelationsDto,
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
    /** The certificate that becomes valid later is the successor. */
    associateCertificates: {
      route: 'PATCH /v1/certificates/{uuid}/relations/{certificateUuid}',
      summary: 'Associate a source certificate to the given certificate',
      access: { action: 'update', object: 'uuid' },
      also: [raProfileMembership],
      audit: 'associate',
    },
    removeCertificateAssociation: {
      route: 'DELETE /v1/certificates/{uuid}/relations/{certificateUuid}',
      summary: 'Remove a source certificate association from the given certificate',
      access: { action: 'update', object: 'uuid' },
      also: [raProfileMembership],
      audit: 'disassociate',
    },
    listCertificateLocations: {
      route: 'GET /v1/certificates/{certificateUuid}/locations',
      summary: 'List of available Locations for the Certificate',
      answer: z.array(LocationDto),
      access: { action: 'detail', object: 'certificateUuid' },
      also: [raProfileMembership],
    },
    getCsrGenerationAttributes: {
      route: 'GET /v1/certificates/csr/attributes',
      summary: 'Get CSR Generation Attributes',
      answer: z.array(BaseAttributeDto),
      access: 'authenticated',
    },
    getCertificateValidationResult: {
      route: 'GET /v1/certificates/{uuid}/validate',
      summary: 'Get Certificate Validation Result',
      answer: CertificateValidationResultDto,
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
  },
);
