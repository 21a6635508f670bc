// Location use cases, except for changes to locations' contents. Connectors are called before a transaction starts,
// never inside one.
import {
  LocationState,
  type AddLocationRequestDto,
  type EditLocationRequestDto,
  type LocationDto,
  type LocationStateCount,
  type LocationsResponseDto,
  type RequestAttributeDto,
  type SearchFieldDataByGroupDto,
  type SearchRequestDto,
} from '@signetry/contract';
import { isVisible, visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import { requireFound, evaluateTogether, rejected } from '../../kernel/errors.ts';
import { presentSearchFields } from '../../kernel/filter/present-fields.ts';
import { readSearch } from '../../kernel/filter/read-filters.ts';
import { newUuid } from '../../kernel/ids.ts';
import { pageFacts } from '../../kernel/page.ts';
import { isUniqueViolation } from '../../platform/database/database-errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import { createEditClaims, type EditClaims } from '../../platform/objects/edit-claims.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import { omittedAttributesData, type AttributeEngine, type CustomValues } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { HeldCertificates } from '../inventory/index.ts';
import { requirePermission } from '../identity/index.ts';
import type { Contents } from './contents.ts';
import { digestOf } from './attributes-digest.ts';
import { csrForm, locationForm, pushForm, type EntityAccess } from './entity-access.ts';
import { locationSet, type LocationValues } from './location-values.ts';
import { presentHeld, presentLocation } from './present.ts';
import { locationFields } from './search-fields.ts';
import { entities, findHeld, findHeldByCertificate, findLocationPage, holdForUse, locations } from './store.ts';
import { countStates, findStates } from './store-states.ts';
import type { EntityRow, HeldRow, LocationRow } from './tables.ts';

export interface LocationParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly access: EntityAccess;
  readonly values: LocationValues;
  readonly contents: Contents;
  readonly certificates: HeldCertificates;
}

/** The path parameters of a location, below its entity. */
export interface LocationPath {
  readonly entityUuid: string;
  readonly locationUuid: string;
}

interface ServiceParts extends LocationParts {
  readonly platform: Platform;
  readonly custom: CustomValues;
  readonly edits: EditClaims;
}

export type LocationService = ReturnType<typeof createLocationService>;

export function createLocationService(platform: Platform, parts: LocationParts) {
  const service: ServiceParts = {
    platform,
    ...parts,
    custom: parts.attributes.customValuesOf('locations'),
    edits: createEditClaims(platform, locations),
  };
  const { access } = parts;
  return {
    list: (request: SearchRequestDto, context: RequestContext) => list(service, request, context),
    searchFields: (context: RequestContext) => searchFields(service, context),
    countStates: (context: RequestContext) => countByState(service, context),
    /** Returns the names of the locations that the caller can list, sorted. */
    listNames: async (executor: Executor, { actor }: RequestContext): Promise<string[]> => {
      const shown = visibleObjects(actor.permissions, 'locations', 'list');
      const names = await locations.findNames(executor);
      return names.filter(({ uuid }) => isVisible(shown, uuid)).map(({ name }) => name);
    },
    require: (path: LocationPath) => require(service, path),
    /** Returns the location for changes to its custom attributes; its entity must also be visible. */
    holder: (uuid: string, context: RequestContext) => requireVisible(service, uuid, context),
    detail: (path: LocationPath, context: RequestContext) => detail(service, path, context),
    holding: (certificateUuid: string, context: RequestContext) => listHolding(service, certificateUuid, context),
    create: (entityUuid: string, request: AddLocationRequestDto, context: RequestContext) =>
      create(service, entityUuid, request, context),
    edit: (path: LocationPath, request: EditLocationRequestDto, context: RequestContext) =>
      edit(service, path, request, context),
    enable: (path: LocationPath, enabled: boolean, context: RequestContext) => enable(service, path, enabled, context),
    remove: (path: LocationPath, context: RequestContext) => remove(service, path, context),
    sync: (path: LocationPath, context: RequestContext) => sync(service, path, context),
    pushDefinitions: async (path: LocationPath, { signal }: RequestContext) =>
      access.definitions((await require(service, path)).entity_uuid, pushForm, signal),
    csrDefinitions: async (path: LocationPath, { signal }: RequestContext) =>
      access.definitions((await require(service, path)).entity_uuid, csrForm, signal),
  };
}

