// Use cases of entities. The connector is called before or between transactions, never inside one.
import {
  entityProviderOperations,
  type EntityInstanceDto,
  type EntityInstanceRequestDto,
  type EntityInstanceResponseDto,
  type EntityInstanceUpdateRequestDto,
  type RequestAttributeDto,
  type SearchFieldDataByGroupDto,
  type SearchRequestDto,
} from '@signetry/contract';
import { visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import { AppError, isAppError, judgedTogether, notFound, rejected } from '../../kernel/errors.ts';
import { presentSearchFields } from '../../kernel/filter/present-fields.ts';
import { readSearch } from '../../kernel/filter/read-filters.ts';
import { newUuid } from '../../kernel/ids.ts';
import { pageFacts } from '../../kernel/page.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/database/database-errors.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import { createEditClaims, type EditClaims } from '../../platform/objects/one-edit-at-a-time.ts';
import type { Platform } from '../../platform/platform.ts';
import { leftOutData, type AttributeEngine, type CredentialUse, type CustomValues } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { callFailureOf, PROBE_TIMEOUT_MS, type Connectors } from '../connectors/index.ts';
import type { EntityAccess } from './entity-access.ts';
import { presentEntity, type EntityStatus } from './present.ts';
import { entityFields } from './search-fields.ts';
import { entities, findEntityPage } from './store.ts';
import type { EntityRow } from './tables.ts';

export interface EntityServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly access: EntityAccess;
}

interface ServiceParts extends EntityServiceParts {
  readonly platform: Platform;
  readonly values: CustomValues;
  readonly edits: EditClaims;
}

const provider = entityProviderOperations;

export type EntityService = ReturnType<typeof createEntityService>;

