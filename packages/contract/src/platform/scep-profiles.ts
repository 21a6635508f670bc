// SCEP profiles: the rules under which SCEP clients get certificates.
import { z } from 'zod';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { bounded, description, int32, MAX_URL_LENGTH, objectName } from '../primitives.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import {
  ProtocolCertificateAssociationsDto,
  ProtocolCertificateAssociationsRequestDto,
} from '../shared/certificate-associations.ts';
import { BulkActionMessageDto, UuidList } from '../shared/objects.ts';
import { queryBoolean } from '../shared/query.ts';
import { SimplifiedRaProfileDto } from '../shared/ra-profile-reference.ts';
import { CertificateDto } from './certificate-shapes.ts';
import { privilegesOfOwner, sightOf, sightOfCredentials } from './referenced-objects.ts';

const MAX_SECRET_LENGTH = 1_000;
const MAX_IDENTIFIER_LENGTH = 255;

const listed = {
  uuid: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  description: z.string().optional(),
  raProfile: SimplifiedRaProfileDto.optional(),
  includeCaCertificate: z.boolean(),
  includeCaCertificateChain: z.boolean(),
  /**
   * Days before expiry from which a certificate can be renewed. If absent, it can be renewed in the second half of its
   * validity period.
   */
  renewThreshold: int32().optional(),
  /** Absent if there is no RA profile, in which case nothing is served. */
  scepUrl: z.string().optional(),
  enableIntune: z.boolean().optional(),
  /**
   * Not part of the published interface. Whether clients that renew with their certificate can request only the names
   * in that certificate. Default for a new profile: true. Absent in a response if the profile predates this setting and
   * it was never specified; names are then not restricted.
   */
  bindNames: z.boolean().optional(),
  /**
   * Not part of the published interface. True if the challenge password has fewer than 16 bytes and can therefore be
   * guessed.
   */
  weakSecret: z.boolean().optional(),
};

export const ScepProfileDto = z.object(listed).meta({ id: 'ScepProfileDto' });
export type ScepProfileDto = z.output<typeof ScepProfileDto>;

/**
 * Not part of the published interface. If a setting is absent in a request, an edit keeps its current value, and a new
 * profile uses the default.
 */
const ownSettings = {
  /** Whether to accept messages that are encrypted with DES or triple DES or signed with SHA-1. Default: false. */
  allowOldClients: z.boolean().optional(),
  /** Whether an operator must approve or reject every request. Default: false. */
  requireManualApproval: z.boolean().optional(),
  /** Whether the RA profile's one-time secrets are accepted as challenge passwords. Default: false. */
  oneTimeChallenges: z.boolean().optional(),
  /** URL of the webhook that validates each challenge; empty if there is no webhook, which is the default. */
  challengeWebhookUrl: bounded(MAX_URL_LENGTH).optional(),
  bindNames: listed.bindNames,
};

export const ScepProfileDetailDto = z
  .object({
    ...listed,
    issueCertificateAttributes: z.array(ResponseAttributeDto).optional(),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    /** SCEP RA certificate, used to encrypt requests and sign responses; absent if it has been deleted. */
    caCertificate: CertificateDto.optional(),
    intuneTenant: z.string().optional(),
    intuneApplicationId: z.string().optional(),
    certificateAssociations: ProtocolCertificateAssociationsDto.optional(),
    /** Whether a challenge password is stored. It is never returned. */
    hasChallengePassword: z.boolean().optional(),
    /** Whether an application key is stored. It is never returned. */
    hasIntuneApplicationKey: z.boolean().optional(),
    ...ownSettings,
  })
  .meta({ id: 'ScepProfileDetailDto' });
export type ScepProfileDetailDto = z.output<typeof ScepProfileDetailDto>;

/** Members that creation and edit requests have in common. */
const requested = {
  description: description().optional(),
  /** If absent or empty, there is no RA profile, and nothing is served under the profile's name. */
  raProfileUuid: z.string().optional(),
  issueCertificateAttributes: z.array(RequestAttributeDto),
  /** A certificate in the inventory whose RSA key is in a token and can sign and decrypt. */
  caCertificateUuid: z.string(),
  customAttributes: z.array(RequestAttributeDto).optional(),
  /**
   * Number of days; must not be negative. If absent or 0, certificates can be renewed in the second half of their
   * validity period.
   */
  renewalThreshold: int32().optional(),
  includeCaCertificate: z.boolean().default(false),
  includeCaCertificateChain: z.boolean().default(false),
  /** Never returned. If absent in an edit, it is unchanged; if empty, it is removed. */
  challengePassword: bounded(MAX_SECRET_LENGTH).optional(),
  /**
   * Whether requests are validated by Microsoft Intune instead of with challenge passwords. Requires the next three
   * members.
   */
  enableIntune: z.boolean().optional(),
  /** Identifier or domain name of the Microsoft Intune tenant. If absent in an edit, it is unchanged. */
  intuneTenant: bounded(MAX_IDENTIFIER_LENGTH).optional(),
  /** Identifier of the platform's application in the tenant. If absent in an edit, it is unchanged. */
  intuneApplicationId: bounded(MAX_IDENTIFIER_LENGTH).optional(),
  /** Never returned. If absent in an edit, it is unchanged; if empty, it is removed. */
  intuneApplicationKey: bounded(MAX_SECRET_LENGTH).optional(),
  certificateAssociations: ProtocolCertificateAssociationsRequestDto.optional(),
  ...ownSettings,
};