async function list(
  service: ServiceParts,
  request: SearchRequestDto,
  context: RequestContext,
): Promise<LocationsResponseDto> {
  const { database, clock } = service.platform;
  const { page, conditions } = readSearch(request, { lookup: locationFields.lookup, now: clock.now() });
  const { permissions } = context.actor;
  const shown = visibleObjects(permissions, 'locations', 'list');
  const entitiesShown = visibleObjects(permissions, 'entities', 'list');
  const { items, totalItems } = await runSearch({ database, conditions }, (tx) =>
    findLocationPage(tx, { conditions, page, shown, entitiesShown }),
  );
  return { ...pageFacts(page, totalItems), locations: await describeAll(service, items, context) };
}

async function countByState({ platform }: ServiceParts, { actor }: RequestContext): Promise<LocationStateCount[]> {
  const shown = visibleObjects(actor.permissions, 'locations', 'list');
  const entitiesShown = visibleObjects(actor.permissions, 'entities', 'list');
  const counts = await countStates(platform.database.executor, { shown, entitiesShown });
  const order = LocationState.options;
  return counts.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
}

async function searchFields(
  { platform }: ServiceParts,
  { actor }: RequestContext,
): Promise<SearchFieldDataByGroupDto[]> {
  const shown = visibleObjects(actor.permissions, 'entities', 'list');
  const names = (await entities.findNames(platform.database.executor)).filter(({ uuid }) => isVisible(shown, uuid));
  return presentSearchFields('locations', {
    fields: locationFields.fields,
    values: { LOCATION_ENTITY_INSTANCE: names.map(({ name }) => name), LOCATION_STATE: LocationState.options },
  });
}

async function describeAll(
  service: ServiceParts,
  rows: readonly LocationRow[],
  context: RequestContext,
): Promise<LocationDto[]> {
  const { executor } = service.platform.database;
  const held = Map.groupBy(
    await findHeld(
      executor,
      rows.map(({ uuid }) => uuid),
    ),
    ({ location_uuid: uuid }) => uuid,
  );
  const owners = await entities.findMany(executor, [...new Set(rows.map(({ entity_uuid: uuid }) => uuid))]);
  const byUuid = new Map(owners.map((entity) => [entity.uuid, entity]));
  const states = await findStates(
    executor,
    rows.map(({ uuid }) => uuid),
  );
  const described: LocationDto[] = [];
  for (const row of rows) {
    const { uuid } = row;
    const [entity, state] = [byUuid.get(row.entity_uuid), states.get(uuid)];
    if (entity && state)
      described.push(await describe(service, row, { entity, state, held: held.get(uuid) ?? [], context }));
  }
  return described;
}

interface DescriptionFacts {
  readonly entity: EntityRow;
  readonly state: LocationState;
  readonly held: readonly HeldRow[];
  readonly context: RequestContext;
}

async function describe(
  { attributes, values, certificates, custom, platform }: ServiceParts,
  row: LocationRow,
  { entity, state, held, context }: DescriptionFacts,
): Promise<LocationDto> {
  const connectorUuid = entity.connector_uuid;
  const known = await certificates.find(
    platform.database.executor,
    held.map((each) => each.certificate_uuid),
  );
  const byUuid = new Map(known.map((certificate) => [certificate.uuid, certificate]));
  const connector = connectorUuid === null ? undefined : { uuid: connectorUuid, name: entity.connector_name };
  const shown = await Promise.all(
    held.map(async (each) => {
      const certificate = byUuid.get(each.certificate_uuid);
      if (!certificate) return [];
      const key = { locationUuid: row.uuid, certificateUuid: certificate.uuid, connectorUuid };
      const pushAttributes = await values.shownOf(key, 'push');
      const csrAttributes = await values.shownOf(key, 'csr');
      return [presentHeld(each, certificate, { pushAttributes, csrAttributes, source: row, connector })];
    }),
  );
  return {
    ...presentLocation(row, {
      entityName: entity.name,
      state,
      attributes: await values.shown(row.uuid, connectorUuid),
      metadata: await attributes.readMetadata({ resource: 'locations', uuid: row.uuid }),
      certificates: shown.flat(),
    }),
    customAttributes: await custom.read(row.uuid, context),
  };
}

