// Connectors that run inside the platform. They are rows like any other, with a URL that only the platform can give.
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
} from '@signetry/connector-sdk';
import { coreContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { readFunctionGroups } from './info-answer.ts';
import * as store from './store.ts';
import { connectors } from './store.ts';

const SCHEME = 'builtin:';

export type BuiltIns = ReturnType<typeof createBuiltIns>;

export interface BuiltInParts {
  readonly audit: AuditTrail;
  /** As the settings say; see `ConnectorContext`. */
  readonly acceptedClock?: Date | undefined;
}

export function createBuiltIns(platform: Platform, areas: BuiltInParts) {
  const { database, clock } = platform;
  const running = new Map<string, RunningConnector>();
  const sealed: SealedColumn[] = [];

  /** Starts a connector in this process and makes sure that it has its row; answers the identifier of the row. */
  async function register(connector: Connector): Promise<string> {
    const url = `${SCHEME}${connector.name}`;
    const instance = await startConnector(connector, contextOf(connector));
    running.set(url, instance);
    sealed.push(...sealedColumnsOf(connector));
    const groups = readFunctionGroups(listSupportedFunctions(instance));
    const uuid = await database.transaction(async (tx) => {
      await insertOnce(tx, { name: connector.name, url });
      const row = await store.findByUrl(tx, url);
      if (!row) throw new Error(`The connector ${connector.name} has no row after it was registered.`);
      await connectors.lockMany(tx, [row.uuid]);
      const known = await store.findOne(tx, row.uuid);
      // A newer program may offer more than the one that made the row; otherwise a start changes nothing.
      if (!isDeepStrictEqual(known?.functionGroups, groups)) await store.replaceFunctionGroups(tx, row.uuid, groups);
      return row.uuid;
    });
    if (areas.acceptedClock) await auditAcceptedClock({ uuid, name: connector.name, accepted: areas.acceptedClock });
    return uuid;
  }

  /** A decision of whoever starts the platform, which no request stands for. */
  async function auditAcceptedClock(facts: { uuid: string; name: string; accepted: Date }): Promise<void> {
    const { uuid, name, accepted } = facts;
    await areas.audit.append(database.executor, coreContext('start'), {
      facts: { module: 'core', resource: 'connectors', operation: 'update' },
      objects: [{ uuid, name }],
      message: `Started with the setting acceptClock: what is dated ${accepted.toISOString()} does not keep ${name} from signing`,
      data: { acceptClock: accepted.toISOString() },
    });
  }

  /** What keeps a built-in from its work, in its own words. */
  async function findProblem(): Promise<string | undefined> {
    for (const instance of running.values()) {
      const health = await instance.health?.();
      if (health?.status !== 'nok') continue;
      const descriptions = Object.values(health.parts ?? {}).flatMap(({ description }) => description ?? []);
      return (
        [health.description, ...descriptions].find((words) => words !== undefined) ??
        `${instance.connector.name} is not well`
      );
    }
    return undefined;
  }

  async function insertOnce(tx: Executor, { name, url }: { name: string; url: string }): Promise<void> {
    const [uuid, now] = [newUuid(), clock.now()];
    const isNew = await store.insertBuiltIn(tx, {
      uuid,
      name,
      url,
      auth_type: 'none',
      sealed_auth_attributes: null,
      status: 'connected',
      created_at: now,
      updated_at: now,
    });
    if (!isNew) return;
    const facts = { module: 'core', resource: 'connectors', operation: 'create' } as const;
    await areas.audit.append(tx, coreContext('start'), { facts, objects: [{ uuid, name }] });
  }

  function contextOf(connector: Connector): ConnectorContext {
    const purposeOf = sealPurposeOf(connector);
    return {
      storage: createPostgresStorage(platform.database.connections, { schema: schemaNameOf(connector) }),
      seal: (plain, purpose) => platform.sealer.seal(plain, purposeOf(purpose)),
      open: (sealed, purpose) => platform.sealer.open(sealed, purposeOf(purpose)),
      clock,
      acceptedClock: areas.acceptedClock,
      randomBytes: (length) => new Uint8Array(randomBytes(length)),
      log: platform.log.child({ connector: connector.name }),
    };
  }

  return {
    register,
    findProblem,
    isBuiltIn: (url: string): boolean => url.startsWith(SCHEME),
    /** What the connectors that were registered so far keep sealed. */
    sealedColumns: (): readonly SealedColumn[] => sealed,
    find: (url: string): RunningConnector | undefined => running.get(url),
    stop: async (): Promise<void> => {
      await Promise.all([...running.values()].map((instance) => instance.stop?.()));
      running.clear();
    },
  };
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
