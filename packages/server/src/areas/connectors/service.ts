// Connector use cases. Connectors are called before a transaction starts, never inside one.
import type {
  BulkActionMessageDto,
  ConnectDto,
  ConnectorCircuit,
  ConnectorDto,
  ConnectorRequestDto,
  ConnectorStatus,
  ConnectorUpdateRequestDto,
  ConnectRequestDto,
  FunctionGroupCode,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, isAppError, notFound, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { removeEach } from '../../platform/objects/remove-each.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import { acceptAuth, acceptAuthChange, acceptUrl } from './accept-request.ts';
import { assertApproved } from './clients.ts';
import type { FunctionGroup } from './info-response.ts';
import { presentConnections, presentConnector } from './present.ts';
import { probe, rememberStatus } from './probe.ts';
import { approve, approveMany, register } from './registration.ts';
import type { ConnectorServiceParts, ServiceParts } from './service-parts.ts';
import * as store from './store.ts';
import { connectors } from './store.ts';
import type { ConnectorRow } from './tables.ts';

export interface ConnectorFilter {
  readonly functionGroup?: FunctionGroupCode | undefined;
  readonly kind?: string | undefined;
  readonly status?: ConnectorStatus | undefined;
}

interface RemovalOptions {
  readonly context: RequestContext;
  /** Removes references to the connector instead of rejecting the removal. */
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
    register: (request: ConnectorRequestDto, context: RequestContext) => register(service, request, context),
    approve: (uuid: string, context: RequestContext) => approve(service, uuid, context),
    approveMany: (uuids: readonly string[], context: RequestContext) => approveMany(service, uuids, context),
    circuit: (uuid: string) => circuit(service, uuid),
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

/** Calls the connector to get current details, and records whether it responds. */
async function detail(service: ServiceParts, uuid: string, context: RequestContext): Promise<ConnectorDto> {
  const { clients } = service;
  const connector = await require(service, uuid);
  // Connectors are not called before they are approved, so only their registration data is known.
  if (connector.status === 'waitingForApproval')
    return withCustomAttributes(service, present(service, connector, connector.functionGroups), context);
  const found: { groups: readonly FunctionGroup[]; reason?: string } = await probe(
    await clients.clientToLookAt(uuid),
    context.signal,
  ).then(
    (groups) => ({ groups }),
    (error: unknown) => {
      // An aborted request reveals nothing about the connector.
      if (isAppError(error) && !context.signal.aborted) return { groups: [], reason: error.message };
      throw error;
    },
  );
  const { groups, reason } = found;
  const status = reason === undefined ? 'connected' : 'offline';
  if (status !== connector.status) {
    await rememberStatus(service, { uuid, name: connector.name, status, reason });
    clients.invalidate(uuid);
  }
  return withCustomAttributes(service, present(service, { ...connector, status }, groups), context);
}

/** Returns the state of this node's circuit breaker for the connector. */
async function circuit(service: ServiceParts, uuid: string): Promise<ConnectorCircuit> {
  await require(service, uuid);
  const { openedAt, retryAt, ...view } = service.clients.circuit(uuid);
  return {
    node: service.platform.nodeId,
    ...view,
    ...(openedAt ? { openedAt: openedAt.toISOString() } : {}),
    ...(retryAt ? { retryAt: retryAt.toISOString() } : {}),
  };
}

async function create(service: ServiceParts, request: ConnectorRequestDto, context: RequestContext): Promise<string> {
  const { database, clock } = service.platform;
  const { audit, clients, vault, values } = service;
  const accepted = await values.accept(request.customAttributes, context);
  const [uuid, now, url] = [newUuid(), clock.now(), acceptUrl(service.platform, request.url)];
  const auth = await acceptAuth(request);
  const groups = await probe(clients.clientFor({ uuid, name: request.name, url, auth }), context.signal);
  await service.refuseSameKinds(groups, uuid);
  const row: ConnectorRow = {
    uuid,
    name: request.name,
    url,
    auth_type: auth.authType,
    sealed_auth_attributes: vault.seal(uuid, auth),
    status: 'connected',
    created_at: now,
    updated_at: now,
    check_at: store.nextCheck(now),
  };
  await rejectTakenName(connectors, request.name, () =>
    database.transaction(async (tx) => {
      await connectors.insert(tx, row);
      await values.write(tx, uuid, accepted);
      await store.replaceFunctionGroups(tx, uuid, groups);
      await audit.append(tx, context, { objects: [{ uuid, name: request.name }] });
    }),
  );
  return uuid;
}

/** Tests a connection to a connector. An approved connector's stored secrets are reused, but only for the same URL. */
async function connect(
  service: ServiceParts,
  request: ConnectRequestDto,
  context: RequestContext,
): Promise<ConnectDto[]> {
  const { database } = service.platform;
  const { audit, clients } = service;
  const stored = request.uuid === undefined ? undefined : await require(service, request.uuid);
  const url = stored?.url === request.url ? stored.url : acceptUrl(service.platform, request.url);
  const mayReuse = stored !== undefined && stored.status !== 'waitingForApproval';
  const auth = mayReuse ? await acceptAuthChange(service, stored, { ...request, url }) : await acceptAuth(request);
  const name = stored?.name ?? new URL(url).host;
  const groups = await probe(clients.clientFor({ uuid: stored?.uuid ?? '', name, url, auth }), context.signal);
  await service.refuseSameKinds(groups, stored?.uuid ?? '');
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
  if (builtIns.isBuiltIn(stored.url)) throw rejected(`Cannot edit connector ${stored.name}: it is built in.`);
  const url = request.url === undefined ? stored.url : acceptUrl(service.platform, request.url);
  const auth = await acceptAuthChange(service, stored, { ...request, url });
  // Like registration, an edit does not call a connector that has not been approved yet.
  const isWaiting = stored.status === 'waitingForApproval';
  const groups = isWaiting
    ? []
    : await probe(clients.clientFor({ uuid, name: stored.name, url, auth }), context.signal);
  if (!isWaiting) await service.refuseSameKinds(groups, uuid);
  await database.transaction(async (tx) => {
    const locked = await connectors.lock(tx, uuid);
    if (isWaiting !== (locked.status === 'waitingForApproval'))
      throw rejected(`Cannot edit connector ${stored.name}: it was approved in the meantime. Edit it again.`);
    await connectors.update(tx, uuid, {
      url,
      auth_type: auth.authType,
      sealed_auth_attributes: vault.seal(uuid, auth),
      status: isWaiting ? locked.status : 'connected',
      updated_at: clock.now(),
    });
    await store.replaceFunctionGroups(tx, uuid, groups);
    await values.write(tx, uuid, accepted);
    await audit.append(tx, context, { objects: [{ uuid, name: stored.name }] });
  });
  if (url === stored.url) clients.invalidate(uuid);
  else clients.forget(uuid);
  return withCustomAttributes(service, present(service, await require(service, uuid), groups), context);
}

async function reconnect(service: ServiceParts, uuid: string, context: RequestContext): Promise<ConnectDto[]> {
  const { database } = service.platform;
  const { audit, clients } = service;
  const connector = await require(service, uuid);
  assertApproved(connector);
  const groups = await probe(await clients.clientToLookAt(uuid), context.signal);
  await database.transaction(async (tx) => {
    await connectors.lock(tx, uuid);
    await store.replaceFunctionGroups(tx, uuid, groups);
    await audit.append(tx, context, { objects: [{ uuid, name: connector.name }] });
  });
  clients.invalidate(uuid);
  return presentConnections(groups);
}

/**
 * Runs in parallel, so that one unresponsive connector does not delay the others. Reports the first failure in list
 * order.
 */
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
    if (builtIns.isBuiltIn(url)) throw rejected(`Cannot remove connector ${name}: it is built in.`);
    if (force) await dependants.detach(tx, uuid);
    else await rejectWhileNeeded(service, tx, uuid);
    await attributes.removeConnector(tx, uuid);
    await attributes.removeObjects(tx, 'connectors', [uuid]);
    await connectors.removeMany(tx, [uuid]);
    await audit.append(tx, context, { objects: [{ uuid, name }] });
  });
  clients.forget(uuid);
}

async function rejectWhileNeeded({ dependants }: ServiceParts, tx: Executor, uuid: string): Promise<void> {
  const lines = await dependants.describe(tx, uuid);
  if (lines.length > 0) throw rejected(...lines);
}

async function require(service: ServiceParts, uuid: string): Promise<store.StoredConnector> {
  const { database } = service.platform;
  return requireFound(await store.findOne(database.executor, uuid), connectors.what, uuid);
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

/** A filter for authority providers also matches legacy authority providers. */
function fits(group: FunctionGroup, { functionGroup, kind }: ConnectorFilter): boolean {
  const isGroup =
    functionGroup === undefined ||
    group.code === functionGroup ||
    (functionGroup === 'authorityProvider' && group.code === 'legacyAuthorityProvider');
  return isGroup && (kind === undefined || group.kinds.includes(kind));
}