async function detail(service: ServiceParts, path: LocationPath, context: RequestContext): Promise<LocationDto> {
  const [shown] = await describeAll(service, [await require(service, path)], context);
  return requireFound(shown, locations.what, path.locationUuid);
}

/** Returns the locations that hold a certificate and that the caller can list. */
async function listHolding(
  service: ServiceParts,
  certificateUuid: string,
  context: RequestContext,
): Promise<LocationDto[]> {
  const { executor } = service.platform.database;
  const held = await findHeldByCertificate(executor, certificateUuid);
  const rows = await locations.findMany(
    executor,
    held.map(({ location_uuid: uuid }) => uuid),
  );
  const { permissions } = context.actor;
  const shown = visibleObjects(permissions, 'locations', 'list');
  const entitiesShown = visibleObjects(permissions, 'entities', 'list');
  const listed = rows.filter((row) => isVisible(shown, row.uuid) && isVisible(entitiesShown, row.entity_uuid));
  return describeAll(service, listed, context);
}

async function create(
  service: ServiceParts,
  entityUuid: string,
  request: AddLocationRequestDto,
  context: RequestContext,
): Promise<string> {
  const { platform, audit, attributes, access, contents, custom } = service;
  const { database, clock } = platform;
  const { signal } = context;
  const [customValues, accepted] = await evaluateTogether(
    custom.accept(request.customAttributes, context),
    access.accept(entityUuid, locationForm, { requested: request.attributes, caller: context }),
  );
  const reached = await access.reach(entityUuid);
  const told = await contents.ask(reached, await attributes.expandCredentials(accepted), { signal });
  const [uuid, now] = [newUuid(), clock.now()];
  const row: LocationRow = {
    uuid,
    name: request.name,
    description: request.description || null,
    entity_uuid: entityUuid,
    attributes_digest: digestOf(accepted),
    enabled: request.enabled,
    multiple_entries: told.multipleEntries,
    key_management: told.supportKeyManagement,
    read_at: now,
    problem: null,
    edited_until: null,
    created_at: now,
    updated_at: now,
  };
  const keep = await contents.takeIn(row, reached, told, context);
  await rejectDuplicate(row, () =>
    rejectTakenName(locations, request.name, () =>
      database.transaction(async (tx) => {
        await requireUsableEntity(tx, entityUuid);
        await locations.insert(tx, row);
        await attributes.insertValues(tx, [
          { ...locationSet(uuid, reached.entity.connector_uuid), attributes: accepted },
        ]);
        await custom.write(tx, uuid, customValues);
        await keep(tx);
        await audit.append(tx, context, { objects: [row] });
      }),
    ),
  );
  return uuid;
}

async function requireUsableEntity(tx: Executor, uuid: string): Promise<void> {
  const entity = requireFound(await holdForUse(tx, uuid), entities.what, uuid);
  if (entity.removing) throw rejected(`Entity ${entity.name} is being removed.`);
}

/** Two locations in the same place would each treat the other's certificates as their own. */
async function rejectDuplicate(row: Pick<LocationRow, 'name'>, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isUniqueViolation(error, 'location_attributes_key')) throw error;
    throw rejected(`Cannot save location ${row.name}: another location of its entity has the same attributes.`);
  }
}

