// ACME profiles: the rules under which ACME clients get certificates.
import { z } from 'zod';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { description, int32, objectName, url } from '../primitives.ts';
import { AcmeNamePolicy } from '../shared/acme-name-policy.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import {
  ProtocolCertificateAssociationsDto,
  ProtocolCertificateAssociationsRequestDto,
} from '../shared/certificate-associations.ts';
import { BulkActionMessageDto, UuidDto, UuidList } from '../shared/objects.ts';
import { SimplifiedRaProfileDto } from '../shared/ra-profile-reference.ts';
import { privilegesOfOwner, sightOf, sightOfCredentials } from './referenced-objects.ts';

/** Equivalent to an empty string: the system's resolver is used. */
export const SYSTEM_DNS_RESOLVER = 'System Default';

const listed = {
  uuid: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  description: z.string().optional(),
  raProfile: SimplifiedRaProfileDto.optional(),
  /** Absent if there is no RA profile, in which case no directory is served. */
  directoryUrl: z.string().optional(),
};

export const AcmeProfileListDto = z.object(listed).meta({ id: 'AcmeProfileListDto' });
export type AcmeProfileListDto = z.output<typeof AcmeProfileListDto>;

/** A profile that clients can select by name (draft-ietf-acme-profiles-00). Not part of the published interface. */
export const AcmeOfferedProfile = z
  .object({
    /** 1 to 64 letters, digits, `.`, `_` and `-`. */
    name: z.string(),
    /** Explains to users what distinguishes the profile's certificates. */
    description: description(),
    raProfileUuid: z.string(),
  })
  .meta({ id: 'AcmeOfferedProfile' });
export type AcmeOfferedProfile = z.output<typeof AcmeOfferedProfile>;

/**
 * Challenges in addition to http-01, dns-01 and tls-alpn-01: draft-ietf-acme-dns-account-label and
 * draft-ietf-acme-dns-persist. Not part of the published interface.
 */
export const AcmeAdditionalChallenge = z
  .enum(['dns-account-01', 'dns-persist-01'])
  .meta({ id: 'AcmeAdditionalChallenge' });
export type AcmeAdditionalChallenge = z.output<typeof AcmeAdditionalChallenge>;

/**
 * Not part of the published interface. If a setting is absent, an edit keeps its current value, and a new
 * profile uses the default.
 */
const ownSettings = {
  /** Whether accounts require an external account binding key (RFC 8555 §7.3.4). Default: false. */
  externalAccountRequired: z.boolean().optional(),
  /**
   * Whether names are not validated for accounts with an external account binding whose key has allowed names. Orders
   * are restricted to these names, and CAA is still checked. Default: false.
   */
  externalAccountValidates: z.boolean().optional(),
  /**
   * Issuer domain names accepted in CAA records (RFC 8659). If empty, CAA is not checked. If absent in a response, CAA
   * is checked by default.
   */
  caaIdentities: z.array(z.string()).optional(),
  /**
   * Whether CAA records of public names are checked against the host of the public URL, instead of `caaIdentities`.
   * Default for a new profile without `caaIdentities`: true.
   */
  caaByDefault: z.boolean().optional(),
  /**
   * Number of seconds for which a validation can be reused for further orders. Default: 0, which means that each order
   * is validated again.
   */
  authorizationReuse: int32().optional(),
  /** Whether challenges can be validated on this machine. Default: false. */
  allowLoopbackValidation: z.boolean().optional(),
  /** Names that can be ordered. Default: `{}`, which permits all names that the RA profile allows. */
  namePolicy: AcmeNamePolicy.optional(),
  /** RA profiles that clients can select instead of the profile's own. Default: none. */
  offeredProfiles: z.array(AcmeOfferedProfile).optional(),
  /** Challenges offered in addition to the standard ones; dns-persist-01 requires a CAA issuer. Default: none. */
  additionalChallenges: z.array(AcmeAdditionalChallenge).optional(),
};