export function createEntityService(platform: Platform, parts: EntityServiceParts) {
  const service: ServiceParts = {
    platform,
    ...parts,
    values: parts.attributes.customValuesOf('entities'),
    edits: createEditClaims(platform, entities),
  };
  return {
    list: (request: SearchRequestDto, context: RequestContext) => list(service, request, context),
    searchFields: (context: RequestContext) => searchFields(service, context),
    detail: (uuid: string, context: RequestContext) => detail(service, uuid, context),
    create: (request: EntityInstanceRequestDto, context: RequestContext) => create(service, request, context),
    edit: (uuid: string, request: EntityInstanceUpdateRequestDto, context: RequestContext) =>
      edit(service, uuid, request, context),
    removeAtConnector: (row: EntityRow, context: RequestContext) => removeAtConnector(service, row, context),
  };
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

/** Names of connectors and kinds are those of entities that the caller may list. */
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

/** Of the forms of filters: nobody chooses from more. */
const EVERYTHING = { itemsPerPage: 10_000, pageNumber: 1 };

/** What the platform keeps, and whether its connector knows it now. */
async function detail(service: ServiceParts, uuid: string, context: RequestContext): Promise<EntityInstanceDto> {
  const { platform, attributes, values } = service;
  const row = await entities.require(platform.database.executor, uuid);
  const [shown, customAttributes, status] = await Promise.all([
    attributes.read(valueSet(row).object, valueSet(row).scope),
    values.read(uuid, context),
    look(service, row, context),
  ]);
  return { ...presentEntity(row, { attributes: shown, status }), customAttributes };
}

/** A connector that is down must not hide the entity from people. */
async function look({ connectors }: ServiceParts, row: EntityRow, { signal }: RequestContext): Promise<EntityStatus> {
  if (row.connector_uuid === null) return 'without connector';
  try {
    const client = await connectors.client(row.connector_uuid);
    const params = { entityUuid: row.connector_entity_uuid };
    await client.call(provider.getEntityInstance, { params }, { signal, timeoutMs: PROBE_TIMEOUT_MS });
    return 'connected';
  } catch (error) {
    if (signal.aborted) throw error;
    if (isAppError(error, 'object_not_found')) return 'unknown to its connector';
    if (isAppError(error)) return 'unavailable';
    throw error;
  }
}

async function create(
  service: ServiceParts,
  request: EntityInstanceRequestDto,
  context: RequestContext,
): Promise<string> {
  const { database, clock } = service.platform;
  const { audit, attributes, connectors, values } = service;
  const { name, kind, connectorUuid } = request;
  // Checked before the connector is called: an entity that cannot be recorded must not come into being there.
  if (await entities.findByName(database.executor, name)) throw taken(name);
  const [customValues, accepted] = await judgedTogether(
    values.accept(request.customAttributes, context),
    acceptAttributes(service, { connectorUuid, kind }, request.attributes, context),
  );
  const client = await connectors.client(connectorUuid);
  const [uuid, now] = [newUuid(), clock.now()];
  const body = { name, kind, attributes: await attributes.expandCredentials(accepted) };
  const { signal } = context;
  const instance = await client.call(provider.createEntityInstance, { body }, { signal, idempotencyKey: uuid });
  const row: EntityRow = {
    uuid,
    name,
    kind,
    connector_uuid: connectorUuid,
    connector_name: client.name,
    connector_entity_uuid: instance.uuid,
    removing: false,
    edited_until: null,
    created_at: now,
    updated_at: now,
  };
  try {
    await database.transaction(async (tx) => {
      await entities.insert(tx, row);
      await attributes.insertValues(tx, [{ ...valueSet(row), attributes: accepted }]);
      await values.write(tx, uuid, customValues);
      await audit.append(tx, context, { objects: [row] });
    });
  } catch (error) {
    throw await takenBack(service, row, { error: refusalOf(error, row), context });
  }
  return uuid;
}

const taken = (name: string, cause?: unknown) => new AppError('already_exists', { what: entities.what, name }, { cause }); // prettier-ignore

function refusalOf(error: unknown, { name, connector_uuid: connectorUuid }: EntityRow): unknown {
  if (isUniqueViolation(error, 'entity_name_key')) return taken(name, error);
  return isForeignKeyViolation(error) ? notFound('Connector', connectorUuid ?? '') : error;
}

/** An entity that cannot be recorded goes at its connector, too; the refusal says so when it stays there. */
async function takenBack(
  service: ServiceParts,
  row: EntityRow,
  { error, context }: { readonly error: unknown; readonly context: RequestContext },
): Promise<unknown> {
  try {
    await removeAtConnector(service, row, context);
    return error;
  } catch (cause) {
    const { name, connector_name: connector, connector_entity_uuid: there } = row;
    service.platform.log.error({ error: cause, entity: name, connector, there }, 'an entity that was not recorded stays at its connector'); // prettier-ignore
    if (!isAppError(error)) return error;
    return rejected(
      error.message,
      `Connector ${connector} has made the entity ${name} (${there}) and did not remove it again: remove it there.`,
    );
  }
}

/** Has the connector and the platform judge the attributes of an entity. */
const acceptAttributes = (
  { connectors }: ServiceParts,
  { connectorUuid, kind }: { readonly connectorUuid: string; readonly kind: string },
  requested: readonly RequestAttributeDto[],
  { actor, signal, before }: Pick<RequestContext, 'actor' | 'signal'> & CredentialUse,
): Promise<RequestAttributeDto[]> =>
  connectors.acceptOfKind(
    { connectorUuid, functionGroup: 'entityProvider', kind, signal, actor, before },
    requested,
  ); // prettier-ignore

async function edit(
  service: ServiceParts,
  uuid: string,
  request: EntityInstanceUpdateRequestDto,
  context: RequestContext,
): Promise<EntityInstanceDto> {
  const { database, clock } = service.platform;
  const { audit, attributes, access, values } = service;
  const row = await entities.require(database.executor, uuid);
  const { object, scope } = valueSet(row);
  await service.edits.during(row, async () => {
    const { entity, client, params } = await access.reach(uuid);
    const before = await attributes.readForConnector(object, scope);
    const requested = await attributes.withKeptSecrets(valueSet(row), request.attributes);
    const of = { connectorUuid: entity.connector_uuid, kind: row.kind };
    const [customValues, accepted] = await judgedTogether(
      values.accept(request.customAttributes, context, uuid),
      acceptAttributes(service, of, requested, { ...context, before }),
    );
    const body = { name: row.name, kind: row.kind, attributes: await attributes.expandCredentials(accepted) };
    await client.call(provider.updateEntityInstance, { params, body }, { signal: context.signal });
    const leftOut = before.map(({ name }) => name).filter((name) => !accepted.some((value) => value.name === name));
    await database.transaction(async (tx) => {
      if (!(await entities.update(tx, uuid, { updated_at: clock.now() }))) throw notFound(entities.what, uuid);
      await attributes.replaceValues(tx, { ...valueSet(row), attributes: accepted });
      await values.write(tx, uuid, customValues);
      await audit.append(tx, context, { objects: [row], ...leftOutData(leftOut) });
    });
  });
  return detail(service, uuid, context);
}

/** 404 from the connector means that the entity is gone already. */
async function removeAtConnector(
  { connectors }: ServiceParts,
  row: EntityRow,
  { signal }: RequestContext,
): Promise<void> {
  if (row.connector_uuid === null) return;
  const client = await connectors.client(row.connector_uuid);
  try {
    const params = { entityUuid: row.connector_entity_uuid };
    await client.call(provider.removeEntityInstance, { params }, { signal });
  } catch (error) {
    if (callFailureOf(error)?.kind !== 'notFound') throw error;
  }
}

/** The values of an entity, under its connector. */
const valueSet = (row: Pick<EntityRow, 'uuid' | 'connector_uuid'>) => ({
  object: { resource: 'entities', uuid: row.uuid } as const,
  scope: { connectorUuid: row.connector_uuid },
});
