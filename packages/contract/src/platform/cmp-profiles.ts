// CMP profiles: the rules under which CMP clients get certificates.
import { z } from 'zod';
import { CmpProfileVariant, ProtectionMethod } from '../enums/protocols.ts';
import { objectErrors, operations } from '../operations.ts';
import { bounded, description, int32, MAX_NAME_LENGTH } from '../primitives.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import {
  ProtocolCertificateAssociationsDto,
  ProtocolCertificateAssociationsRequestDto,
} from '../shared/certificate-associations.ts';
import { BulkActionMessageDto, UuidList } from '../shared/objects.ts';
import { SimplifiedRaProfileDto } from '../shared/ra-profile-reference.ts';
import { CertificateDto } from './certificate-shapes.ts';
import { privilegesOfOwner, sightOf, sightOfCredentials } from './referenced-objects.ts';

const MAX_SECRET_LENGTH = 1_000;
/** Length in Base64 characters. */
const MAX_CERTIFICATE_LENGTH = 100_000;
const MAX_CERTIFICATES = 100;

const listed = {
  uuid: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  variant: CmpProfileVariant,
  description: z.string().optional(),
  raProfile: SimplifiedRaProfileDto.optional(),
  /** Absent if there is no RA profile, in which case nothing is served. */
  cmpUrl: z.string().optional(),
  /**
   * Not part of the published interface. Whether clients that authenticate with a certificate can request only the
   * names in that certificate. Default for a new profile: true. Absent in a response if the profile predates this
   * setting and it was never specified; names are then not restricted.
   */
  bindNames: z.boolean().optional(),
  /**
   * Not part of the published interface. True if the shared secret has fewer than 16 bytes and can therefore be
   * guessed.
   */
  weakSecret: z.boolean().optional(),
};

export const CmpProfileDto = z.object(listed).meta({ id: 'CmpProfileDto' });
export type CmpProfileDto = z.output<typeof CmpProfileDto>;

/** Certificates as Base64-encoded DER. */
const certificates = () => z.array(bounded(MAX_CERTIFICATE_LENGTH)).max(MAX_CERTIFICATES);

/**
 * Not part of the published interface. If a setting is absent in a request, an edit keeps its current value, and a new
 * profile uses the default.
 */
const ownSettings = {
  /**
   * Whether clients can request implicit confirmation, so that they need not confirm their certificate (RFC 9810
   * §5.1.1.1). Default: true.
   */
  implicitConfirmation: z.boolean().optional(),
  /** Whether requests can be protected with the RA profile's one-time secrets. Default: true. */
  oneTimeSecrets: z.boolean().optional(),
  /**
   * CAs, other than the RA profile's CA, whose certificates can protect requests, e.g. device manufacturer CAs.
   * Default: none.
   */
  trustedAuthorities: certificates().optional(),
  /**
   * Certificates of registration authorities, which can assert proof of possession (`raVerified`, RFC 4211 §4) and
   * revoke certificates. Default: none.
   */
  registrationAuthorities: certificates().optional(),
  /** Whether an operator must approve or reject every request; clients poll until then. Default: false. */
  requireManualApproval: z.boolean().optional(),
  /**
   * Whether the platform generates the key if a request has none (RFC 9483 §4.1.6). The key is sent in encrypted form
   * together with the certificate and is not stored. Cannot be combined with `requireManualApproval`. Default: false.
   */
  centralKeys: z.boolean().optional(),
  bindNames: listed.bindNames,
  /**
   * Maximum number of iterations that a request's MAC can require; for PBMAC1, the number is multiplied by the number
   * of blocks in its key. From 1,000 to 2,000,000. Default: 100,000.
   */
  maxMacIterations: int32().optional(),
  /**
   * Whether requests can be protected with the shared secret or a signature, regardless of `requestProtectionMethod`,
   * so that a device can enroll with the secret and update its certificate at the same URL. Requires `sharedSecret` and
   * `signingCertificateUuid`. Default: false.
   */
  acceptBothProtections: z.boolean().optional(),
  /**
   * Whether messages must meet the requirements of RFC 9483 that RFC 9810 leaves open: `messageTime`, `senderKID`, a
   * directory name as sender, no `recipNonce` in a first message, and `certReqId` 0. Default: true; false for profiles
   * that predate this setting.
   */
  strictMessages: z.boolean().optional(),
  /**
   * Maximum difference between a message's `messageTime` and the platform's clock in seconds, if `strictMessages` is
   * set; 0 accepts every time. From 0 to 86,400. Default: 300.
   */
  messageTimeTolerance: int32().optional(),
};

export const CmpProfileDetailDto = z
  .object({
    ...listed,
    issueCertificateAttributes: z.array(ResponseAttributeDto).optional(),
    revokeCertificateAttributes: z.array(ResponseAttributeDto).optional(),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    requestProtectionMethod: ProtectionMethod,
    responseProtectionMethod: ProtectionMethod,
    signingCertificate: CertificateDto.optional(),
    certificateAssociations: ProtocolCertificateAssociationsDto.optional(),
    ...ownSettings,
  })
  .meta({ id: 'CmpProfileDetailDto' });
export type CmpProfileDetailDto = z.output<typeof CmpProfileDetailDto>;

/** The name is used in URLs. */
const urlName = () =>
  bounded(MAX_NAME_LENGTH)
    .min(1)
    .regex(/^[A-Za-z0-9._~-]*$/, 'must contain only letters, digits, "-", ".", "_" and "~"');

