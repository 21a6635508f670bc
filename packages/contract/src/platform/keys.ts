// Keys in tokens: creation, listing, usage restrictions, and destruction. Long because it is a table of operations.
import { z } from 'zod';
import { KeyCompromiseReason, KeyRequestType, KeyUsage } from '../enums/keys.ts';
import {
  connectorErrors,
  connectorRuleErrors,
  objectErrors,
  operations,
  plainErrors,
  ruleErrors,
} from '../operations.ts';
import { description, objectName, uuid } from '../primitives.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import { UuidList } from '../shared/objects.ts';
import { SearchFieldDataByGroupDto, SearchRequestDto } from '../shared/search.ts';
import {
  CryptographicKeyResponseDto,
  KeyDetailDto,
  KeyDto,
  KeyEventHistoryDto,
  KeyItemDetailDto,
} from './key-shapes.ts';
import type { Action } from './resource-actions.ts';
import {
  exportOfMovedKey,
  tokenMembership,
  privilegesOfOwner,
  sightOf,
  sightOfCredentials,
} from './referenced-objects.ts';

/** `enabled` applies to the key's items and can later be changed for each item separately. */
export const KeyRequestDto = z
  .object({
    name: objectName(),
    description: description(),
    groupUuids: z.array(z.string()).optional(),
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
    enabled: z.boolean().default(false),
  })
  .meta({ id: 'KeyRequestDto' });
export type KeyRequestDto = z.output<typeof KeyRequestDto>;

/**
 * Absent members stay unchanged. An empty array removes the groups; an empty string removes the owner. The token
 * profile can be changed to a different profile for the same token.
 */
export const EditKeyRequestDto = z
  .object({
    tokenProfileUuid: z.string().optional(),
    name: objectName(),
    description: description(),
    ownerUuid: z.string().optional(),
    groupUuids: z.array(z.string()).optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'EditKeyRequestDto' });
export type EditKeyRequestDto = z.output<typeof EditKeyRequestDto>;

export const EditKeyItemDto = z.object({ name: objectName() }).meta({ id: 'EditKeyItemDto' });
export type EditKeyItemDto = z.output<typeof EditKeyItemDto>;

/** The specified items or, if absent, all items of the key. */
const chosenItems = { uuids: z.array(uuid()).optional() };

export const CompromiseKeyRequestDto = z
  .object({ reason: KeyCompromiseReason, ...chosenItems })
  .meta({ id: 'CompromiseKeyRequestDto' });
export type CompromiseKeyRequestDto = z.output<typeof CompromiseKeyRequestDto>;

export const BulkCompromiseKeyRequestDto = CompromiseKeyRequestDto.meta({ id: 'BulkCompromiseKeyRequestDto' });
export type BulkCompromiseKeyRequestDto = z.output<typeof BulkCompromiseKeyRequestDto>;

export const BulkCompromiseKeyItemRequestDto = CompromiseKeyRequestDto.meta({ id: 'BulkCompromiseKeyItemRequestDto' });
export type BulkCompromiseKeyItemRequestDto = z.output<typeof BulkCompromiseKeyItemRequestDto>;

export const UpdateKeyUsageRequestDto = z
  .object({ usage: z.array(KeyUsage), ...chosenItems })
  .meta({ id: 'UpdateKeyUsageRequestDto' });
export type UpdateKeyUsageRequestDto = z.output<typeof UpdateKeyUsageRequestDto>;

const bulkUsageRequest = <const Id extends string>(id: Id) =>
  z.object({ usage: z.array(KeyUsage), uuids: z.array(uuid()) }).meta({ id });

export const BulkKeyUsageRequestDto = bulkUsageRequest('BulkKeyUsageRequestDto');
export type BulkKeyUsageRequestDto = z.output<typeof BulkKeyUsageRequestDto>;

export const BulkKeyItemUsageRequestDto = bulkUsageRequest('BulkKeyItemUsageRequestDto');
export type BulkKeyItemUsageRequestDto = z.output<typeof BulkKeyItemUsageRequestDto>;

const one = <const Name extends Action>(action: Name) => ({ action, object: 'uuid' }) as const;
const tokenKeyPermission = <const Name extends Action>(action: Name) =>
  ({ ...one(action), parent: { resource: 'tokens', action: 'detail', object: 'tokenInstanceUuid' } }) as const;
const bulkPermission = <const Name extends Action>(action: Name) => ({ action, named: 'uuids' }) as const;

const creationParams = z.object({ tokenInstanceUuid: uuid(), tokenProfileUuid: uuid(), type: KeyRequestType });