async function edit(
  service: ServiceParts,
  path: LocationPath,
  request: EditLocationRequestDto,
  context: RequestContext,
): Promise<LocationDto> {
  const { platform, audit, attributes, access, contents, custom } = service;
  const row = await require(service, path);
  const { uuid } = row;
  await service.edits.during(row, async () => {
    const reached = await access.reach(row.entity_uuid);
    const set = locationSet(uuid, reached.entity.connector_uuid);
    const before = await attributes.readForConnector(set.object, set.scope);
    const requested = await attributes.withKeptSecrets(set, request.attributes);
    const [customValues, accepted] = await evaluateTogether(
      custom.accept(request.customAttributes, context, uuid),
      access.accept(row.entity_uuid, locationForm, { requested, caller: { ...context, before } }),
    );
    const told = await contents.ask(reached, await attributes.expandCredentials(accepted), context);
    const keep = await contents.takeIn(row, reached, told, context);
    await rejectDuplicate(row, () =>
      platform.database.transaction(async (tx) => {
        const changed = await locations.update(tx, uuid, changesOf(request, accepted));
        requireFound(changed, locations.what, uuid);
        await attributes.replaceValues(tx, { ...set, attributes: accepted });
        await custom.write(tx, uuid, customValues);
        await keep(tx);
        await audit.append(tx, context, { objects: [row], ...omittedAttributesData(omittedNames(before, accepted)) });
      }),
    );
  });
  return detail(service, path, context);
}

const changesOf = ({ description, enabled }: EditLocationRequestDto, accepted: readonly RequestAttributeDto[]) => ({
  description: description || null,
  ...(enabled === undefined ? {} : { enabled }),
  attributes_digest: digestOf(accepted),
});

const omittedNames = (before: readonly RequestAttributeDto[], after: readonly RequestAttributeDto[]): string[] =>
  before.map(({ name }) => name).filter((name) => !after.some((value) => value.name === name));

async function enable(
  service: ServiceParts,
  path: LocationPath,
  enabled: boolean,
  context: RequestContext,
): Promise<void> {
  const { uuid } = await require(service, path);
  const { audit, platform } = service;
  const changed = await audit.change(context, (tx) =>
    locations.updateMany(tx, [uuid], { enabled, updated_at: platform.clock.now() }),
  );
  requireFound(changed[0], locations.what, uuid);
}

/** The provider is not called: the certificates remain in place. */
async function remove(service: ServiceParts, path: LocationPath, context: RequestContext): Promise<void> {
  const { uuid } = await require(service, path);
  const { audit, attributes, platform } = service;
  await platform.database.transaction(async (tx) => {
    const row = await locations.lock(tx, uuid);
    await attributes.removeObjects(tx, 'locations', [uuid]);
    await locations.removeMany(tx, [uuid]);
    await audit.append(tx, context, { objects: [row] });
  });
}

async function sync(service: ServiceParts, path: LocationPath, context: RequestContext): Promise<LocationDto> {
  const { platform, audit, contents } = service;
  const row = await requireEnabled(service, path);
  const keep = await contents.sync(row, context);
  await platform.database.transaction(async (tx) => {
    await locations.lock(tx, row.uuid);
    await keep(tx);
    await audit.append(tx, context, { objects: [row] });
  });
  return detail(service, path, context);
}

async function require({ platform }: ServiceParts, { entityUuid, locationUuid }: LocationPath): Promise<LocationRow> {
  const row = await locations.findOne(platform.database.executor, locationUuid);
  return requireFound(row?.entity_uuid === entityUuid.toLowerCase() ? row : undefined, locations.what, locationUuid);
}

async function requireEnabled(service: ServiceParts, path: LocationPath): Promise<LocationRow> {
  const row = await require(service, path);
  assertEnabled(row);
  return row;
}

export function assertEnabled({ name, enabled }: LocationRow): void {
  if (!enabled) throw rejected(`Location ${name} is disabled. Enable it first.`);
}

async function requireVisible(service: ServiceParts, uuid: string, context: RequestContext): Promise<LocationRow> {
  const row = await locations.require(service.platform.database.executor, uuid);
  requirePermission(context, { resource: 'entities', action: 'detail', objects: [row.entity_uuid] });
  return row;
}