export const AcmeProfileDto = z
  .object({
    ...listed,
    termsOfServiceUrl: z.string().optional(),
    websiteUrl: z.string().optional(),
    /** If absent, the system's resolver is used. */
    dnsResolverIp: z.string().optional(),
    dnsResolverPort: z.string().optional(),
    /** Retry interval in seconds. */
    retryInterval: int32().optional(),
    termsOfServiceChangeDisable: z.boolean().optional(),
    /** Order lifetime in seconds. */
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

/** Members that creation and edit requests have in common. */
const requested = {
  description: description().optional(),
  termsOfServiceUrl: url().optional(),
  websiteUrl: url().optional(),
  /** IP address of a DNS resolver. */
  dnsResolverIp: z.string().default(SYSTEM_DNS_RESOLVER),
  dnsResolverPort: z.string().default('53'),
  /** If absent or empty, there is no RA profile, and nothing is served under the profile's name. */
  raProfileUuid: z.string().optional(),
  /** Retry interval in seconds; must not be negative. */
  retryInterval: int32().default(30),
  /** Order lifetime in seconds; must not be negative. */
  validity: int32().default(36_000),
  issueCertificateAttributes: z.array(RequestAttributeDto),
  revokeCertificateAttributes: z.array(RequestAttributeDto),
  requireContact: z.boolean().default(false),
  requireTermsOfService: z.boolean().default(false),
  customAttributes: z.array(RequestAttributeDto).optional(),
  certificateAssociations: ProtocolCertificateAssociationsRequestDto.optional(),
  ...ownSettings,
};

/** The name is used in URLs, so it can contain only letters, digits, `-`, `.`, `_` and `~`. */
export const AcmeProfileRequestDto = z
  .object({ name: objectName(), ...requested })
  .meta({ id: 'AcmeProfileRequestDto' });
export type AcmeProfileRequestDto = z.output<typeof AcmeProfileRequestDto>;

export const AcmeProfileEditRequestDto = z
  .object({
    ...requested,
    /** Replaces the previous attributes. If absent, the previous ones are kept unless the RA profile changes. */
    issueCertificateAttributes: z.array(RequestAttributeDto).optional(),
    revokeCertificateAttributes: z.array(RequestAttributeDto).optional(),
    termsOfServiceChangeDisable: z.boolean().default(false),
    termsOfServiceChangeUrl: url().optional(),
  })
  .meta({ id: 'AcmeProfileEditRequestDto' });
export type AcmeProfileEditRequestDto = z.output<typeof AcmeProfileEditRequestDto>;

export const acmeProfileOperations = operations(
  { tag: 'ACME Profile Management', resource: 'acmeProfiles', module: 'protocols', errors: objectErrors },
  {
    listAcmeProfiles: {
      route: 'GET /v1/acmeProfiles',
      summary: 'List ACME Profiles',
      answer: z.array(AcmeProfileListDto),
      errors: plainErrors,
      access: { action: 'list', filtered: true },
    },
    createAcmeProfile: {
      route: 'POST /v1/acmeProfiles',
      summary: 'Create ACME Profile',
      body: AcmeProfileRequestDto,
      created: UuidDto,
      access: { action: 'create' },
      also: [
        sightOf('raProfiles', 'raProfileUuid'),
        sightOf('raProfiles', 'offeredProfiles.raProfileUuid'),
        sightOf('users', 'certificateAssociations.ownerUuid'),
        privilegesOfOwner,
        sightOf('groups', 'certificateAssociations.groupUuids'),
        sightOfCredentials,
      ],
      audit: 'create',
    },
    getAcmeProfile: {
      route: 'GET /v1/acmeProfiles/{uuid}',
      summary: 'Get details of ACME Profile',
      answer: AcmeProfileDto,
      access: { action: 'detail', object: 'uuid' },
    },
    editAcmeProfile: {
      route: 'PUT /v1/acmeProfiles/{uuid}',
      summary: 'Edit ACME Profile',
      body: AcmeProfileEditRequestDto,
      answer: AcmeProfileDto,
      access: { action: 'update', object: 'uuid' },
      also: [
        sightOf('raProfiles', 'raProfileUuid'),
        sightOf('raProfiles', 'offeredProfiles.raProfileUuid'),
        sightOf('users', 'certificateAssociations.ownerUuid'),
        privilegesOfOwner,
        sightOf('groups', 'certificateAssociations.groupUuids'),
        sightOfCredentials,
      ],
      audit: 'update',
    },
    deleteAcmeProfile: {
      route: 'DELETE /v1/acmeProfiles/{uuid}',
      summary: 'Delete ACME Profile',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    bulkDeleteAcmeProfile: {
      route: 'DELETE /v1/acmeProfiles/delete',
      summary: 'Delete multiple ACME Profiles',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: plainErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
    forceDeleteACMEProfiles: {
      route: 'DELETE /v1/acmeProfiles/delete/force',
      summary: 'Force delete multiple ACME Profiles',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: [400, 401, 403, 422, 500],
      access: { action: 'delete' },
      audit: 'forceDelete',
    },
    enableAcmeProfile: {
      route: 'PATCH /v1/acmeProfiles/{uuid}/enable',
      summary: 'Enable ACME Profile',
      access: { action: 'enable', object: 'uuid' },
      audit: 'enable',
    },
    disableAcmeProfile: {
      route: 'PATCH /v1/acmeProfiles/{uuid}/disable',
      summary: 'Disable ACME Profile',
      access: { action: 'enable', object: 'uuid' },
      audit: 'disable',
    },
    bulkEnableAcmeProfile: {
      route: 'PATCH /v1/acmeProfiles/enable',
      summary: 'Enable multiple ACME Profiles',
      body: UuidList,
      errors: plainErrors,
      access: { action: 'enable' },
      audit: 'enable',
    },
    bulkDisableAcmeProfile: {
      route: 'PATCH /v1/acmeProfiles/disable',
      summary: 'Disable multiple ACME Profile',
      body: UuidList,
      errors: plainErrors,
      access: { action: 'enable' },
      audit: 'disable',
    },
    updateRaProfile_AcmeProfile: {
      route: 'PATCH /v1/acmeProfiles/{uuid}/raprofile/{raProfileUuid}',
      summary: 'Update RA Profile for ACME Profile',
      access: { action: 'update', object: 'uuid' },
      also: [{ resource: 'raProfiles', action: 'detail', object: 'raProfileUuid' }],
      audit: 'updateProtocolIssueProfile',
    },
  },
);
