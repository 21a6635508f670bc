// Token profiles: rules for the use of a token. Each key belongs to a token profile, which defines the key's permitted
// usages. Users are granted permissions on token profiles.
import { z } from 'zod';
import { KeyUsage, TokenInstanceStatus } from '../enums/keys.ts';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { description, objectName, uuid } from '../primitives.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { UuidList } from '../shared/objects.ts';
import { queryBoolean } from '../shared/query.ts';
import { sightOfCredentials } from './referenced-objects.ts';
import type { Action } from './resource-actions.ts';

const usages = () => z.array(KeyUsage);

export const TokenProfileDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    description: z.string().optional(),
    tokenInstanceUuid: z.string(),
    tokenInstanceName: z.string(),
    tokenInstanceStatus: TokenInstanceStatus,
    enabled: z.boolean(),
    /** Usages permitted for new keys. */
    usages: usages(),
  })
  .meta({ id: 'TokenProfileDto' });
export type TokenProfileDto = z.output<typeof TokenProfileDto>;

export const TokenProfileDetailDto = TokenProfileDto.extend({
  attributes: z.array(ResponseAttributeDto),
  customAttributes: z.array(ResponseAttributeDto).optional(),
}).meta({ id: 'TokenProfileDetailDto' });
export type TokenProfileDetailDto = z.output<typeof TokenProfileDetailDto>;

export const AddTokenProfileRequestDto = z
  .object({
    name: objectName(),
    description: description().optional(),
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
    enabled: z.boolean().default(false),
    usage: usages().optional(),
  })
  .meta({ id: 'AddTokenProfileRequestDto' });
export type AddTokenProfileRequestDto = z.output<typeof AddTokenProfileRequestDto>;

/** Absent members, except the description, stay unchanged. */
export const EditTokenProfileRequestDto = z
  .object({
    description: description().optional(),
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
    enabled: z.boolean().optional(),
    usage: usages().optional(),
  })
  .meta({ id: 'EditTokenProfileRequestDto' });
export type EditTokenProfileRequestDto = z.output<typeof EditTokenProfileRequestDto>;

export const TokenProfileKeyUsageRequestDto = z
  .object({ usage: usages() })
  .meta({ id: 'TokenProfileKeyUsageRequestDto' });
export type TokenProfileKeyUsageRequestDto = z.output<typeof TokenProfileKeyUsageRequestDto>;

export const BulkTokenProfileKeyUsageRequestDto = z
  .object({ usage: usages(), uuids: z.array(uuid()) })
  .meta({ id: 'BulkTokenProfileKeyUsageRequestDto' });
export type BulkTokenProfileKeyUsageRequestDto = z.output<typeof BulkTokenProfileKeyUsageRequestDto>;

/** Permission on the profile, and permission to see its token. */
const tokenProfilePermission = <const Name extends Action>(action: Name, object = 'uuid') =>
  ({
    action,
    object,
    parent: { resource: 'tokens', action: 'detail', object: 'tokenInstanceUuid' },
  }) as const;

const listErrors = [400, 401, 403, 500, 502, 503] as const;

export const tokenProfileOperations = operations(
  { tag: 'Token Profile Management', resource: 'tokenProfiles', module: 'keys', errors: connectorErrors },
  {
    listTokenProfiles: {
      route: 'GET /v1/tokenProfiles',
      summary: 'List of available Token Profiles',
      query: z.object({ enabled: queryBoolean().optional() }),
      answer: z.array(TokenProfileDto),
      errors: listErrors,
      access: { action: 'list', filtered: true, parent: { resource: 'tokens', action: 'list', filtered: true } },
    },
    createTokenProfile: {
      route: 'POST /v1/tokens/{tokenInstanceUuid}/tokenProfiles',
      summary: 'Create Token Profile',
      body: AddTokenProfileRequestDto,
      created: TokenProfileDetailDto,
      errors: connectorRuleErrors,
      access: { action: 'create', parent: { resource: 'tokens', action: 'detail', object: 'tokenInstanceUuid' } },
      also: [sightOfCredentials],
      audit: 'create',
    },
    getTokenProfile: {
      route: 'GET /v1/tokens/{tokenInstanceUuid}/tokenProfiles/{uuid}',
      summary: 'Details of Token Profile',
      answer: TokenProfileDetailDto,
      access: tokenProfilePermission('detail'),
    },
    editTokenProfile: {
      route: 'PUT /v1/tokens/{tokenInstanceUuid}/tokenProfiles/{uuid}',
      summary: 'Edit Token Profile',
      body: EditTokenProfileRequestDto,
      answer: TokenProfileDetailDto,
      errors: connectorRuleErrors,
      access: tokenProfilePermission('update'),
      also: [sightOfCredentials],
      audit: 'update',
    },
    deleteTokenProfile: {
      route: 'DELETE /v1/tokens/{tokenInstanceUuid}/tokenProfiles/{uuid}',
      summary: 'Delete Token Profile',
      access: tokenProfilePermission('delete'),
      audit: 'delete',
    },
    deleteTokenProfileWithoutToken: {
      route: 'DELETE /v1/tokenProfiles/{uuid}',
      id: 'deleteRaProfileWithoutTokenInstance',
      summary: 'Delete Token Profile',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    bulkDeleteTokenProfiles: {
      route: 'DELETE /v1/tokenProfiles',
      id: 'deleteTokenProfiles',
      summary: 'Delete multiple Token Profiles',
      body: UuidList,
      errors: [400, 401, 403, 422, 500, 502, 503],
      access: { action: 'delete' },
      audit: 'delete',
    },
    enableTokenProfile: {
      route: 'PATCH /v1/tokens/{tokenInstanceUuid}/tokenProfiles/{uuid}/enable',
      summary: 'Enable Token Profile',
      access: tokenProfilePermission('enable'),
      audit: 'enable',
    },
    disableTokenProfile: {
      route: 'PATCH /v1/tokens/{tokenInstanceUuid}/tokenProfiles/{uuid}/disable',
      summary: 'Disable Token Profile',
      access: tokenProfilePermission('enable'),
      audit: 'disable',
    },
    enableTokenProfiles: {
      route: 'PATCH /v1/tokenProfiles/enable',
      summary: 'Enable multiple Token Profiles',
      body: UuidList,
      errors: listErrors,
      access: { action: 'enable' },
      audit: 'enable',
    },
    disableTokenProfiles: {
      route: 'PATCH /v1/tokenProfiles/disable',
      summary: 'Disable multiple Token Profiles',
      body: UuidList,
      errors: listErrors,
      access: { action: 'enable' },
      audit: 'disable',
    },
    updateTokenProfileUsages: {
      route: 'PUT /v1/tokens/{tokenInstanceUuid}/tokenProfiles/{tokenProfileUuid}/usages',
      id: 'updateKeyUsages_TokenProfile',
      summary: 'Update Key Usage',
      body: TokenProfileKeyUsageRequestDto,
      access: tokenProfilePermission('update', 'tokenProfileUuid'),
      audit: 'updateKeyUsage',
    },
    bulkUpdateTokenProfileUsages: {
      route: 'PUT /v1/tokens/usages',
      id: 'updateKeysUsages_TokenProfile',
      summary: 'Update Key Usages for Multiple Token Profiles',
      body: BulkTokenProfileKeyUsageRequestDto,
      errors: listErrors,
      access: { action: 'update' },
      audit: 'updateKeyUsage',
    },
  },
);