/** Requests that involve the provider, which destroys the keys. */
const destroying = { errors: connectorRuleErrors, body: UuidList, bodyOptional: true } as const;
/** The specified items of the key or, if none are specified, all of them. */
const ofItems = { errors: ruleErrors, body: UuidList, bodyOptional: true } as const;

export const keyManagementOperations = operations(
  { tag: 'Cryptographic Key Management', resource: 'keys', module: 'keys', errors: objectErrors },
  {
    listKeys: {
      route: 'POST /v1/keys',
      id: 'listCryptographicKeys',
      summary: 'List cryptographic keys',
      body: SearchRequestDto,
      answer: CryptographicKeyResponseDto,
      errors: plainErrors,
      access: { action: 'list', filtered: true, parent: { resource: 'tokens', action: 'members', filtered: true } },
    },
    getKeySearchFields: {
      route: 'GET /v1/keys/search',
      id: 'getSearchableFieldInformation_CryptographicKey',
      summary: 'Get CryptographicKey searchable fields information',
      answer: z.array(SearchFieldDataByGroupDto),
      errors: plainErrors,
      access: 'authenticated',
    },
    /** Returns only key pairs whose token profile is enabled and whose two items are both active and enabled. */
    listKeyPairs: {
      route: 'GET /v1/keys/pairs',
      summary: 'List Cryptographic Keys with full Key Pairs',
      query: z.object({ tokenProfileUuid: uuid().optional() }),
      answer: z.array(KeyDto),
      errors: plainErrors,
      access: { action: 'list', filtered: true, parent: { resource: 'tokens', action: 'members', filtered: true } },
    },
    listCreateKeyAttributes: {
      route: 'GET /v1/tokens/{tokenInstanceUuid}/tokenProfiles/{tokenProfileUuid}/keys/{type}/attributes',
      summary: 'List of Attributes to create a Key',
      params: creationParams,
      answer: z.array(BaseAttributeDto),
      errors: connectorErrors,
      access: { action: 'ANY', parent: { resource: 'tokenProfiles', action: 'detail', object: 'tokenProfileUuid' } },
    },
    createKey: {
      route: 'POST /v1/tokens/{tokenInstanceUuid}/tokenProfiles/{tokenProfileUuid}/keys/{type}',
      summary: 'Create a new Cryptographic Key',
      params: creationParams,
      body: KeyRequestDto,
      created: KeyDetailDto,
      errors: connectorRuleErrors,
      access: { action: 'create', parent: { resource: 'tokens', action: 'detail', object: 'tokenInstanceUuid' } },
      also: [
        { resource: 'tokenProfiles', action: 'detail', object: 'tokenProfileUuid' },
        sightOf('groups', 'groupUuids'),
        sightOfCredentials,
      ],
      audit: 'create',
    },
    /** Imports keys that are in the token but not yet known to the platform. Imported keys are disabled. */
    syncKeys: {
      route: 'PATCH /v1/tokens/{tokenInstanceUuid}/sync',
      summary: 'Sync Keys from connector',
      errors: connectorRuleErrors,
      access: { action: 'create', parent: { resource: 'tokens', action: 'detail', object: 'tokenInstanceUuid' } },
      audit: 'sync',
    },
    getKey: {
      route: 'GET /v1/keys/{uuid}',
      summary: 'Get Cryptographic Key Detail',
      answer: KeyDetailDto,
      access: one('detail'),
      also: [tokenMembership],
    },
    getKeyWithToken: {
      route: 'GET /v1/tokens/{tokenInstanceUuid}/keys/{uuid}',
      summary: 'Get Cryptographic Key Detail with Token Instance',
      answer: KeyDetailDto,
      access: tokenKeyPermission('detail'),
      also: [tokenMembership],
    },
    editKey: {
      route: 'PUT /v1/keys/{uuid}',
      summary: 'Edit Key',
      body: EditKeyRequestDto,
      answer: KeyDetailDto,
      errors: ruleErrors,
      access: one('update'),
      also: [
        tokenMembership,
        sightOf('tokenProfiles', 'tokenProfileUuid'),
        sightOf('groups', 'groupUuids'),
        sightOf('users', 'ownerUuid'),
        privilegesOfOwner,
        exportOfMovedKey,
      ],
      audit: 'update',
    },
    getKeyItem: {
      route: 'GET /v1/keys/{uuid}/items/{keyItemUuid}',
      summary: 'Get Cryptographic Key Detail',
      answer: KeyItemDetailDto,
      access: one('detail'),
      also: [tokenMembership],
    },
    getKeyItemWithToken: {
      route: 'GET /v1/tokens/{tokenInstanceUuid}/keys/{uuid}/items/{keyItemUuid}',
      summary: 'Get Cryptographic Key Detail with Token Instance',
      answer: KeyItemDetailDto,
      access: tokenKeyPermission('detail'),
      also: [tokenMembership],
    },
    editKeyItem: {
      route: 'PATCH /v1/keys/{uuid}/items/{keyItemUuid}',
      summary: 'Edit Key Item',
      body: EditKeyItemDto,
      answer: KeyItemDetailDto,
      errors: ruleErrors,
      access: one('update'),
      also: [tokenMembership],
      audit: 'update',
    },
    getKeyItemHistory: {
      route: 'GET /v1/keys/{uuid}/items/{keyItemUuid}/history',
      id: 'getEventHistory',
      summary: 'Get Key Item event history',
      answer: z.array(KeyEventHistoryDto),
      access: one('detail'),
      also: [tokenMembership],
    },
    getKeyItemHistoryWithToken: {
      route: 'GET /v1/tokens/{tokenInstanceUuid}/keys/{uuid}/items/{keyItemUuid}/history',
      id: 'getEventHistoryWithToken',
      summary: 'Get Key Item event history with Token Instance',
      answer: z.array(KeyEventHistoryDto),
      access: tokenKeyPermission('detail'),
      also: [tokenMembership],
    },

    // ---- operations on key items; an empty array selects all items of the key ----

    enableKey: {
      route: 'PATCH /v1/keys/{uuid}/enable',
      summary: 'Enable Key',
      ...ofItems,
      access: one('enable'),
      also: [tokenMembership],
      audit: 'enable',
    },
    enableKeyWithToken: {
      route: 'PATCH /v1/tokens/{tokenInstanceUuid}/keys/{uuid}/enable',
      summary: 'Enable Key with Token Instance',
      ...ofItems,
      access: tokenKeyPermission('enable'),
      also: [tokenMembership],
      audit: 'enable',
    },
    disableKey: {
      route: 'PATCH /v1/keys/{uuid}/disable',
      summary: 'Disable Key',
      ...ofItems,
      access: one('enable'),
      also: [tokenMembership],
      audit: 'disable',
    },
    disableKeyWithToken: {
      route: 'PATCH /v1/tokens/{tokenInstanceUuid}/keys/{uuid}/disable',
      summary: 'Disable Key with Token Instance',
      ...ofItems,
      access: tokenKeyPermission('enable'),
      also: [tokenMembership],
      audit: 'disable',
    },
    updateKeyUsages: {
      route: 'PUT /v1/keys/{uuid}/usages',
      id: 'updateKeyUsages_CryptographicKey',
      summary: 'Update Key Usage',
      body: UpdateKeyUsageRequestDto,
      errors: ruleErrors,
      access: one('update'),
      also: [tokenMembership],
      audit: 'updateKeyUsage',
    },
    updateKeyUsagesWithToken: {
      route: 'PUT /v1/tokens/{tokenInstanceUuid}/keys/{uuid}/usages',
      summary: 'Update Key Usage with Token Instance',
      body: UpdateKeyUsageRequestDto,
      errors: ruleErrors,
      access: tokenKeyPermission('update'),
      also: [tokenMembership],
      audit: 'updateKeyUsage',
    },
    compromiseKey: {
      route: 'PATCH /v1/keys/{uuid}/compromise',
      summary: 'Mark Key and its Items as Compromised',
      body: CompromiseKeyRequestDto,
      errors: ruleErrors,
      access: one('update'),
      also: [tokenMembership],
      audit: 'compromise',
    },
    compromiseKeyWithToken: {
      route: 'PATCH /v1/tokens/{tokenInstanceUuid}/keys/{uuid}/compromise',
      summary: 'Mark Key and its Items as Compromised with Token Instance',
      body: CompromiseKeyRequestDto,
      errors: ruleErrors,
      access: tokenKeyPermission('update'),
      also: [tokenMembership],
      audit: 'compromise',
    },
    destroyKey: {
      route: 'PATCH /v1/keys/{uuid}/destroy',
      summary: 'Destroy Cryptographic Key',
      ...destroying,
      access: one('delete'),
      also: [tokenMembership],
      audit: 'destroy',
    },
    destroyKeyWithToken: {
      route: 'PATCH /v1/tokens/{tokenInstanceUuid}/keys/{uuid}/destroy',
      summary: 'Destroy Cryptographic Key with Token Instance',
      ...destroying,
      access: tokenKeyPermission('delete'),
      also: [tokenMembership],
      audit: 'destroy',
    },
    deleteKey: {
      route: 'DELETE /v1/keys/{uuid}',
      summary: 'Delete Cryptographic Key',
      ...destroying,
      access: one('delete'),
      also: [tokenMembership],
      audit: 'delete',
    },
    deleteKeyWithToken: {
      route: 'DELETE /v1/tokens/{tokenInstanceUuid}/keys/{uuid}',
      summary: 'Delete Cryptographic Key with Token Instance',
      ...destroying,
      access: tokenKeyPermission('delete'),
      also: [tokenMembership],
      audit: 'delete',
    },

    // ---- bulk operations: rejected objects do not affect the others, and are listed in the 422 response ----

    enableKeys: {
      route: 'PATCH /v1/keys/enable',
      summary: 'Enable multiple Keys',
      body: UuidList,
      errors: [400, 401, 403, 422, 500],
      access: { action: 'enable' },
      also: [tokenMembership],
      audit: 'enable',
    },
    disableKeys: {
      route: 'PATCH /v1/keys/disable',
      summary: 'Disable multiple Keys',
      body: UuidList,
      errors: [400, 401, 403, 422, 500],
      access: { action: 'enable' },
      also: [tokenMembership],
      audit: 'disable',
    },
    updateKeysUsages: {
      route: 'PUT /v1/keys/usages',
      id: 'updateKeysUsages_CryptographicKey',
      summary: 'Update Key Usages for Multiple Keys',
      body: BulkKeyUsageRequestDto,
      errors: [400, 401, 403, 422, 500],
      access: bulkPermission('update'),
      also: [tokenMembership],
      audit: 'updateKeyUsage',
    },
    compromiseKeys: {
      route: 'PATCH /v1/keys/compromise',
      summary: 'Mark Multiple Key and all its Items as Compromised',
      body: BulkCompromiseKeyRequestDto,
      errors: [400, 401, 403, 422, 500],
      access: bulkPermission('update'),
      also: [tokenMembership],
      audit: 'compromise',
    },
    destroyKeys: {
      route: 'PATCH /v1/keys/destroy',
      summary: 'Destroy Multiple Cryptographic Key and its items',
      body: UuidList,
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      also: [tokenMembership],
      audit: 'destroy',
    },
    deleteKeys: {
      route: 'DELETE /v1/keys',
      summary: 'Delete Multiple Cryptographic Key',
      body: UuidList,
      errors: [400, 401, 403, 422, 500, 502, 503],
      access: { action: 'delete' },
      also: [tokenMembership],
      audit: 'delete',
    },
    enableKeyItems: {
      route: 'PATCH /v1/keys/items/enable',
      summary: 'Enable multiple Key Items',
      body: UuidList,
      errors: [400, 401, 403, 422, 500],
      access: { action: 'enable' },
      also: [tokenMembership],
      audit: 'enable',
    },
    disableKeyItems: {
      route: 'PATCH /v1/keys/items/disable',
      summary: 'Disable multiple Key Items',
      body: UuidList,
      errors: [400, 401, 403, 422, 500],
      access: { action: 'enable' },
      also: [tokenMembership],
      audit: 'disable',
    },
    updateKeyItemUsages: {
      route: 'PUT /v1/keys/items/usages',
      summary: 'Update Key Usages for Multiple Key Items',
      body: BulkKeyItemUsageRequestDto,
      errors: [400, 401, 403, 422, 500],
      access: bulkPermission('update'),
      also: [tokenMembership],
      audit: 'updateKeyUsage',
    },
    compromiseKeyItems: {
      route: 'PATCH /v1/keys/items/compromise',
      summary: 'Mark Multiple Key Items as Compromised',
      body: BulkCompromiseKeyItemRequestDto,
      errors: [400, 401, 403, 422, 500],
      access: bulkPermission('update'),
      also: [tokenMembership],
      audit: 'compromise',
    },
    destroyKeyItems: {
      route: 'PATCH /v1/keys/items/destroy',
      summary: 'Destroy Multiple Cryptographic Key items',
      body: UuidList,
      errors: [400, 401, 403, 422, 500, 502, 503],
      access: { action: 'delete' },
      also: [tokenMembership],
      audit: 'destroy',
    },
    deleteKeyItems: {
      route: 'DELETE /v1/keys/items',
      summary: 'Delete Multiple Cryptographic Key Items',
      body: UuidList,
      errors: [400, 401, 403, 422, 500, 502, 503],
      access: { action: 'delete' },
      also: [tokenMembership],
      audit: 'delete',
    },
  },
);
