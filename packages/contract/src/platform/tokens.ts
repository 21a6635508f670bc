// Tokens: key stores in software or hardware, as instances of a cryptography provider.
import { z } from 'zod';
import { TokenInstanceStatusDto } from '../connector/token-shapes.ts';
import { TokenInstanceStatus } from '../enums/keys.ts';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { description, int32, line, objectName, uuid } from '../primitives.ts';
import {
  BaseAttributeDto,
  MetadataResponseDto,
  RequestAttributeDto,
  ResponseAttributeDto,
} from '../shared/attributes.ts';
import { UuidList } from '../shared/objects.ts';
import { sightOf, sightOfCredentials } from './referenced-objects.ts';

const identity = {
  uuid: z.string(),
  name: z.string(),
};
const origin = {
  /** Number of token profiles. */
  tokenProfiles: int32(),
  /** Absent if the connector has been removed. */
  connectorName: z.string().optional(),
  connectorUuid: z.string().optional(),
  kind: z.string(),
};

/** `status` is the last known status of the token. */
export const TokenInstanceDto = z
  .object({ ...identity, status: TokenInstanceStatus, ...origin })
  .meta({ id: 'TokenInstanceDto' });
export type TokenInstanceDto = z.output<typeof TokenInstanceDto>;

/** Current status reported by the provider, including the status of the token's components. */
export const TokenInstanceStatusDetailDto = TokenInstanceStatusDto.meta({ id: 'TokenInstanceStatusDetailDto' });
export type TokenInstanceStatusDetailDto = z.output<typeof TokenInstanceStatusDetailDto>;

export const TokenInstanceDetailDto = z
  .object({
    ...identity,
    status: TokenInstanceStatusDetailDto,
    ...origin,
    /** Secrets are omitted. */
    attributes: z.array(ResponseAttributeDto),
    metadata: z.array(MetadataResponseDto).optional(),
    customAttributes: z.array(ResponseAttributeDto).optional(),
  })
  .meta({ id: 'TokenInstanceDetailDto' });
export type TokenInstanceDetailDto = z.output<typeof TokenInstanceDetailDto>;

/** In an update, the name, connector and kind are ignored. If a secret is sent empty, the stored secret is kept. */
export const TokenInstanceRequestDto = z
  .object({
    name: objectName(),
    description: description().optional(),
    connectorUuid: uuid(),
    kind: line(),
    customAttributes: z.array(RequestAttributeDto),
    attributes: z.array(RequestAttributeDto),
  })
  .meta({ id: 'TokenInstanceRequestDto' });
export type TokenInstanceRequestDto = z.output<typeof TokenInstanceRequestDto>;

export const tokenInstanceOperations = operations(
  { tag: 'Token Instance Management', resource: 'tokens', module: 'keys', errors: connectorErrors },
  {
    listTokenInstances: {
      route: 'GET /v1/tokens',
      summary: 'List Token Instances',
      answer: z.array(TokenInstanceDto),
      access: { action: 'list', filtered: true },
    },
    createTokenInstance: {
      route: 'POST /v1/tokens',
      summary: 'Create a new Token Instance',
      body: TokenInstanceRequestDto,
      created: TokenInstanceDetailDto,
      errors: connectorRuleErrors,
      access: { action: 'create' },
      also: [sightOf('connectors', 'connectorUuid'), sightOfCredentials],
      audit: 'create',
    },
    getTokenInstance: {
      route: 'GET /v1/tokens/{uuid}',
      summary: 'Get Token Instance Detail',
      answer: TokenInstanceDetailDto,
      access: { action: 'detail', object: 'uuid' },
    },
    updateTokenInstance: {
      route: 'PUT /v1/tokens/{uuid}',
      summary: 'Update Token Instance',
      body: TokenInstanceRequestDto,
      answer: TokenInstanceDetailDto,
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'uuid' },
      also: [sightOfCredentials],
      audit: 'update',
    },
    /** Queries the provider for the current status and stores it for lists. */
    reloadTokenInstanceStatus: {
      route: 'PATCH /v1/tokens/{uuid}',
      id: 'reloadStatus',
      summary: 'Reload Token Instance status',
      answer: TokenInstanceDetailDto,
      access: { action: 'detail', object: 'uuid' },
      audit: 'getStatus',
    },
    deleteTokenInstance: {
      route: 'DELETE /v1/tokens/{uuid}',
      summary: 'Delete Token Instance',
      errors: connectorRuleErrors,
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    bulkDeleteTokenInstance: {
      route: 'DELETE /v1/tokens/delete',
      id: 'deleteTokenInstance1',
      summary: 'Delete multiple Token Instances',
      body: UuidList,
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
    listTokenInstanceActivationAttributes: {
      route: 'GET /v1/tokens/{uuid}/activate/attributes',
      summary: 'List Token activation Attributes',
      answer: z.array(BaseAttributeDto),
      access: { action: 'ANY', object: 'uuid' },
    },
    /** The values are passed to the provider and not stored. */
    activateTokenInstance: {
      route: 'PATCH /v1/tokens/{uuid}/activate',
      summary: 'Activate Token Instance',
      body: z.array(RequestAttributeDto),
      errors: connectorRuleErrors,
      access: { action: 'activate', object: 'uuid' },
      also: [sightOfCredentials],
      audit: 'activate',
    },
    deactivateTokenInstance: {
      route: 'PATCH /v1/tokens/{uuid}/deactivate',
      summary: 'Deactivate Token Instance',
      errors: connectorRuleErrors,
      access: { action: 'activate', object: 'uuid' },
      audit: 'deactivate',
    },
    listTokenProfileAttributes: {
      route: 'GET /v1/tokens/{uuid}/tokenProfiles/attributes',
      summary: 'List Token Profile Attributes',
      answer: z.array(BaseAttributeDto),
      access: { action: 'ANY', object: 'uuid' },
    },
  },
);
