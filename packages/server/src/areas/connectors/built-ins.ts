// Connectors that run inside the platform. Their rows are like any others, except that only the platform can assign
// their URLs.
import type { FunctionGroupCode } from '@signetry/contract';
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  createPostgresStorage,
  listSupportedFunctions,
  schemaNameOf,
  startConnector,
  type Connector,
  type ConnectorContext,
  type RunningConnector,
  type TokenKeys,
} from '@signetry/connector-sdk';
import { coreContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { createDiscoveryEgress } from '../../platform/net/discovery-egress.ts';
import type { AuditTrail } from '../audit/index.ts';
import { readFunctionGroups, type FunctionGroup } from './info-response.ts';
import * as store from './store.ts';
import { connectors } from './store.ts';

const SCHEME = 'builtin:';

export type BuiltIns = ReturnType<typeof createBuiltIns>;

export interface BuiltInParts {
  readonly audit: AuditTrail;
  /** From the settings; see `ConnectorContext`. */
  readonly acceptedClock?: Date | undefined;
  readonly libraries?: Readonly<Record<string, string>> | undefined;
  /** Networks that discoveries can scan. */
  readonly discoveryNetworks?: readonly string[] | undefined;
  /** Directories that connectors can read, by name. */
  readonly readableDirectories?: Readonly<Record<string, string>> | undefined;
  readonly directories?: Readonly<Record<string, string>> | undefined;
  readonly reloadCommands?: Readonly<Record<string, string>> | undefined;
  /** Token keys that built-in connectors sign with; see `ConnectorContext`. */
  readonly tokenKeys?: TokenKeys | undefined;
}

interface Registry extends BuiltInParts {
  readonly platform: Platform;
  /** By URL. */
  readonly running: Map<string, RunningConnector>;
  /** Sealed columns of the connectors registered so far. */
  readonly sealed: SealedColumn[];
}

export function createBuiltIns(platform: Platform, areas: BuiltInParts) {
  const registry: Registry = { platform, ...areas, running: new Map(), sealed: [] };
  const { running, sealed } = registry;

  return {
    /** Starts a connector in this process and ensures that it has a row; returns the row's identifier. */
    register: (connector: Connector): Promise<string> => register(registry, connector),
    findProblem: (): Promise<string | undefined> => findProblem(running.values()),
    isBuiltIn: (url: string): boolean => url.startsWith(SCHEME),
    sealedColumns: (): readonly SealedColumn[] => sealed,
    find: (url: string): RunningConnector | undefined => running.get(url),
    stop: async (): Promise<void> => {
      await Promise.all([...running.values()].map((instance) => instance.stop?.()));
      running.clear();
    },
  };
}

async function register(registry: Registry, connector: Connector): Promise<string> {
  const { running, sealed } = registry;
  const { name } = connector;
  const url = `${SCHEME}${name}`;
  const instance = await startConnector(connector, contextOf(registry, connector));
  running.set(url, instance);
  sealed.push(...sealedColumnsOf(connector));
  const functionGroups = readFunctionGroups(listSupportedFunctions(instance));
  const uuid = await ensureRow(registry, { name, url, functionGroups });
  if (functionGroups.some(({ code }) => SIGNING.has(code))) await auditAcceptedClock(registry, { uuid, name });
  return uuid;
}

/** Function groups whose connectors do not sign after the system clock has been set back. */
const SIGNING = new Set<FunctionGroupCode>(['authorityProvider', 'legacyAuthorityProvider']);

/** A newer version may offer more than the version that created the row; otherwise, startup changes nothing. */
function ensureRow(
  registry: Registry,
  { name, url, functionGroups }: { name: string; url: string; functionGroups: FunctionGroup[] },
): Promise<string> {
  return registry.platform.database.transaction(async (tx) => {
    await insertOnce(registry, tx, { name, url });
    const row = await store.findByUrl(tx, url);
    if (!row) throw new Error(`The connector ${name} has no row after its registration.`);
    const { uuid } = row;
    await connectors.lockMany(tx, [uuid]);
    const known = await store.findOne(tx, uuid);
    if (!isDeepStrictEqual(known?.functionGroups, functionGroups))
      await store.replaceFunctionGroups(tx, uuid, functionGroups);
    return uuid;
  });
}

async function insertOnce(
  { platform, audit }: Registry,
  tx: Executor,
  { name, url }: { name: string; url: string },
): Promise<void> {
  const [uuid, now] = [newUuid(), platform.clock.now()];
  // A connector with this name may have been registered before the built-in one existed.
  const namesake = await connectors.findByName(tx, name);
  const freeName = namesake && namesake.url !== url ? `${name} (built in)` : name;
  const isNew = await store.insertBuiltIn(tx, {
    uuid,
    name: freeName,
    url,
    auth_type: 'none',
    sealed_auth_attributes: null,
    status: 'connected',
    created_at: now,
    updated_at: now,
    check_at: now,
  });
  if (!isNew) return;
  const facts = { module: 'core', resource: 'connectors', operation: 'create' } as const;
  await audit.append(tx, coreContext('start'), { facts, objects: [{ uuid, name: freeName }] });
}

/** Writes an audit record for a decision by the operator who starts the platform; there is no request for it. */
async function auditAcceptedClock(
  { platform, audit, acceptedClock }: Registry,
  { uuid, name }: { uuid: string; name: string },
): Promise<void> {
  if (!acceptedClock) return;
  const accepted = acceptedClock.toISOString();
  await audit.append(platform.database.executor, coreContext('start'), {
    facts: { module: 'core', resource: 'connectors', operation: 'update' },
    objects: [{ uuid, name }],
    message: `Started with the setting acceptClock: the recorded time ${accepted} does not prevent ${name} from signing`,
    data: { acceptClock: accepted },
  });
}

function contextOf({ platform, ...host }: Registry, connector: Connector): ConnectorContext {
  const { acceptedClock, libraries, discoveryNetworks = [], readableDirectories, directories } = host;
  const { reloadCommands, tokenKeys } = host;
  const purposeOf = sealPurposeOf(connector);
  return {
    storage: createPostgresStorage(platform.database.connections, {
      schema: schemaNameOf(connector),
      isSharedWithCaller: true,
    }),
    seal: (plain, purpose) => platform.sealer.seal(plain, purposeOf(purpose)),
    open: (sealed, purpose) => platform.sealer.open(sealed, purposeOf(purpose)),
    clock: platform.clock,
    acceptedClock,
    libraries,
    egress: createDiscoveryEgress(platform.egress, discoveryNetworks),
    readableDirectories,
    directories,
    reloadCommands,
    resolveHost: (name, port) => platform.egress.resolve(name, port),
    tokenKeys,
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
    log: platform.log.child({ connector: connector.name }),
  };
}

/** Returns the problem that prevents a built-in connector from working, in its own wording. */
async function findProblem(instances: Iterable<RunningConnector>): Promise<string | undefined> {
  for (const instance of instances) {
    const health = await instance.health?.();
    if (health?.status !== 'nok') continue;
    const descriptions = Object.values(health.parts ?? {}).flatMap(({ description }) => description ?? []);
    return (
      [health.description, ...descriptions].find((words) => words !== undefined) ??
      `${instance.connector.name} is not healthy`
    );
  }
  return undefined;
}

const sealPurposeOf =
  (connector: Connector) =>
  (purpose: string): string =>
    `connector ${connector.name}: ${purpose}`;

const sealedColumnsOf = (connector: Connector): SealedColumn[] =>
  (connector.sealedValues ?? []).map(({ table, key, column, purpose }) => ({
    table: `"${schemaNameOf(connector)}".${table}`,
    key,
    keyType: 'uuid',
    column,
    form: 'bytes',
    purpose: (row) => sealPurposeOf(connector)(purpose(row[key] ?? '')),
  }));