const requested = {
  name: urlName(),
  variant: CmpProfileVariant,
  description: description().optional(),
  /** If absent or empty, there is no RA profile, and nothing is served under the profile's name. */
  raProfileUuid: z.string().optional(),
  /** If absent in an edit, the previous attributes are kept unless the RA profile changes. */
  issueCertificateAttributes: z.array(RequestAttributeDto).optional(),
  revokeCertificateAttributes: z.array(RequestAttributeDto).optional(),
  customAttributes: z.array(RequestAttributeDto).optional(),
  requestProtectionMethod: ProtectionMethod,
  responseProtectionMethod: ProtectionMethod,
  /** Required if requests are protected with it; never returned. If absent in an edit, it is unchanged. */
  sharedSecret: bounded(MAX_SECRET_LENGTH).optional(),
  /** Required if responses are signed. */
  signingCertificateUuid: z.string().optional(),
  certificateAssociations: ProtocolCertificateAssociationsRequestDto.optional(),
  ...ownSettings,
};

/** The name is used in URLs, so it can contain only letters, digits, `-`, `.`, `_` and `~`. */
export const CmpProfileRequestDto = z.object(requested).meta({ id: 'CmpProfileRequestDto' });
export type CmpProfileRequestDto = z.output<typeof CmpProfileRequestDto>;

/** The name cannot be changed. */
export const CmpProfileEditRequestDto = z.object(requested).meta({ id: 'CmpProfileEditRequestDto' });
export type CmpProfileEditRequestDto = z.output<typeof CmpProfileEditRequestDto>;

const named = [
  sightOf('raProfiles', 'raProfileUuid'),
  sightOf('certificates', 'signingCertificateUuid'),
  sightOf('users', 'certificateAssociations.ownerUuid'),
  privilegesOfOwner,
  sightOf('groups', 'certificateAssociations.groupUuids'),
  sightOfCredentials,
];

export const cmpProfileOperations = operations(
  { tag: 'CMP Profile Management', resource: 'cmpProfiles', module: 'protocols', errors: objectErrors },
  {
    listCmpProfiles: {
      route: 'GET /v1/cmpProfiles',
      summary: 'List CMP Profiles',
      answer: z.array(CmpProfileDto),
      access: { action: 'list', filtered: true },
    },
    createCmpProfile: {
      route: 'POST /v1/cmpProfiles',
      summary: 'Create CMP Profile',
      body: CmpProfileRequestDto,
      created: CmpProfileDetailDto,
      access: { action: 'create' },
      also: named,
      audit: 'create',
    },
    getCmpProfile: {
      route: 'GET /v1/cmpProfiles/{cmpProfileUuid}',
      summary: 'Get details of CMP Profile',
      answer: CmpProfileDetailDto,
      access: { action: 'detail', object: 'cmpProfileUuid' },
    },
    editCmpProfile: {
      route: 'PUT /v1/cmpProfiles/{cmpProfileUuid}',
      summary: 'Edit CMP Profile',
      body: CmpProfileEditRequestDto,
      answer: CmpProfileDetailDto,
      access: { action: 'update', object: 'cmpProfileUuid' },
      also: named,
      audit: 'update',
    },
    deleteCmpProfile: {
      route: 'DELETE /v1/cmpProfiles/{cmpProfileUuid}',
      summary: 'Delete CMP Profile',
      access: { action: 'delete', object: 'cmpProfileUuid' },
      audit: 'delete',
    },
    bulkDeleteCmpProfile: {
      route: 'DELETE /v1/cmpProfiles/delete',
      summary: 'Delete multiple CMP Profiles',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      access: { action: 'delete' },
      audit: 'delete',
    },
    forceDeleteCmpProfiles: {
      route: 'DELETE /v1/cmpProfiles/delete/force',
      summary: 'Force delete multiple CMP Profiles',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: [400, 401, 403, 404, 422, 500],
      access: { action: 'delete' },
      audit: 'forceDelete',
    },
    enableCmpProfile: {
      route: 'PATCH /v1/cmpProfiles/{cmpProfileUuid}/enable',
      summary: 'Enable CMP Profile',
      access: { action: 'enable', object: 'cmpProfileUuid' },
      audit: 'enable',
    },
    disableCmpProfile: {
      route: 'PATCH /v1/cmpProfiles/{cmpProfileUuid}/disable',
      summary: 'Disable CMP Profile',
      access: { action: 'enable', object: 'cmpProfileUuid' },
      audit: 'disable',
    },
    bulkEnableCmpProfile: {
      route: 'PATCH /v1/cmpProfiles/enable',
      summary: 'Enable multiple CMP Profiles',
      body: UuidList,
      access: { action: 'enable' },
      audit: 'enable',
    },
    bulkDisableCmpProfile: {
      route: 'PATCH /v1/cmpProfiles/disable',
      summary: 'Disable multiple CMP Profile',
      body: UuidList,
      access: { action: 'enable' },
      audit: 'disable',
    },
    updateRaProfile_CmpProfile: {
      route: 'PATCH /v1/cmpProfiles/{cmpProfileUuid}/raProfiles/{raProfileUuid}',
      summary: 'Update RA Profile for CMP Profile',
      access: { action: 'update', object: 'cmpProfileUuid' },
      also: [{ resource: 'raProfiles', action: 'detail', object: 'raProfileUuid' }],
      audit: 'updateProtocolIssueProfile',
    },
    /** Certificates that the caller can see. */
    listCmpSigningCertificates: {
      route: 'GET /v1/cmpProfiles/signingCertificates',
      summary: 'Get list of certificates eligible for signing of CMP responses',
      answer: z.array(CertificateDto),
      access: { action: 'list' },
      also: [{ resource: 'certificates', action: 'list' }],
    },
  },
);
