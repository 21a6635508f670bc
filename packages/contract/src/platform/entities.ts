// Entities: servers, devices and stores that hold certificates, as instances of an entity provider.
import { z } from 'zod';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { line, objectName, uuid } from '../primitives.ts';
import { BaseAttributeDto, RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { UuidDto } from '../shared/objects.ts';
import { pageTotals } from '../shared/paging.ts';
import { SearchFieldDataByGroupDto, SearchRequestDto } from '../shared/search.ts';
import { sightOf, sightOfCredentials } from './referenced-objects.ts';

export const EntityInstanceDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    /** Secrets are omitted. */
    attributes: z.array(ResponseAttributeDto),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    /** Whether the connector currently knows the entity; absent in lists. */
    status: z.string().optional(),
    /** Absent if the connector has been removed. */
    connectorUuid: z.string().optional(),
    connectorName: z.string().optional(),
    kind: z.string(),
  })
  .meta({ id: 'EntityInstanceDto' });
export type EntityInstanceDto = z.output<typeof EntityInstanceDto>;

export const EntityInstanceResponseDto = z
  .object({ ...pageTotals, entities: z.array(EntityInstanceDto) })
  .meta({ id: 'EntityInstanceResponseDto' });
export type EntityInstanceResponseDto = z.output<typeof EntityInstanceResponseDto>;

export const EntityInstanceRequestDto = z
  .object({
    name: objectName(),
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
    connectorUuid: uuid(),
    kind: line(),
  })
  .meta({ id: 'EntityInstanceRequestDto' });
export type EntityInstanceRequestDto = z.output<typeof EntityInstanceRequestDto>;

/** If a secret is sent empty, the stored secret is kept. */
export const EntityInstanceUpdateRequestDto = z
  .object({
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'EntityInstanceUpdateRequestDto' });
export type EntityInstanceUpdateRequestDto = z.output<typeof EntityInstanceUpdateRequestDto>;

const listErrors = [400, 401, 403, 500, 502, 503] as const;

export const entityInstanceOperations = operations(
  { tag: 'Entity Management', resource: 'entities', module: 'entities', errors: connectorErrors },
  {
    listEntityInstances: {
      route: 'POST /v1/entities/list',
      summary: 'List Entity instances',
      body: SearchRequestDto,
      answer: EntityInstanceResponseDto,
      errors: listErrors,
      access: { action: 'list', filtered: true },
    },
    getEntitySearchFields: {
      route: 'GET /v1/entities/search',
      id: 'getSearchableFieldInformation_EntityInstance',
      summary: 'Get Entities searchable fields information',
      answer: z.array(SearchFieldDataByGroupDto),
      errors: listErrors,
      access: { action: 'list', filtered: true },
    },
    createEntityInstance: {
      route: 'POST /v1/entities',
      summary: 'Add Entity instance',
      body: EntityInstanceRequestDto,
      created: UuidDto,
      errors: connectorRuleErrors,
      access: { action: 'create' },
      also: [sightOf('connectors', 'connectorUuid'), sightOfCredentials],
      audit: 'create',
    },
    getEntityInstance: {
      route: 'GET /v1/entities/{entityUuid}',
      summary: 'Get Entity instance details',
      answer: EntityInstanceDto,
      access: { action: 'detail', object: 'entityUuid' },
    },
    editEntityInstance: {
      route: 'PUT /v1/entities/{entityUuid}',
      summary: 'Edit Entity instance',
      body: EntityInstanceUpdateRequestDto,
      answer: EntityInstanceDto,
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'entityUuid' },
      also: [sightOfCredentials],
      audit: 'update',
    },
    deleteEntityInstance: {
      route: 'DELETE /v1/entities/{entityUuid}',
      summary: 'Delete Entity instance',
      access: { action: 'delete', object: 'entityUuid' },
      audit: 'delete',
    },
    listLocationAttributes: {
      route: 'GET /v1/entities/{entityUuid}/attributes/location',
      summary: 'List Location Attributes',
      answer: z.array(BaseAttributeDto),
      access: { action: 'ANY', object: 'entityUuid' },
    },
    validateLocationAttributes: {
      route: 'POST /v1/entities/{entityUuid}/attributes/location/validate',
      summary: 'Validate Location Attributes',
      body: z.array(RequestAttributeDto),
      errors: connectorRuleErrors,
      access: { action: 'ANY', object: 'entityUuid' },
      also: [sightOfCredentials],
    },
  },
);
