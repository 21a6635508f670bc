// Use cases of notification instances. The connector is called before or between transactions, never inside one.
import {
  notificationProviderOperations,
  type AttributeMappingDto,
  type DataAttribute,
  type NotificationInstanceDto,
  type NotificationInstanceRequestDto,
  type NotificationInstanceUpdateRequestDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, isAppError, notFound, rejected } from '../../../kernel/errors.ts';
import { isUuid, newUuid } from '../../../kernel/ids.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../../../platform/database/database-errors.ts';
import { createEditClaims, type EditClaims } from '../../../platform/objects/one-edit-at-a-time.ts';
import type { Platform } from '../../../platform/platform.ts';
import { leftOutData, type AttributeEngine, type CredentialUse } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { callFailureOf, type Connectors } from '../../connectors/index.ts';
import { asJson, findProfilesOfInstance, instances } from '../store.ts';
import { endDeliveriesOf } from '../store-deliveries.ts';
import type { InstanceRow } from '../tables.ts';
import { problemsOfMappings } from './domain.ts';
import { presentInstance } from './present.ts';
import { mappingAttributesOf, reachInstance } from './reach.ts';

export interface InstanceServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
}

interface ServiceParts extends InstanceServiceParts {
  readonly platform: Platform;
  readonly edits: EditClaims;
}

const provider = notificationProviderOperations;

export type InstanceService = ReturnType<typeof createInstanceService>;

export function createInstanceService(platform: Platform, parts: InstanceServiceParts) {
  const service: ServiceParts = { platform, ...parts, edits: createEditClaims(platform, instances) };
  return {
    list: async (): Promise<NotificationInstanceDto[]> =>
      (await instances.findAll(platform.database.executor)).map((row) => presentInstance(row)),
    detail: (uuid: string) => detail(service, uuid),
    mappingAttributes: async (
      { connectorUuid, kind }: { readonly connectorUuid: string; readonly kind: string },
      { signal }: RequestContext,
    ): Promise<DataAttribute[]> => mappingAttributesOf(await parts.connectors.client(connectorUuid), kind, signal),
    create: (request: NotificationInstanceRequestDto, context: RequestContext) => create(service, request, context),
    edit: (uuid: string, request: NotificationInstanceUpdateRequestDto, context: RequestContext) =>
      edit(service, uuid, request, context),
    remove: (uuid: string, context: RequestContext) => remove(service, uuid, context),
  };
}

async function detail({ platform, attributes }: ServiceParts, uuid: string): Promise<NotificationInstanceDto> {
  const row = await instances.require(platform.database.executor, uuid);
  return presentInstance(row, await attributes.read(valueSet(row).object, valueSet(row).scope));
}

async function create(
  service: ServiceParts,
  request: NotificationInstanceRequestDto,
  context: RequestContext,
): Promise<string> {
  const { database, clock } = service.platform;
  const { audit, attributes, connectors } = service;
  const { name, kind, connectorUuid, attributeMappings: mappings = [] } = request;
  // Checked before the connector is called: an instance that cannot be recorded must not come into being there.
  if (await instances.findByName(database.executor, name)) throw taken(name);
  const client = await connectors.client(connectorUuid);
  const accepted = await acceptAttributes(service, { connectorUuid, kind }, request.attributes, context);
  await assertMappings(service, { connectorUuid, kind, mappings }, context);
  const [uuid, now] = [newUuid(), clock.now()];
  const body = { name, kind, attributes: await attributes.expandCredentials(accepted) };
  const { signal } = context;
  const there = await client.call(provider.createNotificationInstance, { body }, { signal, idempotencyKey: uuid });
  const row: InstanceRow = {
    uuid,
    name,
    description: request.description || null,
    connector_uuid: connectorUuid,
    connector_name: client.name,
    connector_instance_uuid: there.uuid,
    kind,
    mappings,
    removing: false,
    edited_until: null,
    created_at: now,
    updated_at: now,
  };
  try {
    await database.transaction(async (tx) => {
      await instances.insert(tx, { ...row, mappings: asJson(mappings) });
      await attributes.insertValues(tx, [{ ...valueSet(row), attributes: accepted }]);
      await audit.append(tx, context, { objects: [row] });
    });
  } catch (error) {
    throw await takenBack(service, row, { error: refusalOf(error, row), context });
  }
  return uuid;
}

const taken = (name: string, cause?: unknown) =>
  new AppError('already_exists', { what: instances.what, name }, { cause });

function refusalOf(error: unknown, { name, connector_uuid: connectorUuid }: InstanceRow): unknown {
  if (isUniqueViolation(error, 'notification_instance_name_key')) return taken(name, error);
  return isForeignKeyViolation(error) ? notFound('Connector', connectorUuid ?? '') : error;
}

/** What cannot be recorded goes at its connector, too; the refusal says so when it stays there. */
async function takenBack(
  service: ServiceParts,
  row: InstanceRow,
  { error, context }: { readonly error: unknown; readonly context: RequestContext },
): Promise<unknown> {
  try {
    await removeAtConnector(service, row, context);
    return error;
  } catch (cause) {
    const { name, connector_name: connector, connector_instance_uuid: there } = row;
    service.platform.log.error({ error: cause, instance: name, connector, there }, 'a notification instance that was not recorded stays at its connector'); // prettier-ignore
    if (!isAppError(error)) return error;
    return rejected(
      error.message,
      `Connector ${connector} has made the instance ${name} (${there}) and did not remove it again: remove it there.`,
    );
  }
}

