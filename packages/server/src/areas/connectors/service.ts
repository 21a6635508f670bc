// Use cases of connectors. A connector is called before a transaction begins, never inside one.
import type {
  BulkActionMessageDto,
  ConnectDto,
  ConnectorDto,
  ConnectorRequestDto,
  ConnectorStatus,
  ConnectorUpdateRequestDto,
  ConnectRequestDto,
  FunctionGroupCode,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { found, isAppError, notFound, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { removeEach } from '../../platform/objects/remove-each.ts';
import { refusingTaken } from '../../platform/objects/taken-names.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine, CustomValues } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { acceptAuth, acceptAuthChange, acceptUrl } from './accept-request.ts';
import type { AuthVault } from './authentication.ts';
import type { BuiltIns } from './built-ins.ts';
import type { Clients, ConnectorClient } from './clients.ts';
import type { DependantRegistry } from './dependants.ts';
import { infoOperation, readFunctionGroups, type FunctionGroup } from './info-answer.ts';
import { presentConnections, presentConnector } from './present.ts';
import * as store from './store.ts';
import { connectors } from './store.ts';

export interface ConnectorFilter {
  readonly functionGroup?: FunctionGroupCode | undefined;
  readonly kind?: string | undefined;
  readonly status?: ConnectorStatus | undefined;
}

export interface ConnectorServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly clients: Clients;
  readonly vault: AuthVault;
  readonly builtIns: BuiltIns;
  readonly dependants: DependantRegistry;
}

interface ServiceParts extends ConnectorServiceParts {
  readonly platform: Platform;
  readonly values: CustomValues;
}

interface RemovalOptions {
  readonly context: RequestContext;
  /** Takes the connector away from what needs it, instead of refusing. */
  readonly force: boolean;
}

export type ConnectorService = ReturnType<typeof createConnectorService>;

export function createConnectorService(platform: Platform, parts: ConnectorServiceParts) {
  const service: ServiceParts = { platform, ...parts, values: parts.attributes.customValuesOf('connectors') };
  return {
    list: (filter: ConnectorFilter) => list(service, filter),
    detail: (uuid: string, context: RequestContext) => detail(service, uuid, context),
    create: (request: ConnectorRequestDto, context: RequestContext) => create(service, request, context),
    connect: (request: ConnectRequestDto, context: RequestContext) => connect(service, request, context),
    edit: (uuid: string, request: ConnectorUpdateRequestDto, context: RequestContext) =>
      edit(service, uuid, request, context),
    reconnect: (uuid: string, context: RequestContext) => reconnect(service, uuid, context),
    reconnectMany: (uuids: readonly string[], context: RequestContext) => reconnectMany(service, uuids, context),
    remove: (uuid: string, context: RequestContext) => remove(service, uuid, { context, force: false }),
    removeMany: (uuids: readonly string[], options: RemovalOptions) => removeMany(service, uuids, options),
  };
}

async function list(service: ServiceParts, filter: ConnectorFilter): Promise<ConnectorDto[]> {
  const { database } = service.platform;
  const connectors = await store.findAll(database.executor);
  return connectors.flatMap((connector) => {
    if (filter.status !== undefined && connector.status !== filter.status) return [];
    const groups = connector.functionGroups.filter((group) => fits(group, filter));
    const isFiltered = filter.functionGroup !== undefined || filter.kind !== undefined;
    if (isFiltered && groups.length === 0) return [];
    return [present(service, connector, filter.functionGroup === undefined ? connector.functionGroups : groups)];
  });
}

/** Asks the connector, so that what is shown is current, and remembers whether it answers. */
async function detail(service: ServiceParts, uuid: string, context: RequestContext): Promise<ConnectorDto> {
  const { clients } = service;
  const connector = await require(service, uuid);
  const groups = await probe(await clients.clientToLookAt(uuid), context.signal).catch((error: unknown) => {
    // A caller who went away says nothing about the connector.
    if (isAppError(error) && !context.signal.aborted) return undefined;
    throw error;
  });
  const status = connector.status === 'waitingForApproval' ? connector.status : groups ? 'connected' : 'offline';
  if (status !== connector.status) await rememberStatus(service, uuid, status);
  return withCustomAttributes(service, present(service, { ...connector, status }, groups ?? []), context);
}

async function create(service: ServiceParts, request: ConnectorRequestDto, context: RequestContext): Promise<string> {
  const { database, clock } = service.platform;
  const { audit, clients, vault, values } = service;
  const accepted = await values.accept(request.customAttributes, context);
  const [uuid, now, url] = [newUuid(), clock.now(), acceptUrl(service.platform, request.url)];
  const auth = acceptAuth(service.platform, request);
  const groups = await probe(clients.clientFor({ uuid, name: request.name, url, auth }), context.signal);
  const row = {
    uuid,
    name: request.name,
    url,
    auth_type: auth.authType,
    sealed_auth_attributes: vault.seal(uuid, auth),
  };
  await refusingTaken(connectors, request.name, () =>
    database.transaction(async (tx) => {
      await connectors.insert(tx, { ...row, status: 'connected', created_at: now, updated_at: now });
      await values.write(tx, uuid, accepted);
      await store.replaceFunctionGroups(tx, uuid, groups);
      await audit.append(tx, context, { objects: [{ uuid, name: request.name }] });
    }),
  );
  return uuid;
}

/** Tries a connector out. Hidden settings of a stored connector are reused for the same address only. */
async function connect(
  service: ServiceParts,
  request: ConnectRequestDto,
  context: RequestContext,
): Promise<ConnectDto[]> {
  const { database } = service.platform;
  const { audit, clients } = service;
  const stored = request.uuid === undefined ? undefined : await require(service, request.uuid);
  const url = stored?.url === request.url ? stored.url : acceptUrl(service.platform, request.url);
  const auth = stored ? acceptAuthChange(service, stored, { ...request, url }) : acceptAuth(service.platform, request);
  const name = stored?.name ?? new URL(url).host;
  const groups = await probe(clients.clientFor({ uuid: stored?.uuid ?? '', name, url, auth }), context.signal);
  await audit.append(database.executor, context, { objects: [stored ? { uuid: stored.uuid, name } : { name }] });
  return presentConnections(groups);
}

async function edit(
  service: ServiceParts,
  uuid: string,
  request: ConnectorUpdateRequestDto,
  context: RequestContext,
): Promise<ConnectorDto> {
  const { database, clock } = service.platform;
  const { audit, clients, vault, builtIns, values } = service;
  const accepted = await values.accept(request.customAttributes, context, uuid);
  const stored = await require(service, uuid);
  if (builtIns.isBuiltIn(stored.url)) throw rejected(`The connector ${stored.name} is built in and cannot be edited.`);
  const url = request.url === undefined ? stored.url : acceptUrl(service.platform, request.url);
  const auth = acceptAuthChange(service, stored, { ...request, url });
  const groups = await probe(clients.clientFor({ uuid, name: stored.name, url, auth }), context.signal);
  await database.transaction(async (tx) => {
    const locked = await connectors.lock(tx, uuid);
    await connectors.update(tx, uuid, {
      url,
      auth_type: auth.authType,
      sealed_auth_attributes: vault.seal(uuid, auth),
      status: locked.status === 'waitingForApproval' ? locked.status : 'connected',
      updated_at: clock.now(),
    });
    await store.replaceFunctionGroups(tx, uuid, groups);
    await values.write(tx, uuid, accepted);
    await audit.append(tx, context, { objects: [{ uuid, name: stored.name }] });
  });
  clients.invalidate(uuid);
  return withCustomAttributes(service, present(service, await require(service, uuid), groups), context);
}

async function reconnect(service: ServiceParts, uuid: string, context: RequestContext): Promise<ConnectDto[]> {
  const { database } = service.platform;
  const { audit, clients } = service;
  const connector = await require(service, uuid);
  const groups = await probe(await clients.clientToLookAt(uuid), context.signal);
  await database.transaction(async (tx) => {
    await connectors.lock(tx, uuid);
    await store.replaceFunctionGroups(tx, uuid, groups);
    await audit.append(tx, context, { objects: [{ uuid, name: connector.name }] });
  });
  clients.invalidate(uuid);
  return presentConnections(groups);
}

/** Side by side, so that one that hangs does not hold up the others. The first failure in list order is reported. */
async function reconnectMany(service: ServiceParts, uuids: readonly string[], context: RequestContext): Promise<void> {
  const { database } = service.platform;
  const wanted = [...new Set(uuids)];
  const known = new Set((await store.findAll(database.executor)).map(({ uuid }) => uuid));
  const unknown = wanted.find((uuid) => !known.has(uuid));
  if (unknown !== undefined) throw notFound('Connector', unknown);
  const outcomes = await Promise.allSettled(wanted.map((uuid) => reconnect(service, uuid, context)));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

function removeMany(
  service: ServiceParts,
  uuids: readonly string[],
  options: RemovalOptions,
): Promise<BulkActionMessageDto[]> {
  const { database } = service.platform;
  return removeEach(
    uuids,
    (uuid) => connectors.findOne(database.executor, uuid),
    (uuid) => remove(service, uuid, options),
  );
}

async function remove(service: ServiceParts, uuid: string, { context, force }: RemovalOptions): Promise<void> {
  const { database } = service.platform;
  const { audit, attributes, clients, builtIns, dependants } = service;
  await database.transaction(async (tx) => {
    const connector = await connectors.lock(tx, uuid);
    const { name, url } = connector;
    if (builtIns.isBuiltIn(url)) throw rejected(`The connector ${name} is built in and cannot be removed.`);
    if (force) await dependants.detach(tx, uuid);
    else await refuseWhileNeeded(service, tx, uuid);
    await attributes.removeConnector(tx, uuid);
    await attributes.removeObjects(tx, 'connectors', [uuid]);
    await connectors.removeMany(tx, [uuid]);
    await audit.append(tx, context, { objects: [{ uuid, name }] });
  });
  clients.invalidate(uuid);
}

async function refuseWhileNeeded({ dependants }: ServiceParts, tx: Executor, uuid: string): Promise<void> {
  const lines = await dependants.describe(tx, uuid);
  if (lines.length > 0) throw rejected(...lines);
}

async function require(service: ServiceParts, uuid: string): Promise<store.StoredConnector> {
  const { database } = service.platform;
  return found(await store.findOne(database.executor, uuid), connectors.what, uuid);
}

async function rememberStatus(service: ServiceParts, uuid: string, status: ConnectorStatus): Promise<void> {
  const { database } = service.platform;
  const { clients } = service;
  await connectors.update(database.executor, uuid, { status });
  clients.invalidate(uuid);
}

function present(
  service: ServiceParts,
  connector: store.StoredConnector,
  functionGroups: readonly FunctionGroup[],
): ConnectorDto {
  const { vault } = service;
  return presentConnector(connector, { auth: vault.open(connector.uuid, connector), functionGroups });
}

async function withCustomAttributes(
  { values }: ServiceParts,
  connector: ConnectorDto,
  context: RequestContext,
): Promise<ConnectorDto> {
  return { ...connector, customAttributes: await values.read(connector.uuid, context) };
}

/** Asks a connector what it is and judges the answer. */
async function probe(client: ConnectorClient, signal: AbortSignal): Promise<FunctionGroup[]> {
  return readFunctionGroups(await client.call(infoOperation, {}, { signal }));
}

/** Legacy providers of authorities are found among providers of authorities. */
function fits(group: FunctionGroup, { functionGroup, kind }: ConnectorFilter): boolean {
  const isGroup =
    functionGroup === undefined ||
    group.code === functionGroup ||
    (functionGroup === 'authorityProvider' && group.code === 'legacyAuthorityProvider');
  return isGroup && (kind === undefined || group.kinds.includes(kind));
}
