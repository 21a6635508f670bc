// RA profiles: the conditions under which an authority issues certificates.
import { z } from 'zod';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { raProfilePermission } from './ra-profile-access.ts';
import { description, int32, objectName } from '../primitives.ts';
import { BaseAttributeDto, RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { UuidDto, UuidList } from '../shared/objects.ts';
import { queryBoolean } from '../shared/query.ts';
import { CertificateDetailDto } from './certificate-shapes.ts';
import { sightOfCredentials } from './referenced-objects.ts';

/** How the certificates of a profile are validated. If `enabled` is absent, the platform settings apply. */
export const RaProfileCertificateValidationSettingsDto = z
  .object({
    enabled: z.boolean().optional(),
    /** Days between validations. */
    frequency: int32().min(1).optional(),
    /** Days before expiry from which a certificate counts as expiring. */
    expiringThreshold: int32().min(1).optional(),
  })
  .meta({ id: 'RaProfileCertificateValidationSettingsDto' });
export type RaProfileCertificateValidationSettingsDto = z.output<typeof RaProfileCertificateValidationSettingsDto>;

/** `frequency` and `expiringThreshold` apply only if `enabled` is true. */
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
    /** Absent if the authority has been removed. */
    authorityInstanceUuid: z.string().optional(),
    authorityInstanceName: z.string().optional(),
    legacyAuthority: z.boolean().optional(),
    enabled: z.boolean(),
    attributes: z.array(ResponseAttributeDto).optional(),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    enabledProtocols: z.array(z.string()).optional(),
    certificateValidationSettings: RaProfileCertificateValidationSettingsDto.optional(),
    /**
     * True for an internal profile that the platform uses only to issue certificates to its OCSP responders. Omitted
     * from lists.
     */
    usedByPlatform: z.boolean().optional(),
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
    /** Replaces the previous attributes. If absent, they are unchanged. */
    attributes: z.array(RequestAttributeDto).optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'EditRaProfileRequestDto' });
export type EditRaProfileRequestDto = z.output<typeof EditRaProfileRequestDto>;

export const raProfileOperations = operations(
  { tag: 'RA Profile Management', resource: 'raProfiles', module: 'certificates', errors: connectorErrors },
  {
    listRaProfiles: {
      route: 'GET /v1/raProfiles',
      summary: 'List of available RA Profiles',
      query: z.object({ enabled: queryBoolean().optional() }),
      answer: z.array(RaProfileDto),
      errors: [400, 401, 403, 500, 502, 503],
      access: {
        action: 'list',
        filtered: true,
        parent: { resource: 'authorities', action: 'list', filtered: true },
      },
    },
    createRaProfile: {
      route: 'POST /v1/authorities/{authorityUuid}/raProfiles',
      summary: 'Create RA Profile',
      body: AddRaProfileRequestDto,
      created: UuidDto,
      errors: connectorRuleErrors,
      access: {
        action: 'create',
        parent: { resource: 'authorities', action: 'detail', object: 'authorityUuid' },
      },
      audit: 'create',
      also: [sightOfCredentials],
    },
    getRaProfile: {
      route: 'GET /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}',
      summary: 'Details of RA Profile',
      answer: RaProfileDto,
      access: raProfilePermission('detail'),
    },
    getRaProfileWithoutAuthority: {
      route: 'GET /v1/raProfiles/{raProfileUuid}',
      summary: 'Details of RA Profile without Authority',
      answer: RaProfileDto,
      access: { action: 'detail', object: 'raProfileUuid' },
    },
    editRaProfile: {
      route: 'PUT /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}',
      summary: 'Edit RA Profile',
      body: EditRaProfileRequestDto,
      answer: RaProfileDto,
      errors: connectorRuleErrors,
      access: raProfilePermission('update'),
      audit: 'update',
      also: [sightOfCredentials],
    },
    deleteRaProfile: {
      route: 'DELETE /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}',
      summary: 'Delete RA Profile',
      access: raProfilePermission('delete'),
      audit: 'delete',
    },
    deleteRaProfileWithoutAuthority: {
      route: 'DELETE /v1/raProfiles/{raProfileUuid}',
      summary: 'Delete RA Profile without Authority',
      access: { action: 'delete', object: 'raProfileUuid' },
      audit: 'delete',
    },
    bulkDeleteRaProfile: {
      route: 'DELETE /v1/raProfiles',
      summary: 'Delete multiple RA Profiles',
      body: UuidList,
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
    enableRaProfile: {
      route: 'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/enable',
      summary: 'Enable RA Profiles',
      access: raProfilePermission('enable'),
      audit: 'enable',
    },
    disableRaProfile: {
      route: 'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/disable',
      summary: 'Disable RA Profiles',
      access: raProfilePermission('enable'),
      audit: 'disable',
    },
    bulkEnableRaProfile: {
      route: 'PATCH /v1/raProfiles/enable',
      summary: 'Enable multiple RA Profiles',
      body: UuidList,
      access: { action: 'enable' },
      audit: 'enable',
    },
    bulkDisableRaProfile: {
      route: 'PATCH /v1/raProfiles/disable',
      summary: 'Disable multiple RA Profiles',
      body: UuidList,
      access: { action: 'enable' },
      audit: 'disable',
    },
    listRaProfileIssueCertificateAttributes: {
      route: 'GET /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/attributes/issue',
      summary: 'Get issue Certificate Attributes',
      answer: z.array(BaseAttributeDto),
      access: raProfilePermission('ANY'),
    },
    listRaProfileRevokeCertificateAttributes: {
      route: 'GET /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/attributes/revoke',
      summary: 'Get revocation Attributes',
      answer: z.array(BaseAttributeDto),
      access: raProfilePermission('ANY'),
    },
    getAuthorityCertificateChain: {
      route: 'GET /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/caCertificates',
      summary: 'Retrieve certificates of authority belonging to RA profile',
      answer: z.array(CertificateDetailDto),
      access: raProfilePermission('detail'),
    },
    updateRaProfileValidationConfiguration: {
      route: 'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/validation',
      summary: 'Update validation configuration of RA profile',
      body: RaProfileCertificateValidationSettingsUpdateDto,
      answer: RaProfileDto,
      errors: [400, 401, 403, 422, 500, 502, 503],
      access: raProfilePermission('update'),
      audit: 'update',
    },
  },
);
