// Use cases for entities, which are stored at their connector. For the code common to all such objects, see
// `connectors/instances`.
import {
  entityProviderOperations,
  type EntityInstanceDto,
  type EntityInstanceRequestDto,
  type EntityInstanceResponseDto,
  type EntityInstanceUpdateRequestDto,
  type OperationResponse,
  type SearchFieldDataByGroupDto,
  type SearchRequestDto,
} from '@signetry/contract';
import { visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { presentSearchFields } from '../../kernel/filter/present-fields.ts';
import { readSearch } from '../../kernel/filter/read-filters.ts';
import { pageFacts } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import {
  createInstance,
  editInstance,
  inspectInstance,
  removeInstance,
  valueSetOf,
  type Connectors,
  type InstanceKind,
  type InstanceParts,
} from '../connectors/index.ts';
import { presentEntity } from './present.ts';
import { entityFields } from './search-fields.ts';
import { entities, findEntityPage, locations } from './store.ts';
import type { EntityRow } from './tables.ts';

export interface EntityServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
}

type ServiceParts = InstanceParts<EntityRow, EntityResponse>;

const provider = entityProviderOperations;

type EntityResponse = OperationResponse<typeof provider.createEntityInstance>;

const ENTITY: InstanceKind<EntityRow, EntityResponse> = {
  resource: 'entities',
  objects: entities,
  noun: 'entity',
  remoteUuid: (row) => row.connector_entity_uuid,
  calls: {
    create: (client, body, options) => client.call(provider.createEntityInstance, { body }, options),
    update: (client, { uuid: entityUuid, body }, options) =>
      client.call(provider.updateEntityInstance, { params: { entityUuid }, body }, options),
    remove: (client, entityUuid, options) =>
      client.call(provider.removeEntityInstance, { params: { entityUuid } }, options),
  },
  functionGroupOf: () => Promise.resolve('entityProvider'),
  removal: { begun: { removing: true }, givenUp: { removing: false } },
};

export type EntityService = ReturnType<typeof createEntityService>;

export function createEntityService(platform: Platform, areas: EntityServiceParts) {
  const service: ServiceParts = {
    platform,
    ...areas,
    values: areas.attributes.customValuesOf('entities'),
    instance: ENTITY,
  };
  return {
    list: (request: SearchRequestDto, context: RequestContext) => list(service, request, context),
    searchFields: (context: RequestContext) => searchFields(service, context),
    detail: (uuid: string, context: RequestContext) => detail(service, uuid, context),
    create: async (request: EntityInstanceRequestDto, context: RequestContext): Promise<string> =>
      (await createInstance(service, request, { rowOf }, context)).uuid,
    edit: async (
      uuid: string,
      request: EntityInstanceUpdateRequestDto,
      context: RequestContext,
    ): Promise<EntityInstanceDto> => {
      await editInstance(service, uuid, request, { steps: {}, context });
      return detail(service, uuid, context);
    },
    remove: (uuid: string, context: RequestContext): Promise<void> =>
      removeInstance(service, uuid, { steps: { assertUnused: rejectWithLocations }, context }),
  };
}

type RowOf = Parameters<typeof createInstance<EntityRow, EntityResponse>>[2]['rowOf'];

const rowOf: RowOf = (common, { uuid }) => ({ ...common, connector_entity_uuid: uuid, removing: false });

const locationsOf = locations.referringBy('entity_uuid');

async function rejectWithLocations(tx: Executor, { uuid, name }: EntityRow): Promise<void> {
  const names = await locationsOf.names(tx, uuid);
  if (names.length > 0) throw rejected(`Entity instance ${name} has ${names.length} dependent Locations`, ...names);
}

async function list(
  { platform }: ServiceParts,
  request: SearchRequestDto,
  { actor }: RequestContext,
): Promise<EntityInstanceResponseDto> {
  const { database, clock } = platform;
  const { page, conditions } = readSearch(request, { lookup: entityFields.lookup, now: clock.now() });
  const shown = visibleObjects(actor.permissions, 'entities', 'list');
  const { items, totalItems } = await runSearch({ database, conditions }, (tx) =>
    findEntityPage(tx, { conditions, page, shown }),
  );
  return { ...pageFacts(page, totalItems), entities: items.map((row) => presentEntity(row)) };
}

/** Search fields, with the connector names and kinds of the entities that the caller can list as values. */
async function searchFields(
  { platform }: ServiceParts,
  { actor }: RequestContext,
): Promise<SearchFieldDataByGroupDto[]> {
  const shown = visibleObjects(actor.permissions, 'entities', 'list');
  const { items } = await findEntityPage(platform.database.executor, { conditions: [], page: EVERYTHING, shown });
  const distinct = (value: (row: EntityRow) => string) => [...new Set(items.map(value))].toSorted();
  return presentSearchFields('entities', {
    fields: entityFields.fields,
    values: {
      ENTITY_CONNECTOR_NAME: distinct(({ connector_name: name }) => name),
      ENTITY_KIND: distinct(({ kind }) => kind),
    },
  });
}

/** Maximum number of values offered in filter forms. */
const EVERYTHING = { itemsPerPage: 10_000, pageNumber: 1 };

/** Returns the stored data, and whether the entity still exists at its connector. */
async function detail(service: ServiceParts, uuid: string, context: RequestContext): Promise<EntityInstanceDto> {
  const { platform, attributes, connectors, values } = service;
  const row = await entities.require(platform.database.executor, uuid);
  const { object, scope } = valueSetOf(ENTITY, row);
  const params = { entityUuid: row.connector_entity_uuid };
  const [shown, customAttributes, { status }] = await Promise.all([
    attributes.read(object, scope),
    values?.read(uuid, context) ?? [],
    inspectInstance(
      connectors,
      row,
      (client, options) => client.call(provider.getEntityInstance, { params }, options),
      context,
    ),
  ]);
  return { ...presentEntity(row, { attributes: shown, status }), customAttributes };
}
