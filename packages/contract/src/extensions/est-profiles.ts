// EST profiles: the rules under which clients of Enrollment over Secure Transport (RFC 7030) get certificates. Not part
// of the published interface, which has no resource for them: permissions on RA profiles apply.
import { z } from 'zod';
import { connectorRuleErrors, objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { bounded, description, int32, objectName, uuid } from '../primitives.ts';
import { raProfilePermission } from '../platform/ra-profile-access.ts';
import { privilegesOfOwner, sightOf, sightOfCredentials } from '../platform/referenced-objects.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import {
  ProtocolCertificateAssociationsDto,
  ProtocolCertificateAssociationsRequestDto,
} from '../shared/certificate-associations.ts';
import { BulkActionMessageDto, UuidDto, UuidList } from '../shared/objects.ts';
import { SimplifiedRaProfileDto } from '../shared/ra-profile-reference.ts';

/** Key types that clients are asked to generate. */
export const EstKeyType = z
  .enum(['ecdsaP256', 'ecdsaP384', 'ecdsaP521', 'rsa2048', 'rsa3072', 'rsa4096'])
  .meta({ id: 'EstKeyType' });
export type EstKeyType = z.output<typeof EstKeyType>;

/**
 * CSR content that /csrattrs requests from clients (RFC 7030 §4.5.2, RFC 9908). If all members are absent, nothing is
 * requested.
 */
export const EstRequestedAttributes = z
  .object({
    /** Attributes that CSRs should contain, e.g. 1.2.840.113549.1.9.7; OIDs in dotted-decimal notation. */
    attributes: z.array(bounded(255)).max(100).optional(),
    keyType: EstKeyType.optional(),
    /** Extensions that CSRs should request, with values chosen by the client; OIDs in dotted-decimal notation. */
    extensions: z.array(bounded(255)).max(100).optional(),
    /** Subject attributes, in encoding order. If a value is absent, the client supplies it. */
    subject: z
      .array(z.object({ type: bounded(255), value: bounded(255).optional() }))
      .max(50)
      .optional(),
    /** DNS names that CSRs should contain as SANs. */
    dnsNames: z.array(bounded(255)).max(100).optional(),
    /** Whether the SANs should contain an IP address, which the client supplies. */
    ipAddress: z.boolean().optional(),
    /**
     * Extensions that CSRs should request with these values. Values are Base64-encoded DER, without the enclosing OCTET
     * STRING.
     */
    extensionValues: z
      .array(z.object({ oid: bounded(255), critical: z.boolean().optional(), value: bounded(8_192) }))
      .max(50)
      .optional(),
    /** Whether to also return a CSR template (RFC 9908 §3.4); only the template contains the subject values. */
    template: z.boolean().optional(),
  })
  .meta({ id: 'EstRequestedAttributes' });
export type EstRequestedAttributes = z.output<typeof EstRequestedAttributes>;

const listed = {
  uuid: uuid(),
  name: z.string(),
  enabled: z.boolean(),
  description: z.string().optional(),
  raProfile: SimplifiedRaProfileDto.optional(),
  /**
   * Whether the profile is also served without a label, at `/.well-known/est`. At most one profile can be the default.
   */
  isDefault: z.boolean(),
  /** Base URL of the EST operations. Absent if there is no RA profile, in which case nothing is served. */
  url: z.string().optional(),
  /**
   * Whether clients that authenticate with a certificate can request only the names in that certificate. Default for a
   * new profile: true. Absent in a response if the profile predates this setting and it was never specified; names are
   * then not restricted.
   */
  bindNames: z.boolean().optional(),
};

export const EstProfileListDto = z.object(listed).meta({ id: 'EstProfileListItem' });
export type EstProfileListDto = z.output<typeof EstProfileListDto>;

