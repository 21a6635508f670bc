// The inventory of certificates: search, upload, requests, details, chains, validation, downloads.
import { z } from 'zod';
import {
  BulkOperationStatus,
  CertificateFormat,
  CertificateFormatEncoding,
  CertificateRequestFormat,
} from '../enums/certificates.ts';
import { operation } from '../operation.ts';
import { int64, uuid } from '../primitives.ts';
import { RequestAttributeDto } from '../shared/attributes.ts';
import { requestSource } from '../shared/request-source.ts';
import { UuidDto, UuidList, uuidParam } from '../shared/objects.ts';
import { queryBoolean } from '../shared/query.ts';
import { SearchFieldDataByGroupDto, SearchFilterRequestDto, SearchRequestDto } from '../shared/search.ts';
import {
  CertificateChainDownloadResponseDto,
  CertificateChainResponseDto,
  CertificateContentDto,
  CertificateDetailDto,
  CertificateDownloadResponseDto,
  CertificateEventHistoryDto,
  CertificateResponseDto,
  CertificateValidationResultDto,
} from './certificate-shapes.ts';
import { memberOfItsRaProfile, sightOf } from './second-objects.ts';

export const CertificateSearchRequestDto = SearchRequestDto.extend({ includeArchived: z.boolean().optional() }).meta({
  id: 'CertificateSearchRequestDto',
});
export type CertificateSearchRequestDto = z.output<typeof CertificateSearchRequestDto>;

/** A request to be stored and issued later. Without `request`, one is made with the key that `keyUuid` and `tokenProfileUuid` name. */
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

/** `certificate` is Base64 of a file: DER, PEM or PKCS#7. */
export const UploadCertificateRequestDto = z
  .object({ certificate: z.string(), customAttributes: z.array(RequestAttributeDto) })
  .meta({ id: 'UploadCertificateRequestDto' });
export type UploadCertificateRequestDto = z.output<typeof UploadCertificateRequestDto>;

/** What is absent stays; an empty list of groups and an empty owner remove. */
export const CertificateUpdateObjectsDto = z
  .object({
    groupUuids: z.array(z.string()).optional(),
    ownerUuid: z.string().optional(),
    raProfileUuid: z.string().optional(),
    trustedCa: z.boolean().optional(),
  })
  .meta({ id: 'CertificateUpdateObjectsDto' });
export type CertificateUpdateObjectsDto = z.output<typeof CertificateUpdateObjectsDto>;

/** Certificates to be deleted: by identifier, or all that match the filters. */
export const RemoveCertificateDto = z
  .object({
    uuids: z.array(z.string()).optional(),
    filters: z.array(SearchFilterRequestDto).optional(),
  })
  .meta({ id: 'RemoveCertificateDto' });
export type RemoveCertificateDto = z.output<typeof RemoveCertificateDto>;

/** Outcome of a deletion of many certificates. */
export const BulkOperationResponse = z
  .object({ status: BulkOperationStatus, failedItem: int64(), message: z.string() })
  .meta({ id: 'BulkOperationResponse' });
export type BulkOperationResponse = z.output<typeof BulkOperationResponse>;

const tag = 'Certificate Inventory';

