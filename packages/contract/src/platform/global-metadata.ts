// Global metadata: connector metadata under one definition for all connectors.
import { z } from 'zod';
import { AttributeContentType, AttributeType } from '../enums/attributes.ts';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { description, line, objectName, uuid } from '../primitives.ts';
import { UuidDto, UuidList } from '../shared/objects.ts';
import { sightOf } from './referenced-objects.ts';

const entered = {
  description: description().optional(),
  label: objectName(),
  visible: z.boolean().default(true),
  group: line().optional(),
};

export const GlobalMetadataCreateRequestDto = z
  .object({ name: objectName(), contentType: AttributeContentType, ...entered })
  .meta({ id: 'GlobalMetadataCreateRequestDto' });
export type GlobalMetadataCreateRequestDto = z.output<typeof GlobalMetadataCreateRequestDto>;

export const GlobalMetadataUpdateRequestDto = z.object(entered).meta({ id: 'GlobalMetadataUpdateRequestDto' });
export type GlobalMetadataUpdateRequestDto = z.output<typeof GlobalMetadataUpdateRequestDto>;

const shown = {
  uuid: z.string(),
  name: z.string(),
  contentType: AttributeContentType,
  description: z.string(),
  enabled: z.boolean().optional(),
};

export const AttributeDefinitionDto = z.object(shown).meta({ id: 'AttributeDefinitionDto' });
export type AttributeDefinitionDto = z.output<typeof AttributeDefinitionDto>;

export const GlobalMetadataDefinitionDetailDto = z
  .object({
    ...shown,
    type: AttributeType.default('custom'),
    label: z.string(),
    visible: z.boolean().default(true),
    group: z.string().optional(),
  })
  .meta({ id: 'GlobalMetadataDefinitionDetailDto' });
export type GlobalMetadataDefinitionDetailDto = z.output<typeof GlobalMetadataDefinitionDetailDto>;

/** Connector metadata that can be promoted to global metadata. */
export const ConnectorMetadataResponseDto = z
  .object({
    name: z.string(),
    uuid: z.string(),
    contentType: AttributeContentType,
    label: z.string(),
    connectorUuid: z.string(),
  })
  .meta({ id: 'ConnectorMetadataResponseDto' });
export type ConnectorMetadataResponseDto = z.output<typeof ConnectorMetadataResponseDto>;

export const ConnectorMetadataPromotionRequestDto = z
  .object({ uuid: uuid(), connectorUuid: uuid() })
  .meta({ id: 'ConnectorMetadataPromotionRequestDto' });
export type ConnectorMetadataPromotionRequestDto = z.output<typeof ConnectorMetadataPromotionRequestDto>;

export const globalMetadataOperations = operations(
  { tag: 'Global Metadata', resource: 'attributes', module: 'core', errors: objectErrors },
  {
    listGlobalMetadata: {
      route: 'GET /v1/attributes/metadata',
      summary: 'List Global Metadata',
      answer: z.array(AttributeDefinitionDto),
      errors: plainErrors,
      access: { action: 'list', filtered: true },
    },
    createGlobalMetadata: {
      route: 'POST /v1/attributes/metadata',
      summary: 'Create Global Metadata',
      body: GlobalMetadataCreateRequestDto,
      created: UuidDto,
      errors: plainErrors,
      access: { action: 'create' },
      audit: 'create',
    },
    getGlobalMetadata: {
      route: 'GET /v1/attributes/metadata/{uuid}',
      summary: 'Get Global Metadata details',
      answer: GlobalMetadataDefinitionDetailDto,
      access: { action: 'detail', object: 'uuid' },
    },
    editGlobalMetadata: {
      route: 'PUT /v1/attributes/metadata/{uuid}',
      summary: 'Edit Global Metadata',
      body: GlobalMetadataUpdateRequestDto,
      answer: GlobalMetadataDefinitionDetailDto,
      access: { action: 'update', object: 'uuid' },
      audit: 'update',
    },
    deleteGlobalMetadata: {
      route: 'DELETE /v1/attributes/metadata/{uuid}',
      summary: 'Delete Global Metadata',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    bulkDeleteGlobalMetadata: {
      route: 'DELETE /v1/attributes/metadata',
      summary: 'Delete multiple Global Metadata',
      body: UuidList,
      errors: plainErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
    getConnectorMetadata: {
      route: 'GET /v1/attributes/metadata/promote',
      summary: 'Get Available Connector Metadata',
      query: z.object({ connectorUuid: uuid().optional() }),
      answer: z.array(ConnectorMetadataResponseDto),
      errors: plainErrors,
      access: { action: 'list' },
    },
    promoteConnectorMetadata: {
      route: 'POST /v1/attributes/metadata/promote',
      summary: 'Promote Connector Metadata to Global Metadata',
      body: ConnectorMetadataPromotionRequestDto,
      answer: GlobalMetadataDefinitionDetailDto,
      access: { action: 'create' },
      also: [sightOf('connectors', 'connectorUuid')],
      audit: 'promoteMetadata',
    },
  },
);