const settings = {
  /** Whether clients can authenticate with certificates issued by the RA profile's authority. */
  ownCertificates: z.boolean(),
  /** CA certificates in the inventory. Clients can also authenticate with certificates issued by these CAs. */
  trustedCertificateUuids: z.array(uuid()).max(100),
  /** Whether the RA profile's one-time secrets are accepted as passwords. */
  oneTimePasswords: z.boolean(),
  /** Whether a password is sufficient for a renewal; if not, the certificate being renewed is required. */
  passwordsRenew: z.boolean(),
  /** Whether a renewal must keep the subject and SANs of the certificate being renewed (RFC 7030 §4.2.2). */
  renewalsKeepNames: z.boolean(),
  /** Whether channel binding is required (RFC 7030 §3.5). If a request contains it, it is always checked. */
  requireLinking: z.boolean(),
  requestedAttributes: EstRequestedAttributes,
  /** Whether an operator must approve or reject every request. */
  manualApproval: z.boolean(),
  /** Whether the server generates keys for clients on request (`serverkeygen`). The keys are not stored. */
  serverKeys: z.boolean(),
  /** Retry-After value for clients, in seconds. */
  retryAfter: int32(),
};

export const EstProfileDto = z
  .object({
    ...listed,
    ...settings,
    /** Users who can authenticate with a password defined in the profile. */
    users: z.array(z.object({ username: z.string() })),
    issueCertificateAttributes: z.array(ResponseAttributeDto),
    certificateAssociations: ProtocolCertificateAssociationsDto.optional(),
  })
  .meta({ id: 'EstProfile' });
export type EstProfileDto = z.output<typeof EstProfileDto>;

export const EstUserRequest = z
  .object({
    /** Must not contain a colon, which terminates the username in HTTP (RFC 7617 §2). */
    username: objectName(),
    /** At least 12 characters. If absent, an existing user with this name keeps the current password. */
    password: bounded(255).optional(),
  })
  .meta({ id: 'EstUserRequest' });
export type EstUserRequest = z.output<typeof EstUserRequest>;

const requested = {
  description: description().optional(),
  /** If absent or empty, there is no RA profile, and nothing is served under the profile's name. */
  raProfileUuid: z.string().optional(),
  isDefault: z.boolean().default(false),
  ownCertificates: z.boolean().default(true),
  trustedCertificateUuids: settings.trustedCertificateUuids.default([]),
  oneTimePasswords: z.boolean().default(true),
  passwordsRenew: z.boolean().default(false),
  renewalsKeepNames: z.boolean().default(true),
  bindNames: listed.bindNames,
  requireLinking: z.boolean().default(false),
  requestedAttributes: EstRequestedAttributes.default({}),
  manualApproval: z.boolean().default(false),
  serverKeys: z.boolean().default(false),
  /** From 1 second to 1 day. */
  retryAfter: int32().default(60),
  /** Complete list of users, which replaces the previous one. */
  users: z.array(EstUserRequest).max(1_000).default([]),
  issueCertificateAttributes: z.array(RequestAttributeDto).optional(),
  certificateAssociations: ProtocolCertificateAssociationsRequestDto.optional(),
};

/** The name is used in URLs, so it can contain only letters, digits, `-`, `.`, `_` and `~`. */
export const EstProfileRequestDto = z.object({ name: objectName(), ...requested }).meta({ id: 'EstProfileRequest' });
export type EstProfileRequestDto = z.output<typeof EstProfileRequestDto>;

/** If the attributes are absent, the previous ones are kept unless the RA profile changes. */
export const EstProfileEditRequestDto = z.object(requested).meta({ id: 'EstProfileEditRequest' });
export type EstProfileEditRequestDto = z.output<typeof EstProfileEditRequestDto>;

const seen = [
  sightOf('raProfiles', 'raProfileUuid'),
  sightOf('certificates', 'trustedCertificateUuids'),
  sightOf('users', 'certificateAssociations.ownerUuid'),
  privilegesOfOwner,
  sightOf('groups', 'certificateAssociations.groupUuids'),
  sightOfCredentials,
];

