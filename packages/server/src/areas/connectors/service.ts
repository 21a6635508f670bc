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
import { EgressError } from '../../platform/net/egress.ts';
import { removeEach } from '../../platform/objects/remove-each.ts';
import { refusingTaken } from '../../platform/objects/taken-names.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuseCustomAttributes, type AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { acceptAuthSettings, keepHidden, type AuthSettings, type AuthVault } from './authentication.ts';
import type { BuiltIns } from './built-ins.ts';
import type { Clients, ConnectorClient } from './clients.ts';
import type { DependantRegistry } from './dependants.ts';
import { infoOperation, readFunctionGroups, type FunctionGroup } from './info-answer.ts';
import { presentConnections, presentConnector } from './present.ts';
import * as store from './store.ts';
import { connectors } from './store.ts';
import { PROBE_TIMEOUT_MS } from './transport.ts';

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

export type ConnectorService = ReturnType<typeof createConnectorService>;

export function createConnectorService(platform: Platform, parts: ConnectorServiceParts) {
  const { database, clock, egress } = platform;
  const { audit, attributes, clients, vault, builtIns, dependants } = parts;

  async function list(filter: ConnectorFilter): Promise<ConnectorDto[]> {
    const connectors = await store.findAll(database.executor);
    return connectors.flatMap((connector) => {
      if (filter.status !== undefined && connector.status !== filter.status) return [];
      const groups = connector.functionGroups.filter((group) => fits(group, filter));
      const isFiltered = filter.functionGroup !== undefined || filter.kind !== undefined;
      if (isFiltered && groups.length === 0) return [];
      return [present(connector, filter.functionGroup === undefined ? connector.functionGroups : groups)];
    });
  }

  const present = (connector: store.StoredConnector, functionGroups: readonly FunctionGroup[]): ConnectorDto =>
    presentConnector(connector, { auth: vault.open(connector.uuid, connector), functionGroups });

  async function require(uuid: string): Promise<store.StoredConnector> {
    return found(await store.findOne(database.executor, uuid), connectors.what, uuid);
  }

  async function create(request: ConnectorRequestDto, context: RequestContext): Promise<string> {
    refuseCustomAttributes(request.customAttributes);
    const [uuid, now, url] = [newUuid(), clock.now(), acceptUrl(request.url)];
    const auth = acceptAuth(request.authType, request.authAttributes);
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
        await store.replaceFunctionGroups(tx, uuid, groups);
        await audit.append(tx, context, { objects: [{ uuid, name: request.name }] });
      }),
    );
    return uuid;
  }

  /** Tries a connector out. Hidden settings of a stored connector are used again only toward the same address. */
  async function connect(request: ConnectRequestDto, context: RequestContext): Promise<ConnectDto[]> {
    const stored = request.uuid === undefined ? undefined : await require(request.uuid);
    const url = stored?.url === request.url ? stored.url : acceptUrl(request.url);
    const auth = stored
      ? changedAuth(stored, { url, authType: request.authType, authAttributes: request.authAttributes })
      : acceptAuth(request.authType, request.authAttributes);
    const name = stored?.name ?? new URL(url).host;
    const groups = await probe(clients.clientFor({ uuid: stored?.uuid ?? '', name, url, auth }), context.signal);
    await audit.append(database.executor, context, { objects: [stored ? { uuid: stored.uuid, name } : { name }] });
    return presentConnections(groups);
  }

  /** Calls the connector: what is shown is what it says now, and whether it answers is remembered. */
  async function detail(uuid: string, context: RequestContext): Promise<ConnectorDto> {
    const connector = await require(uuid);
    const groups = await probe(await clients.clientToLookAt(uuid), context.signal).catch((error: unknown) => {
      // A caller who went away says nothing about the connector.
      if (isAppError(error) && !context.signal.aborted) return undefined;
      throw error;
    });
    const status = connector.status === 'waitingForApproval' ? connector.status : groups ? 'connected' : 'offline';
    if (status !== connector.status) await rememberStatus(uuid, status);
    return present({ ...connector, status }, groups ?? []);
  }

  async function rememberStatus(uuid: string, status: ConnectorStatus): Promise<void> {
    await connectors.update(database.executor, uuid, { status });
    clients.invalidate(uuid);
  }

  async function edit(
    uuid: string,
    request: ConnectorUpdateRequestDto,
    context: RequestContext,
  ): Promise<ConnectorDto> {
    refuseCustomAttributes(request.customAttributes);
    const stored = await require(uuid);
    if (builtIns.isBuiltIn(stored.url))
      throw rejected(`The connector ${stored.name} is built in and cannot be edited.`);
    const url = request.url === undefined ? stored.url : acceptUrl(request.url);
    const auth = changedAuth(stored, { ...request, url });
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
      await audit.append(tx, context, { objects: [{ uuid, name: stored.name }] });
    });
    clients.invalidate(uuid);
    return present(await require(uuid), groups);
  }

  async function reconnect(uuid: string, context: RequestContext): Promise<ConnectDto[]> {
    const connector = await require(uuid);
    const groups = await probe(await clients.clientToLookAt(uuid), context.signal);
    await database.transaction(async (tx) => {
      await connectors.lock(tx, uuid);
      await store.replaceFunctionGroups(tx, uuid, groups);
      await audit.append(tx, context, { objects: [{ uuid, name: connector.name }] });
    });
    clients.invalidate(uuid);
    return presentConnections(groups);
  }

  /** Side by side, because one that hangs must not hold up the others; the first of the list that failed is told. */
  async function reconnectMany(uuids: readonly string[], context: RequestContext): Promise<void> {
    const wanted = [...new Set(uuids)];
    const known = new Set((await store.findAll(database.executor)).map(({ uuid }) => uuid));
    const unknown = wanted.find((uuid) => !known.has(uuid));
    if (unknown !== undefined) throw notFound('Connector', unknown);
    const outcomes = await Promise.allSettled(wanted.map((uuid) => reconnect(uuid, context)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async function remove(uuid: string, context: RequestContext): Promise<void> {
    await removeOne(uuid, { context, force: false });
  }

  const removeMany = (
    uuids: readonly string[],
    options: { context: RequestContext; force: boolean },
  ): Promise<BulkActionMessageDto[]> =>
    removeEach(
      uuids,
      (uuid) => connectors.findOne(database.executor, uuid),
      (uuid) => removeOne(uuid, options),
    );

  async function removeOne(
    uuid: string,
    { context, force }: { context: RequestContext; force: boolean },
  ): Promise<void> {
    await database.transaction(async (tx) => {
      const connector = await connectors.lock(tx, uuid);
      const { name, url } = connector;
      if (builtIns.isBuiltIn(url)) throw rejected(`The connector ${name} is built in and cannot be removed.`);
      if (force) await dependants.detach(tx, uuid);
      else await refuseWhileNeeded(tx, uuid);
      await attributes.removeConnector(tx, uuid);
      await connectors.removeMany(tx, [uuid]);
      await audit.append(tx, context, { objects: [{ uuid, name }] });
    });
    clients.invalidate(uuid);
  }

  async function refuseWhileNeeded(tx: Executor, uuid: string): Promise<void> {
    const lines = await dependants.describe(tx, uuid);
    if (lines.length > 0) throw rejected(...lines);
  }

  /** The URL in the form in which it is kept; refuses those that must not be called. */
  function acceptUrl(text: string): string {
    try {
      const url = egress.assertUrl(text);
      if (url.search !== '' || url.hash !== '')
        throw rejected('The URL of a connector has neither a query nor a fragment.');
      return text.replace(/\/+$/, '');
    } catch (error) {
      if (error instanceof EgressError) throw rejected(error.message);
      throw error;
    }
  }

  const acceptAuth = (
    authType: AuthSettings['authType'],
    requested: ConnectorRequestDto['authAttributes'],
  ): AuthSettings => acceptAuthSettings(authType, requested, () => clock.monotonicMs());

  /**
   * Authentication changes as a whole. What is never shown may be left out and stays as it was, but not toward another
   * address: whoever may edit a connector must not be able to have its secrets sent to a server of theirs.
   */
  function changedAuth(
    stored: store.StoredConnector,
    change: Pick<ConnectorUpdateRequestDto, 'authType' | 'authAttributes'> & { url: string },
  ): AuthSettings {
    const before = vault.open(stored.uuid, stored);
    const isSameAddress = originOf(change.url) === originOf(stored.url);
    if (change.authType === undefined) {
      if (isSameAddress || before.attributes.length === 0) return before;
      throw rejected('The connector gets another address: send its authentication again.');
    }
    const mayKeep = isSameAddress && change.authType === before.authType;
    if (mayKeep && change.authAttributes === undefined) return before;
    const requested = change.authAttributes ?? [];
    return acceptAuth(change.authType, mayKeep ? keepHidden(requested, before.attributes) : requested);
  }

  return { list, create, connect, detail, edit, reconnect, reconnectMany, remove, removeMany };
}

/** Asks a connector what it is and judges the answer. */
async function probe(client: ConnectorClient, signal: AbortSignal): Promise<FunctionGroup[]> {
  return readFunctionGroups(await client.call(infoOperation, {}, { signal, timeoutMs: PROBE_TIMEOUT_MS }));
}

/** Legacy providers of authorities are found among providers of authorities. */
function fits(group: FunctionGroup, { functionGroup, kind }: ConnectorFilter): boolean {
  const isGroup =
    functionGroup === undefined ||
    group.code === functionGroup ||
    (functionGroup === 'authorityProvider' && group.code === 'legacyAuthorityProvider');
  return isGroup && (kind === undefined || group.kinds.includes(kind));
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? url;