interface OfKind {
  readonly connectorUuid: string;
  readonly kind: string;
}

/** Has the connector and the platform judge the attributes of an instance. */
const acceptAttributes = (
  { connectors }: ServiceParts,
  of: OfKind,
  requested: readonly RequestAttributeDto[],
  { actor, signal, before }: Pick<RequestContext, 'actor' | 'signal'> & CredentialUse,
): Promise<RequestAttributeDto[]> =>
  connectors.acceptOfKind({ ...of, functionGroup: 'notificationProvider', signal, actor, before }, requested);

/** Refuses (422) mappings that the kind does not have, or that name custom attributes of another type. */
async function assertMappings(
  { connectors, attributes }: ServiceParts,
  { connectorUuid, kind, mappings }: OfKind & { readonly mappings: readonly AttributeMappingDto[] },
  { signal }: RequestContext,
): Promise<void> {
  if (mappings.length === 0) return;
  const asked = await mappingAttributesOf(await connectors.client(connectorUuid), kind, signal);
  const named = mappings.map(({ customAttributeUuid }) => customAttributeUuid.toLowerCase()).filter(isUuid);
  const known = await attributes.custom.findDefinitions(named);
  const problems = problemsOfMappings(mappings, { asked, known });
  if (problems.length > 0) throw rejected(...problems);
}

async function edit(
  service: ServiceParts,
  uuid: string,
  request: NotificationInstanceUpdateRequestDto,
  context: RequestContext,
): Promise<NotificationInstanceDto> {
  const { database, clock } = service.platform;
  const { audit, attributes, connectors } = service;
  const row = await instances.require(database.executor, uuid);
  const { object, scope } = valueSet(row);
  await service.edits.during(row, async () => {
    const { client, params } = await reachInstance(connectors, row);
    const of = { connectorUuid: client.uuid, kind: row.kind };
    const mappings = request.attributeMappings ?? [];
    const before = await attributes.readForConnector(object, scope);
    const requested = await attributes.withKeptSecrets(valueSet(row), request.attributes);
    const accepted = await acceptAttributes(service, of, requested, { ...context, before });
    await assertMappings(service, { ...of, mappings }, context);
    const body = { name: row.name, kind: row.kind, attributes: await attributes.expandCredentials(accepted) };
    await client.call(provider.updateNotificationInstance, { params, body }, { signal: context.signal });
    const leftOut = before.map(({ name }) => name).filter((name) => !accepted.some((value) => value.name === name));
    const changes = {
      description: request.description || null,
      mappings: asJson(mappings),
      updated_at: clock.now(),
    };
    await database.transaction(async (tx) => {
      if (!(await instances.update(tx, uuid, changes))) throw notFound(instances.what, uuid);
      await attributes.replaceValues(tx, { ...valueSet(row), attributes: accepted });
      await audit.append(tx, context, { objects: [row], ...leftOutData(leftOut) });
    });
  });
  return detail(service, uuid);
}

/**
 * The connector removes first, then the platform forgets; in between the instance is marked, so that no profile can
 * come to depend on what is about to go. A removal that was interrupted begins anew.
 */
async function remove(service: ServiceParts, uuid: string, context: RequestContext): Promise<void> {
  const { database, clock } = service.platform;
  const { audit, attributes } = service;
  const row = await database.transaction(async (tx) => {
    const locked = await instances.lock(tx, uuid);
    const names = await findProfilesOfInstance(tx, uuid);
    if (names.length > 0) throw usedBy(locked, names);
    await instances.update(tx, uuid, { removing: true, updated_at: clock.now() });
    return locked;
  });
  try {
    await removeAtConnector(service, row, context);
  } catch (error) {
    await instances.update(database.executor, uuid, { removing: false });
    throw error;
  }
  await database.transaction(async (tx) => {
    // Somebody else may have been faster; the instance is gone either way.
    if ((await instances.lockMany(tx, [uuid])).length === 0) return;
    await endDeliveriesOf(tx, uuid, clock.now());
    await attributes.removeObjects(tx, 'notificationInstances', [uuid]);
    await instances.removeMany(tx, [uuid]);
    await audit.append(tx, context, { objects: [row] });
  });
}

const usedBy = ({ name }: InstanceRow, profiles: readonly string[]) =>
  rejected(
    `Notification instance ${name} cannot be deleted: versions of these notification profiles use it: ` +
      `${profiles.join(', ')}. Delete the profiles first.`,
  );

/** 404 from the connector means that the instance is gone already. */
async function removeAtConnector(
  { connectors }: ServiceParts,
  row: InstanceRow,
  { signal }: RequestContext,
): Promise<void> {
  if (row.connector_uuid === null) return;
  const { client, params } = await reachInstance(connectors, row);
  try {
    await client.call(provider.removeNotificationInstance, { params }, { signal });
  } catch (error) {
    if (callFailureOf(error)?.kind !== 'notFound') throw error;
  }
}

/** The values of an instance, under its connector. */
const valueSet = (row: Pick<InstanceRow, 'uuid' | 'connector_uuid'>) => ({
  object: { resource: 'notificationInstances', uuid: row.uuid } as const,
  scope: { connectorUuid: row.connector_uuid },
});
