// SCEP profiles: the rules under which clients of the protocol get certificates.
import { z } from 'zod';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { bounded, description, int32, objectName, url } from '../primitives.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import {
  ProtocolCertificateAssociationsDto,
  ProtocolCertificateAssociationsRequestDto,
} from '../shared/certificate-associations.ts';
import { BulkActionMessageDto, UuidList } from '../shared/objects.ts';
import { queryBoolean } from '../shared/query.ts';
import { SimplifiedRaProfileDto } from '../shared/ra-profile-reference.ts';
import { CertificateDto } from './certificate-shapes.ts';
import { powersOfOwner, sightOf, sightOfCredentials } from './second-objects.ts';

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
  /** Days before the end from which a certificate may be renewed; absent: in the second half of its validity. */
  renewThreshold: int32().optional(),
  /** Absent without an RA profile: nothing is served there. */
  scepUrl: z.string().optional(),
  enableIntune: z.boolean().optional(),
  /**
   * Beyond the published interface. A client that renews with its certificate gets the names of that certificate and no
   * others. Default of a new profile: true. Absent in an answer: the profile is older than the setting, and nobody has
   * decided; names are not bound.
   */
  bindNames: z.boolean().optional(),
  /** Beyond the published interface. The challenge password has fewer than 16 octets and can be guessed. */
  weakSecret: z.boolean().optional(),
};

export const ScepProfileDto = z.object(listed).meta({ id: 'ScepProfileDto' });
export type ScepProfileDto = z.output<typeof ScepProfileDto>;

/** Beyond the published interface. Absent in a request: kept by an edit, the default in a new profile. */
const ownSettings = {
  /** Messages may be encrypted with single or triple DES and signed with SHA-1. Default: false. */
  allowOldClients: z.boolean().optional(),
  /** Requests are kept, and an operator issues or rejects each. Default: false. */
  requireManualApproval: z.boolean().optional(),
  /** Challenges may be one-time secrets of the RA profile. Default: false. */
  oneTimeChallenges: z.boolean().optional(),
  /** Address that is asked about each challenge; empty: nobody is. Default: nobody. */
  challengeWebhookUrl: url().optional(),
  bindNames: listed.bindNames,
};

export const ScepProfileDetailDto = z
  .object({
    ...listed,
    issueCertificateAttributes: z.array(ResponseAttributeDto).optional(),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    /** The recipient of requests and signer of responses; absent after it was deleted. */
    caCertificate: CertificateDto.optional(),
    intuneTenant: z.string().optional(),
    intuneApplicationId: z.string().optional(),
    certificateAssociations: ProtocolCertificateAssociationsDto.optional(),
    /** Is a challenge password kept? It is never shown. */
    hasChallengePassword: z.boolean().optional(),
    /** Is an application key kept? It is never shown. */
    hasIntuneApplicationKey: z.boolean().optional(),
    ...ownSettings,
  })
  .meta({ id: 'ScepProfileDetailDto' });
export type ScepProfileDetailDto = z.output<typeof ScepProfileDetailDto>;

/** What a new profile and an edit have in common. */
const requested = {
  description: description().optional(),
  /** Absent or empty: none, and nothing is served under the name of the profile. */
  raProfileUuid: z.string().optional(),
  issueCertificateAttributes: z.array(RequestAttributeDto),
  /** A certificate of the inventory whose RSA key is in a token and may sign and decrypt. */
  caCertificateUuid: z.string(),
  customAttributes: z.array(RequestAttributeDto).optional(),
  /** Days, not negative; absent or 0: certificates are renewed in the second half of their validity. */
  renewalThreshold: int32().optional(),
  includeCaCertificate: z.boolean().default(false),
  includeCaCertificateChain: z.boolean().default(false),
  /** Never shown. Absent in an edit: it stays; empty: there is none. */
  challengePassword: bounded(MAX_SECRET_LENGTH).optional(),
  /** Microsoft Intune validates requests, instead of challenges. It takes all of the next three. */
  enableIntune: z.boolean().optional(),
  /** Of Microsoft Intune: identifier or domain name. Absent in an edit: it stays. */
  intuneTenant: bounded(MAX_IDENTIFIER_LENGTH).optional(),
  /** Of the application that the platform is in the tenant. Absent in an edit: it stays. */
  intuneApplicationId: bounded(MAX_IDENTIFIER_LENGTH).optional(),
  /** Never shown. Absent in an edit: it stays; empty: there is none. */
  intuneApplicationKey: bounded(MAX_SECRET_LENGTH).optional(),
  certificateAssociations: ProtocolCertificateAssociationsRequestDto.optional(),
  ...ownSettings,
};

/** The name is used in URLs: letters, digits, `-`, `.`, `_` and `~` only. */
export const ScepProfileRequestDto = z
  .object({ name: objectName(), ...requested })
  .meta({ id: 'ScepProfileRequestDto' });
export type ScepProfileRequestDto = z.output<typeof ScepProfileRequestDto>;

export const ScepProfileEditRequestDto = z
  .object({
    ...requested,
    /** Replace the earlier ones; absent: they stay, if the RA profile stays the same. */
    issueCertificateAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ScepProfileEditRequestDto' });
export type ScepProfileEditRequestDto = z.output<typeof ScepProfileEditRequestDto>;

const named = [
  sightOf('raProfiles', 'raProfileUuid'),
  sightOf('certificates', 'caCertificateUuid'),
  sightOf('users', 'certificateAssociations.ownerUuid'),
  powersOfOwner,
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
    /** Those that the caller may see. */
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
