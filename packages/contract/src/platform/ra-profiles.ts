// RA profiles: under which conditions an authority issues.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { raProfileOfAuthority } from './ra-profile-access.ts';
import { description, int32, objectName, uuid } from '../primitives.ts';
import { BaseAttributeDto, RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { UuidDto, UuidList } from '../shared/objects.ts';
import { queryBoolean } from '../shared/query.ts';
import { CertificateDetailDto } from './certificate-shapes.ts';

/** How the certificates of a profile are validated; `enabled` absent means as the platform settings say. */
export const RaProfileCertificateValidationSettingsDto = z
  .object({
    enabled: z.boolean().optional(),
    /** Days between two validations. */
    frequency: int32().min(1).optional(),
    /** Days before its end at which a certificate counts as expiring. */
    expiringThreshold: int32().min(1).optional(),
  })
  .meta({ id: 'RaProfileCertificateValidationSettingsDto' });
export type RaProfileCertificateValidationSettingsDto = z.output<typeof RaProfileCertificateValidationSettingsDto>;

/** `frequency` and `expiringThreshold` count only when `enabled` is true. */
export const RaProfileCertificateValidationSettingsUpdateDto = z
  .object({
    enabled: z.boolean().optional(),
    frequency: int32().min(1).default(1),
    expiringThreshold: int32().min(1).default(30),
  })
  .meta({ id: 'RaProfileCertificateValidationSettingsUpdateDto' });
export type RaProfileCertificateValidationSettingsUpdateDto = z.output<
  typeof RaProfileCertificateValidationSettingsUpdateDto
>;

export const RaProfileDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    description: z.string().optional(),
    /** Absent when the authority has been removed. */
    authorityInstanceUuid: z.string().optional(),
    authorityInstanceName: z.string().optional(),
    legacyAuthority: z.boolean().optional(),
    enabled: z.boolean(),
    attributes: z.array(ResponseAttributeDto).optional(),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    enabledProtocols: z.array(z.string()).optional(),
    certificateValidationSettings: RaProfileCertificateValidationSettingsDto.optional(),
  })
  .meta({ id: 'RaProfileDto' });
export type RaProfileDto = z.output<typeof RaProfileDto>;

export const AddRaProfileRequestDto = z
  .object({
    name: objectName(),
    description: description().optional(),
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
    enabled: z.boolean().default(false),
  })
  .meta({ id: 'AddRaProfileRequestDto' });
export type AddRaProfileRequestDto = z.output<typeof AddRaProfileRequestDto>;

export const EditRaProfileRequestDto = z
  .object({
    description: description().optional(),
    /** Takes the place of the earlier ones; absent: they stay. */
    attributes: z.array(RequestAttributeDto).optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'EditRaProfileRequestDto' });
export type EditRaProfileRequestDto = z.output<typeof EditRaProfileRequestDto>;

const tag = 'RA Profile Management';
const authorityParam = z.object({ authorityUuid: uuid() });
const raProfileParams = z.object({ authorityUuid: uuid(), raProfileUuid: uuid() });
const raProfileOnlyParam = z.object({ raProfileUuid: uuid() });

