// EST profiles: under which rules clients of Enrollment over Secure Transport (RFC 7030) get certificates. Not part of
// the published interface, which has no resource for them: rights on RA profiles decide.
import { z } from 'zod';
import { connectorRuleErrors, objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { bounded, description, int32, objectName, uuid } from '../primitives.ts';
import { raProfileOfAuthority } from '../platform/ra-profile-access.ts';
import { powersOfOwner, sightOf, sightOfCredentials } from '../platform/second-objects.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import {
  ProtocolCertificateAssociationsDto,
  ProtocolCertificateAssociationsRequestDto,
} from '../shared/certificate-associations.ts';
import { BulkActionMessageDto, UuidDto, UuidList } from '../shared/objects.ts';
import { SimplifiedRaProfileDto } from '../shared/ra-profile-reference.ts';

/** Kinds of keys that clients are told to make. */
export const EstKeyType = z
  .enum(['ecdsaP256', 'ecdsaP384', 'ecdsaP521', 'rsa2048', 'rsa3072', 'rsa4096'])
  .meta({ id: 'EstKeyType' });
export type EstKeyType = z.output<typeof EstKeyType>;

/** What /csrattrs tells clients of the requests they are to make (RFC 7030 §4.5.2, RFC 9908). All absent: nothing. */
export const EstRequestedAttributes = z
  .object({
    /** Attributes that requests are to have, e.g. 1.2.840.113549.1.9.7; object identifiers in dotted form. */
    attributes: z.array(bounded(255)).max(100).optional(),
    keyType: EstKeyType.optional(),
    /** Extensions that requests are to ask for with values of their own; object identifiers in dotted form. */
    extensions: z.array(bounded(255)).max(100).optional(),
    /** Attributes of the subject, in encoded order. Without a value the client fills it in. */
    subject: z
      .array(z.object({ type: bounded(255), value: bounded(255).optional() }))
      .max(50)
      .optional(),
    /** Alternative names that requests are to have. */
    dnsNames: z.array(bounded(255)).max(100).optional(),
    /** An IP address is to be among the alternative names; the client fills it in. */
    ipAddress: z.boolean().optional(),
    /** Extensions with the values that requests are to ask for: DER in Base64, without the OCTET STRING around it. */
    extensionValues: z
      .array(z.object({ oid: bounded(255), critical: z.boolean().optional(), value: bounded(8_192) }))
      .max(50)
      .optional(),
    /** Tells it as a template as well (RFC 9908 §3.4); only that has the values of the subject. */
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
  /** Served without a label, too: below `/.well-known/est`. One profile at most. */
  isDefault: z.boolean(),
  /** Where clients find it; operations are below. Absent without an RA profile: nothing is served there. */
  url: z.string().optional(),
  /**
   * A client that authenticates with a certificate gets the names of that certificate and no others. Default of a new
   * profile: true. Absent in an answer: the profile is older than the setting, and nobody has decided; names are not
   * bound.
   */
  bindNames: z.boolean().optional(),
};

export const EstProfileListDto = z.object(listed).meta({ id: 'EstProfileListItem' });
export type EstProfileListDto = z.output<typeof EstProfileListDto>;

const settings = {
  /** Certificates that the authority of the RA profile issued identify clients. */
  ownCertificates: z.boolean(),
  /** Authorities of the inventory whose certificates identify clients as well. */
  trustedCertificateUuids: z.array(uuid()).max(100),
  /** One-time secrets of the RA profile are accepted as passwords. */
  oneTimePasswords: z.boolean(),
  /** Passwords are enough to renew; otherwise only the certificate that is renewed is. */
  passwordsRenew: z.boolean(),
  /** A renewal has to have subject and alternative names of its certificate (RFC 7030 §4.2.2). */
  renewalsKeepNames: z.boolean(),
  /** Requests have to be linked to their connection (RFC 7030 §3.5). Where they are linked, it is always checked. */
  requireLinking: z.boolean(),
  requestedAttributes: EstRequestedAttributes,
  /** An operator issues or rejects every request. */
  manualApproval: z.boolean(),
  /** The server makes keys for clients that ask for it (`serverkeygen`), and keeps none of them. */
  serverKeys: z.boolean(),
  /** After how many seconds clients are told to ask again. */
  retryAfter: int32(),
};

export const EstProfileDto = z
  .object({
    ...listed,
    ...settings,
    /** Who may ask with a password of the profile. */
    users: z.array(z.object({ username: z.string() })),
    issueCertificateAttributes: z.array(ResponseAttributeDto),
    certificateAssociations: ProtocolCertificateAssociationsDto.optional(),
  })
  .meta({ id: 'EstProfile' });
export type EstProfileDto = z.output<typeof EstProfileDto>;

export const EstUserRequest = z
  .object({
    /** Without a colon, which ends it in HTTP (RFC 7617 §2). */
    username: objectName(),
    /** At least 12 characters; absent: that of the user of this name stays. */
    password: bounded(255).optional(),
  })
  .meta({ id: 'EstUserRequest' });
export type EstUserRequest = z.output<typeof EstUserRequest>;

const requested = {
  description: description().optional(),
  /** Absent or empty: none, and nothing is served under the name of the profile. */
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
  /** From 1 second to a day. */
  retryAfter: int32().default(60),
  /** The whole list. */
  users: z.array(EstUserRequest).max(1_000).default([]),
  issueCertificateAttributes: z.array(RequestAttributeDto).optional(),
  certificateAssociations: ProtocolCertificateAssociationsRequestDto.optional(),
};

/** The name is used in URLs: letters, digits, `-`, `.`, `_` and `~` only. */
export const EstProfileRequestDto = z.object({ name: objectName(), ...requested }).meta({ id: 'EstProfileRequest' });
export type EstProfileRequestDto = z.output<typeof EstProfileRequestDto>;

/** Attributes that are absent stay, if the RA profile stays the same. */
export const EstProfileEditRequestDto = z.object(requested).meta({ id: 'EstProfileEditRequest' });
export type EstProfileEditRequestDto = z.output<typeof EstProfileEditRequestDto>;

const seen = [
  sightOf('raProfiles', 'raProfileUuid'),
  sightOf('certificates', 'trustedCertificateUuids'),
  sightOf('users', 'certificateAssociations.ownerUuid'),
  powersOfOwner,
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

/** `uuid` and `name` are those of the EST profile; empty while none is activated. */
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
    /** Replace those of an earlier activation; absent: they stay. */
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
      access: raProfileOfAuthority('detail'),
    },
    activateEstForRaProfile: {
      route:
        'PATCH /x/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/est/activate/{estProfileUuid}',
      summary: 'Activate EST for RA Profile',
      body: ActivateEstRequest,
      answer: RaProfileEstDto,
      access: raProfileOfAuthority('update'),
      also: [sightOfCredentials],
      audit: 'activateProtocol',
    },
    deactivateEstForRaProfile: {
      route: 'PATCH /x/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/est/deactivate',
      summary: 'Deactivate EST for RA Profile',
      access: raProfileOfAuthority('update'),
      audit: 'deactivateProtocol',
    },
  },
);
