// ACME profiles: under which rules clients of the protocol get certificates.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { description, int32, objectName, url, uuid } from '../primitives.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import {
  ProtocolCertificateAssociationsDto,
  ProtocolCertificateAssociationsRequestDto,
} from '../shared/certificate-associations.ts';
import { BulkActionMessageDto, UuidDto, UuidList, uuidParam } from '../shared/objects.ts';
import { SimplifiedRaProfileDto } from '../shared/ra-profile-reference.ts';
import { sightOf } from './second-objects.ts';

/** Means, like an empty text, that the resolver of the system is asked. */
export const SYSTEM_DNS_RESOLVER = 'System Default';

const listed = {
  uuid: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  description: z.string().optional(),
  raProfile: SimplifiedRaProfileDto.optional(),
  /** Absent without RA profile: nothing is served there. */
  directoryUrl: z.string().optional(),
};

export const AcmeProfileListDto = z.object(listed).meta({ id: 'AcmeProfileListDto' });
export type AcmeProfileListDto = z.output<typeof AcmeProfileListDto>;

/** Beyond the published interface. Absent in a request: kept by an edit, the default in a new profile. */
const ownSettings = {
  /** Accounts need a key that was handed out (RFC 8555 §7.3.4). Default: false. */
  externalAccountRequired: z.boolean().optional(),
  /** Names that a CAA record may permit (RFC 8659); none: CAA is not checked, which is the default. */
  caaIdentities: z.array(z.string()).optional(),
  /** Seconds for which a proof of control counts for further orders; 0, the default: every order proves anew. */
  authorizationReuse: int32().optional(),
  /** Challenges may be looked for on this machine. Default: false. */
  allowLoopbackValidation: z.boolean().optional(),
};

export const AcmeProfileDto = z
  .object({
    ...listed,
    termsOfServiceUrl: z.string().optional(),
    websiteUrl: z.string().optional(),
    /** Absent: the resolver of the system. */
    dnsResolverIp: z.string().optional(),
    dnsResolverPort: z.string().optional(),
    /** Seconds. */
    retryInterval: int32().optional(),
    termsOfServiceChangeDisable: z.boolean().optional(),
    /** Seconds that an order lives. */
    validity: int32().optional(),
    termsOfServiceChangeUrl: z.string().optional(),
    requireContact: z.boolean().optional(),
    requireTermsOfService: z.boolean().optional(),
    issueCertificateAttributes: z.array(ResponseAttributeDto).optional(),
    revokeCertificateAttributes: z.array(ResponseAttributeDto).optional(),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    certificateAssociations: ProtocolCertificateAssociationsDto.optional(),
    ...ownSettings,
  })
  .meta({ id: 'AcmeProfileDto' });
export type AcmeProfileDto = z.output<typeof AcmeProfileDto>;

/** What a new profile and an edit have in common. */
const requested = {
  description: description().optional(),
  termsOfServiceUrl: url().optional(),
  websiteUrl: url().optional(),
  /** An IP address. */
  dnsResolverIp: z.string().default(SYSTEM_DNS_RESOLVER),
  dnsResolverPort: z.string().default('53'),
  /** Absent or empty: none, and nothing is served under the name of the profile. */
  raProfileUuid: z.string().optional(),
  /** Seconds, not negative. */
  retryInterval: int32().default(30),
  /** Seconds, not negative. */
  validity: int32().default(36_000),
  issueCertificateAttributes: z.array(RequestAttributeDto),
  revokeCertificateAttributes: z.array(RequestAttributeDto),
  requireContact: z.boolean().default(false),
  requireTermsOfService: z.boolean().default(false),
  customAttributes: z.array(RequestAttributeDto).optional(),
  certificateAssociations: ProtocolCertificateAssociationsRequestDto.optional(),
  ...ownSettings,
};

/** The name stands in URLs: letters, digits, `-`, `.`, `_` and `~` only. */
export const AcmeProfileRequestDto = z
  .object({ name: objectName(), ...requested })
  .meta({ id: 'AcmeProfileRequestDto' });
export type AcmeProfileRequestDto = z.output<typeof AcmeProfileRequestDto>;

export const AcmeProfileEditRequestDto = z
  .object({
    ...requested,
    /** Take the place of the earlier ones; absent: they stay, as far as the RA profile is the same. */
    issueCertificateAttributes: z.array(RequestAttributeDto).optional(),
    revokeCertificateAttributes: z.array(RequestAttributeDto).optional(),
    termsOfServiceChangeDisable: z.boolean().default(false),
    termsOfServiceChangeUrl: url().optional(),
  })
  .meta({ id: 'AcmeProfileEditRequestDto' });
export type AcmeProfileEditRequestDto = z.output<typeof AcmeProfileEditRequestDto>;

const tag = 'ACME Profile Management';
const audited = { module: 'protocols', resource: 'acmeProfiles' } as const;