/** The name is used in URLs, so it can contain only letters, digits, `-`, `.`, `_` and `~`. */
export const ScepProfileRequestDto = z
  .object({ name: objectName(), ...requested })
  .meta({ id: 'ScepProfileRequestDto' });
export type ScepProfileRequestDto = z.output<typeof ScepProfileRequestDto>;

export const ScepProfileEditRequestDto = z
  .object({
    ...requested,
    /** Replaces the previous attributes. If absent, the previous ones are kept unless the RA profile changes. */
    issueCertificateAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ScepProfileEditRequestDto' });
export type ScepProfileEditRequestDto = z.output<typeof ScepProfileEditRequestDto>;

const named = [
  sightOf('raProfiles', 'raProfileUuid'),
  sightOf('certificates', 'caCertificateUuid'),
  sightOf('users', 'certificateAssociations.ownerUuid'),
  privilegesOfOwner,
  sightOf('groups', 'certificateAssociations.groupUuids'),
  sightOfCredentials,
];

export const scepProfileOperations = operations(
  { tag: 'SCEP Profile Management', resource: 'scepProfiles', module: 'protocols', errors: objectErrors },
  {
    listScepProfiles: {
      route: 'GET /v1/scepProfiles',
      summary: 'Get list of SCEP Profiles',
      answer: z.array(ScepProfileDto),
      errors: plainErrors,
      access: { action: 'list', filtered: true },
    },
    createScepProfile: {
      route: 'POST /v1/scepProfiles',
      summary: 'Create SCEP Profile',
      body: ScepProfileRequestDto,
      created: ScepProfileDetailDto,
      access: { action: 'create' },
      also: named,
      audit: 'create',
    },
    getScepProfile: {
      route: 'GET /v1/scepProfiles/{uuid}',
      summary: 'Get details of SCEP Profile',
      answer: ScepProfileDetailDto,
      access: { action: 'detail', object: 'uuid' },
    },
    editScepProfile: {
      route: 'PUT /v1/scepProfiles/{uuid}',
      summary: 'Edit SCEP Profile',
      body: ScepProfileEditRequestDto,
      answer: ScepProfileDetailDto,
      access: { action: 'update', object: 'uuid' },
      also: named,
      audit: 'update',
    },
    deleteScepProfile: {
      route: 'DELETE /v1/scepProfiles/{uuid}',
      summary: 'Delete SCEP Profile',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    bulkDeleteScepProfile: {
      route: 'DELETE /v1/scepProfiles/delete',
      summary: 'Delete multiple SCEP Profiles',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: plainErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
    forceDeleteScepProfiles: {
      route: 'DELETE /v1/scepProfiles/delete/force',
      summary: 'Force delete multiple SCEP Profiles',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: [400, 401, 403, 422, 500],
      access: { action: 'delete' },
      audit: 'forceDelete',
    },
    enableScepProfile: {
      route: 'PATCH /v1/scepProfiles/{uuid}/enable',
      summary: 'Enable SCEP Profile',
      access: { action: 'enable', object: 'uuid' },
      audit: 'enable',
    },
    disableScepProfile: {
      route: 'PATCH /v1/scepProfiles/{uuid}/disable',
      summary: 'Disable SCEP Profile',
      access: { action: 'enable', object: 'uuid' },
      audit: 'disable',
    },
    bulkEnableScepProfile: {
      route: 'PATCH /v1/scepProfiles/enable',
      summary: 'Enable multiple SCEP Profiles',
      body: UuidList,
      errors: plainErrors,
      access: { action: 'enable' },
      audit: 'enable',
    },
    bulkDisableScepProfile: {
      route: 'PATCH /v1/scepProfiles/disable',
      summary: 'Disable multiple SCEP Profile',
      body: UuidList,
      errors: plainErrors,
      access: { action: 'enable' },
      audit: 'disable',
    },
    updateRaProfile_ScepProfile: {
      route: 'PATCH /v1/scepProfiles/{uuid}/raProfiles/{raProfileUuid}',
      summary: 'Update RA Profile for SCEP Profile',
      access: { action: 'update', object: 'uuid' },
      also: [{ resource: 'raProfiles', action: 'detail', object: 'raProfileUuid' }],
      audit: 'updateProtocolIssueProfile',
    },
    /** Certificates that the caller can see. */
    listScepCaCertificates: {
      route: 'GET /v1/scepProfiles/caCertificates',
      summary: 'Get list of certificates eligible for CA certificate of SCEP requests',
      query: z.object({ intuneEnabled: queryBoolean() }),
      answer: z.array(CertificateDto),
      errors: plainErrors,
      access: { action: 'list' },
      also: [{ resource: 'certificates', action: 'list' }],
    },
  },
);