export const estProfileOperations = operations(
  { tag: 'EST Profile Management', resource: 'raProfiles', module: 'protocols', errors: objectErrors },
  {
    listEstProfiles: {
      route: 'GET /x/v1/estProfiles',
      summary: 'List EST Profiles',
      answer: z.array(EstProfileListDto),
      errors: plainErrors,
      access: { action: 'list' },
    },
    createEstProfile: {
      route: 'POST /x/v1/estProfiles',
      summary: 'Create EST Profile',
      body: EstProfileRequestDto,
      created: UuidDto,
      errors: connectorRuleErrors,
      access: { action: 'update' },
      also: seen,
      audit: 'create',
    },
    getEstProfile: {
      route: 'GET /x/v1/estProfiles/{estProfileUuid}',
      summary: 'Get details of EST Profile',
      answer: EstProfileDto,
      access: { action: 'detail' },
    },
    editEstProfile: {
      route: 'PUT /x/v1/estProfiles/{estProfileUuid}',
      summary: 'Edit EST Profile',
      body: EstProfileEditRequestDto,
      answer: EstProfileDto,
      errors: connectorRuleErrors,
      access: { action: 'update' },
      also: seen,
      audit: 'update',
    },
    deleteEstProfile: {
      route: 'DELETE /x/v1/estProfiles/{estProfileUuid}',
      summary: 'Delete EST Profile',
      access: { action: 'update' },
      audit: 'delete',
    },
    bulkDeleteEstProfiles: {
      route: 'DELETE /x/v1/estProfiles/delete',
      summary: 'Delete multiple EST Profiles',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: plainErrors,
      access: { action: 'update' },
      audit: 'delete',
    },
    enableEstProfile: {
      route: 'PATCH /x/v1/estProfiles/{estProfileUuid}/enable',
      summary: 'Enable EST Profile',
      errors: ruleErrors,
      access: { action: 'update' },
      audit: 'enable',
    },
    disableEstProfile: {
      route: 'PATCH /x/v1/estProfiles/{estProfileUuid}/disable',
      summary: 'Disable EST Profile',
      errors: ruleErrors,
      access: { action: 'update' },
      audit: 'disable',
    },
    bulkEnableEstProfiles: {
      route: 'PATCH /x/v1/estProfiles/enable',
      summary: 'Enable multiple EST Profiles',
      body: UuidList,
      errors: plainErrors,
      access: { action: 'update' },
      audit: 'enable',
    },
    bulkDisableEstProfiles: {
      route: 'PATCH /x/v1/estProfiles/disable',
      summary: 'Disable multiple EST Profiles',
      body: UuidList,
      errors: plainErrors,
      access: { action: 'update' },
      audit: 'disable',
    },
    updateEstProfileRaProfile: {
      route: 'PATCH /x/v1/estProfiles/{estProfileUuid}/raprofile/{raProfileUuid}',
      summary: 'Update RA Profile for EST Profile',
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'raProfileUuid' },
      audit: 'updateProtocolIssueProfile',
    },
  },
);

/** `uuid` and `name` identify the EST profile; both are empty if none is activated. */
export const RaProfileEstDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    estAvailable: z.boolean(),
    url: z.string().optional(),
    issueCertificateAttributes: z.array(ResponseAttributeDto).optional(),
  })
  .meta({ id: 'RaProfileEst' });
export type RaProfileEstDto = z.output<typeof RaProfileEstDto>;

export const ActivateEstRequest = z
  .object({
    /** Replaces the attributes from a previous activation. If absent, they are unchanged. */
    issueCertificateAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ActivateEstRequest' });
export type ActivateEstRequest = z.output<typeof ActivateEstRequest>;

export const raProfileEstOperations = operations(
  { tag: 'EST Profile Management', resource: 'raProfiles', module: 'certificates', errors: connectorRuleErrors },
  {
    getEstForRaProfile: {
      route: 'GET /x/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/est',
      summary: 'Get EST details for RA Profile',
      answer: RaProfileEstDto,
      access: raProfilePermission('detail'),
    },
    activateEstForRaProfile: {
      route:
        'PATCH /x/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/est/activate/{estProfileUuid}',
      summary: 'Activate EST for RA Profile',
      body: ActivateEstRequest,
      answer: RaProfileEstDto,
      access: raProfilePermission('update'),
      also: [sightOfCredentials],
      audit: 'activateProtocol',
    },
    deactivateEstForRaProfile: {
      route: 'PATCH /x/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/est/deactivate',
      summary: 'Deactivate EST for RA Profile',
      access: raProfilePermission('update'),
      audit: 'deactivateProtocol',
    },
  },
);