export const acmeProfileOperations = {
  listAcmeProfiles: operation({
    id: 'listAcmeProfiles',
    summary: 'List ACME Profiles',
    tag,
    method: 'GET',
    path: '/v1/acmeProfiles',
    success: { status: 200, body: z.array(AcmeProfileListDto) },
    errors: [400, 401, 403, 500],
    access: { resource: 'acmeProfiles', action: 'list', filtered: true },
  }),
  createAcmeProfile: operation({
    id: 'createAcmeProfile',
    summary: 'Create ACME Profile',
    tag,
    method: 'POST',
    path: '/v1/acmeProfiles',
    body: AcmeProfileRequestDto,
    success: { status: 201, body: UuidDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'acmeProfiles', action: 'create' },
    also: [
      sightOf('raProfiles', 'raProfileUuid'),
      sightOf('users', 'certificateAssociations.ownerUuid'),
      sightOf('groups', 'certificateAssociations.groupUuids'),
    ],
    audit: { ...audited, operation: 'create' },
  }),
  getAcmeProfile: operation({
    id: 'getAcmeProfile',
    summary: 'Get details of ACME Profile',
    tag,
    method: 'GET',
    path: '/v1/acmeProfiles/{uuid}',
    params: uuidParam,
    success: { status: 200, body: AcmeProfileDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'acmeProfiles', action: 'detail', object: 'uuid' },
  }),
  editAcmeProfile: operation({
    id: 'editAcmeProfile',
    summary: 'Edit ACME Profile',
    tag,
    method: 'PUT',
    path: '/v1/acmeProfiles/{uuid}',
    params: uuidParam,
    body: AcmeProfileEditRequestDto,
    success: { status: 200, body: AcmeProfileDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'acmeProfiles', action: 'update', object: 'uuid' },
    also: [
      sightOf('raProfiles', 'raProfileUuid'),
      sightOf('users', 'certificateAssociations.ownerUuid'),
      sightOf('groups', 'certificateAssociations.groupUuids'),
    ],
    audit: { ...audited, operation: 'update' },
  }),
  deleteAcmeProfile: operation({
    id: 'deleteAcmeProfile',
    summary: 'Delete ACME Profile',
    tag,
    method: 'DELETE',
    path: '/v1/acmeProfiles/{uuid}',
    params: uuidParam,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'acmeProfiles', action: 'delete', object: 'uuid' },
    audit: { ...audited, operation: 'delete' },
  }),
  bulkDeleteAcmeProfile: operation({
    id: 'bulkDeleteAcmeProfile',
    summary: 'Delete multiple ACME Profiles',
    tag,
    method: 'DELETE',
    path: '/v1/acmeProfiles/delete',
    body: UuidList,
    success: { status: 200, body: z.array(BulkActionMessageDto) },
    errors: [400, 401, 403, 500],
    access: { resource: 'acmeProfiles', action: 'delete' },
    audit: { ...audited, operation: 'delete' },
  }),
  forceDeleteACMEProfiles: operation({
    id: 'forceDeleteACMEProfiles',
    summary: 'Force delete multiple ACME Profiles',
    tag,
    method: 'DELETE',
    path: '/v1/acmeProfiles/delete/force',
    body: UuidList,
    success: { status: 200, body: z.array(BulkActionMessageDto) },
    errors: [400, 401, 403, 422, 500],
    access: { resource: 'acmeProfiles', action: 'delete' },
    audit: { ...audited, operation: 'forceDelete' },
  }),
  enableAcmeProfile: operation({
    id: 'enableAcmeProfile',
    summary: 'Enable ACME Profile',
    tag,
    method: 'PATCH',
    path: '/v1/acmeProfiles/{uuid}/enable',
    params: uuidParam,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'acmeProfiles', action: 'enable', object: 'uuid' },
    audit: { ...audited, operation: 'enable' },
  }),
  disableAcmeProfile: operation({
    id: 'disableAcmeProfile',
    summary: 'Disable ACME Profile',
    tag,
    method: 'PATCH',
    path: '/v1/acmeProfiles/{uuid}/disable',
    params: uuidParam,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'acmeProfiles', action: 'enable', object: 'uuid' },
    audit: { ...audited, operation: 'disable' },
  }),
  bulkEnableAcmeProfile: operation({
    id: 'bulkEnableAcmeProfile',
    summary: 'Enable multiple ACME Profiles',
    tag,
    method: 'PATCH',
    path: '/v1/acmeProfiles/enable',
    body: UuidList,
    success: { status: 204 },
    errors: [400, 401, 403, 500],
    access: { resource: 'acmeProfiles', action: 'enable' },
    audit: { ...audited, operation: 'enable' },
  }),
  bulkDisableAcmeProfile: operation({
    id: 'bulkDisableAcmeProfile',
    summary: 'Disable multiple ACME Profile',
    tag,
    method: 'PATCH',
    path: '/v1/acmeProfiles/disable',
    body: UuidList,
    success: { status: 204 },
    errors: [400, 401, 403, 500],
    access: { resource: 'acmeProfiles', action: 'enable' },
    audit: { ...audited, operation: 'disable' },
  }),
  updateRaProfile_AcmeProfile: operation({
    id: 'updateRaProfile_AcmeProfile',
    summary: 'Update RA Profile for ACME Profile',
    tag,
    method: 'PATCH',
    path: '/v1/acmeProfiles/{uuid}/raprofile/{raProfileUuid}',
    params: z.object({ uuid: uuid(), raProfileUuid: uuid() }),
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'acmeProfiles', action: 'update', object: 'uuid' },
    also: [{ resource: 'raProfiles', action: 'detail', object: 'raProfileUuid' }],
    audit: { ...audited, operation: 'updateProtocolIssueProfile' },
  }),
};