export const certificateOperations = {
  listCertificates: operation({
    id: 'listCertificates',
    summary: 'List Certificates',
    tag,
    method: 'POST',
    path: '/v1/certificates',
    body: CertificateSearchRequestDto,
    success: { status: 200, body: CertificateResponseDto },
    errors: [400, 401, 403, 404, 500],
    access: {
      resource: 'certificates',
      action: 'list',
      parent: { resource: 'raProfiles', action: 'members', filtered: true },
    },
  }),
  getCertificateSearchFields: operation({
    id: 'getSearchableFieldInformation_Certificate',
    summary: 'Get Certificate searchable fields information',
    tag,
    method: 'GET',
    path: '/v1/certificates/search',
    success: { status: 200, body: z.array(SearchFieldDataByGroupDto) },
    errors: [400, 401, 403, 404, 500],
    access: 'authenticated',
  }),
  getCertificateContent: operation({
    id: 'getCertificateContent',
    summary: 'Get Certificate Content',
    tag,
    method: 'POST',
    path: '/v1/certificates/content',
    body: UuidList,
    success: { status: 200, body: z.array(CertificateContentDto) },
    errors: [400, 401, 403, 404, 422, 500],
    access: { resource: 'certificates', action: 'detail' },
    also: [memberOfItsRaProfile],
  }),
  submitCertificateRequest: operation({
    id: 'submitCertificateRequest',
    summary: 'Submit certificate request',
    tag,
    method: 'POST',
    path: '/v1/certificates/create',
    body: ClientCertificateRequestDto,
    success: { status: 200, body: CertificateDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'certificates', action: 'create' },
    also: [sightOf('raProfiles', 'raProfileUuid')],
    audit: { module: 'certificates', resource: 'certificates', operation: 'request' },
  }),
  uploadCertificate: operation({
    id: 'upload',
    summary: 'Upload a new Certificate',
    tag,
    method: 'POST',
    path: '/v1/certificates/upload',
    body: UploadCertificateRequestDto,
    largeBody: true,
    success: { status: 201, body: UuidDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'certificates', action: 'create' },
    audit: { module: 'certificates', resource: 'certificates', operation: 'upload' },
  }),
  getCertificate: operation({
    id: 'getCertificate',
    summary: 'Get Certificate Details',
    tag,
    method: 'GET',
    path: '/v1/certificates/{uuid}',
    params: uuidParam,
    success: { status: 200, body: CertificateDetailDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'certificates', action: 'detail', object: 'uuid' },
    also: [memberOfItsRaProfile],
  }),
  updateCertificateObjects: operation({
    id: 'updateCertificateObjects',
    summary: 'Update Certificate Objects',
    tag,
    method: 'PATCH',
    path: '/v1/certificates/{uuid}',
    params: uuidParam,
    body: CertificateUpdateObjectsDto,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'certificates', action: 'update', object: 'uuid' },
    also: [
      memberOfItsRaProfile,
      { resource: 'raProfiles', action: 'members', named: 'raProfileUuid' },
      sightOf('groups', 'groupUuids'),
      sightOf('users', 'ownerUuid'),
    ],
    audit: { module: 'certificates', resource: 'certificates', operation: 'update' },
  }),
  deleteCertificate: operation({
    id: 'deleteCertificate',
    summary: 'Delete a certificate',
    tag,
    method: 'DELETE',
    path: '/v1/certificates/{uuid}',
    params: uuidParam,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'certificates', action: 'delete', object: 'uuid' },
    also: [memberOfItsRaProfile],
    audit: { module: 'certificates', resource: 'certificates', operation: 'delete' },
  }),
  bulkDeleteCertificate: operation({
    id: 'bulkDeleteCertificate',
    summary: 'Delete multiple certificates',
    tag,
    method: 'POST',
    path: '/v1/certificates/delete',
    body: RemoveCertificateDto,
    success: { status: 200, body: BulkOperationResponse },
    errors: [400, 401, 403, 404, 500, 501],
    access: { resource: 'certificates', action: 'delete', parent: { resource: 'raProfiles', action: 'detail' } },
    also: [memberOfItsRaProfile],
    audit: { module: 'certificates', resource: 'certificates', operation: 'delete' },
  }),
  getCertificateChain: operation({
    id: 'getCertificateChain',
    summary: 'Get certificate chain',
    tag,
    method: 'GET',
    path: '/v1/certificates/{uuid}/chain',
    params: uuidParam,
    query: z.object({ withEndCertificate: queryBoolean().optional() }),
    success: { status: 200, body: CertificateChainResponseDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'certificates', action: 'detail', object: 'uuid' },
    also: [memberOfItsRaProfile],
  }),
  downloadCertificateChain: operation({
    id: 'downloadCertificateChain',
    summary: 'Download Certificate Chain in chosen format',
    tag,
    method: 'GET',
    path: '/v1/certificates/{uuid}/chain/{certificateFormat}',
    params: z.object({ uuid: uuid(), certificateFormat: CertificateFormat }),
    query: z.object({ withEndCertificate: queryBoolean().optional(), encoding: CertificateFormatEncoding }),
    success: { status: 200, body: CertificateChainDownloadResponseDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'certificates', action: 'detail', object: 'uuid' },
    also: [memberOfItsRaProfile],
  }),
  downloadCertificate: operation({
    id: 'downloadCertificate_Certificate',
    summary: 'Download Certificate',
    tag,
    method: 'GET',
    path: '/v1/certificates/{uuid}/{certificateFormat}',
    params: z.object({ uuid: uuid(), certificateFormat: CertificateFormat }),
    query: z.object({ encoding: CertificateFormatEncoding }),
    success: { status: 200, body: CertificateDownloadResponseDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'certificates', action: 'detail', object: 'uuid' },
    also: [memberOfItsRaProfile],
  }),
  getCertificateEventHistory: operation({
    id: 'getCertificateEventHistory',
    summary: 'Get Certificate event history',
    tag,
    method: 'GET',
    path: '/v1/certificates/{uuid}/history',
    params: uuidParam,
    success: { status: 200, body: z.array(CertificateEventHistoryDto) },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'certificates', action: 'detail', object: 'uuid' },
    also: [memberOfItsRaProfile],
  }),
  getCertificateValidationResult: operation({
    id: 'getCertificateValidationResult',
    summary: 'Get Certificate Validation Result',
    tag,
    method: 'GET',
    path: '/v1/certificates/{uuid}/validate',
    params: uuidParam,
    success: { status: 200, body: CertificateValidationResultDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'certificates', action: 'detail', object: 'uuid' },
    also: [memberOfItsRaProfile],
  }),
};