export const raProfileOperations = {
  listRaProfiles: operation({
    id: 'listRaProfiles',
    summary: 'List of available RA Profiles',
    tag,
    method: 'GET',
    path: '/v1/raProfiles',
    query: z.object({ enabled: queryBoolean().optional() }),
    success: { status: 200, body: z.array(RaProfileDto) },
    errors: [400, 401, 403, 500, 502, 503],
    access: {
      resource: 'raProfiles',
      action: 'list',
      filtered: true,
      parent: { resource: 'authorities', action: 'list', filtered: true },
    },
  }),
  createRaProfile: operation({
    id: 'createRaProfile',
    summary: 'Create RA Profile',
    tag,
    method: 'POST',
    path: '/v1/authorities/{authorityUuid}/raProfiles',
    params: authorityParam,
    body: AddRaProfileRequestDto,
    success: { status: 201, body: UuidDto },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: {
      resource: 'raProfiles',
      action: 'create',
      parent: { resource: 'authorities', action: 'detail', object: 'authorityUuid' },
    },
    audit: { module: 'certificates', resource: 'raProfiles', operation: 'create' },
  }),
  getRaProfile: operation({
    id: 'getRaProfile',
    summary: 'Details of RA Profile',
    tag,
    method: 'GET',
    path: '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}',
    params: raProfileParams,
    success: { status: 200, body: RaProfileDto },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: raProfileOfAuthority('detail'),
  }),
  getRaProfileWithoutAuthority: operation({
    id: 'getRaProfileWithoutAuthority',
    summary: 'Details of RA Profile without Authority',
    tag,
    method: 'GET',
    path: '/v1/raProfiles/{raProfileUuid}',
    params: raProfileOnlyParam,
    success: { status: 200, body: RaProfileDto },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'raProfiles', action: 'detail', object: 'raProfileUuid' },
  }),
  editRaProfile: operation({
    id: 'editRaProfile',
    summary: 'Edit RA Profile',
    tag,
    method: 'PUT',
    path: '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}',
    params: raProfileParams,
    body: EditRaProfileRequestDto,
    success: { status: 200, body: RaProfileDto },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: raProfileOfAuthority('update'),
    audit: { module: 'certificates', resource: 'raProfiles', operation: 'update' },
  }),
  deleteRaProfile: operation({
    id: 'deleteRaProfile',
    summary: 'Delete RA Profile',
    tag,
    method: 'DELETE',
    path: '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}',
    params: raProfileParams,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: raProfileOfAuthority('delete'),
    audit: { module: 'certificates', resource: 'raProfiles', operation: 'delete' },
  }),
  deleteRaProfileWithoutAuthority: operation({
    id: 'deleteRaProfileWithoutAuthority',
    summary: 'Delete RA Profile without Authority',
    tag,
    method: 'DELETE',
    path: '/v1/raProfiles/{raProfileUuid}',
    params: raProfileOnlyParam,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'raProfiles', action: 'delete', object: 'raProfileUuid' },
    audit: { module: 'certificates', resource: 'raProfiles', operation: 'delete' },
  }),
  bulkDeleteRaProfile: operation({
    id: 'bulkDeleteRaProfile',
    summary: 'Delete multiple RA Profiles',
    tag,
    method: 'DELETE',
    path: '/v1/raProfiles',
    body: UuidList,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: { resource: 'raProfiles', action: 'delete' },
    audit: { module: 'certificates', resource: 'raProfiles', operation: 'delete' },
  }),
  enableRaProfile: operation({
    id: 'enableRaProfile',
    summary: 'Enable RA Profiles',
    tag,
    method: 'PATCH',
    path: '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/enable',
    params: raProfileParams,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: raProfileOfAuthority('enable'),
    audit: { module: 'certificates', resource: 'raProfiles', operation: 'enable' },
  }),
  disableRaProfile: operation({
    id: 'disableRaProfile',
    summary: 'Disable RA Profiles',
    tag,
    method: 'PATCH',
    path: '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/disable',
    params: raProfileParams,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: raProfileOfAuthority('enable'),
    audit: { module: 'certificates', resource: 'raProfiles', operation: 'disable' },
  }),
  bulkEnableRaProfile: operation({
    id: 'bulkEnableRaProfile',
    summary: 'Enable multiple RA Profiles',
    tag,
    method: 'PATCH',
    path: '/v1/raProfiles/enable',
    body: UuidList,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'raProfiles', action: 'enable' },
    audit: { module: 'certificates', resource: 'raProfiles', operation: 'enable' },
  }),
  bulkDisableRaProfile: operation({
    id: 'bulkDisableRaProfile',
    summary: 'Disable multiple RA Profiles',
    tag,
    method: 'PATCH',
    path: '/v1/raProfiles/disable',
    body: UuidList,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'raProfiles', action: 'enable' },
    audit: { module: 'certificates', resource: 'raProfiles', operation: 'disable' },
  }),
  listRaProfileIssueCertificateAttributes: operation({
    id: 'listRaProfileIssueCertificateAttributes',
    summary: 'Get issue Certificate Attributes',
    tag,
    method: 'GET',
    path: '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/attributes/issue',
    params: raProfileParams,
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: raProfileOfAuthority('ANY'),
  }),
  listRaProfileRevokeCertificateAttributes: operation({
    id: 'listRaProfileRevokeCertificateAttributes',
    summary: 'Get revocation Attributes',
    tag,
    method: 'GET',
    path: '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/attributes/revoke',
    params: raProfileParams,
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: raProfileOfAuthority('ANY'),
  }),
  getAuthorityCertificateChain: operation({
    id: 'getAuthorityCertificateChain',
    summary: 'Retrieve certificates of authority belonging to RA profile',
    tag,
    method: 'GET',
    path: '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/caCertificates',
    params: raProfileParams,
    success: { status: 200, body: z.array(CertificateDetailDto) },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: raProfileOfAuthority('detail'),
  }),
  updateRaProfileValidationConfiguration: operation({
    id: 'updateRaProfileValidationConfiguration',
    summary: 'Update validation configuration of RA profile',
    tag,
    method: 'PATCH',
    path: '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/validation',
    params: raProfileParams,
    body: RaProfileCertificateValidationSettingsUpdateDto,
    success: { status: 200, body: RaProfileDto },
    errors: [400, 401, 403, 422, 500, 502, 503],
    access: raProfileOfAuthority('update'),
    audit: { module: 'certificates', resource: 'raProfiles', operation: 'update' },
  }),
};
