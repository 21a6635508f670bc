// The attribute engine: learns definitions, judges values, keeps them, gives them back. It makes no calls to connectors
// and writes no audit records; both belong to the use case whose object the values are of.
import type { BaseAttributeDto, DataAttribute, RequestAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { valueDefinition } from './read-definition.ts';
import { checkValues } from './check-values.ts';
import { refuseCustomAttributes } from './custom-attributes.ts';
import { createPatternBudget } from './constraints.ts';
import { createCredentialExpansion } from './credentials.ts';
import { createDefinitions } from './definitions.ts';
import type { AttributeObject, AttributeScope } from './domain.ts';
import { createMetadata } from './metadata.ts';
import { presentValues, requestValues } from './present.ts';
import { openedItem, rowsToInsert } from './seal-values.ts';
import { asksToKeepSecret, keepSecrets } from './secrets.ts';
import { removeDataDefinitions } from './store-definitions.ts';
import * as store from './store-values.ts';

export interface ValidationRequest {
  readonly connectorUuid: string | null;
  /** Definitions fetched for this request, of every kind; only data definitions are judged by. */
  readonly definitions: readonly BaseAttributeDto[];
  readonly requested: readonly RequestAttributeDto[];
}

/** Validated values of one object and scope. */
export interface ValueSetToWrite {
  readonly object: AttributeObject;
  readonly scope: AttributeScope;
  readonly attributes: readonly RequestAttributeDto[];
}

export type AttributeEngine = ReturnType<typeof createAttributeEngine>;

export function createAttributeEngine(platform: Pick<Platform, 'database' | 'sealer' | 'clock'>) {
  const { database, sealer, clock } = platform;
  const definitions = createDefinitions(platform);
  const metadata = createMetadata(platform, definitions);
  const credentials = createCredentialExpansion();

  /**
   * Checks and keeps the definitions, then judges the values. Returns the values with the identifiers of their
   * definitions: these are what may be stored and sent on. Refuses broken definitions (400) and values (422).
   */
  async function validate({ connectorUuid, requested, ...request }: ValidationRequest): Promise<RequestAttributeDto[]> {
    const current = await definitions.learn(connectorUuid, request.definitions);
    const unmatched = requested.map(({ name }) => name).filter((name) => !current.some((known) => known.name === name));
    const earlier = await definitions.findEarlier(connectorUuid, unmatched);
    const budget = createPatternBudget(() => clock.monotonicMs());
    const { problems, accepted } = checkValues(requested, { current, earlier }, budget);
    if (problems.length > 0) throw rejected(...problems);
    return [...accepted];
  }

  /** Fills secrets that an update left empty with the stored ones; to be called before anything looks at the values. */
  async function withKeptSecrets(
    { object, scope }: Pick<ValueSetToWrite, 'object' | 'scope'>,
    requested: readonly RequestAttributeDto[],
  ): Promise<RequestAttributeDto[]> {
    if (!requested.some(asksToKeepSecret)) return [...requested];
    return keepSecrets(requested, await readForConnector(object, scope));
  }

  /** Replaces the values of a scope by validated ones. */
  async function replaceValues(tx: Executor, set: ValueSetToWrite): Promise<void> {
    await store.removeSet(tx, setOf(set));
    await insertValues(tx, [set]);
  }

  /** Writes validated values of new objects, many at once; nothing is sent to the database when there are none. */
  async function insertValues(tx: Executor, sets: readonly ValueSetToWrite[]): Promise<void> {
    const rows = sets.flatMap((set) => rowsToInsert({ ...set, type: 'data' }, sealer));
    await store.insertValues(tx, rows);
  }

  /** Values with their secrets, as a connector is sent them; credentials are named, not expanded. */
  async function readForConnector(object: AttributeObject, scope: AttributeScope): Promise<RequestAttributeDto[]> {
    const rows = await store.findValues(database.executor, setOf({ object, scope }));
    return requestValues(rows, (row) => openedItem(row, object, sealer));
  }

  /** Values as they are shown, by label and name. */
  async function read(object: AttributeObject, scope: AttributeScope): Promise<ResponseAttributeDto[]> {
    return presentValues(await store.findValues(database.executor, setOf({ object, scope })));
  }

  return {
    validate,
    /** Keeps definitions without judging values, e.g. those that a call-back answered. */
    learnDefinitions: async (connectorUuid: string | null, list: readonly BaseAttributeDto[]): Promise<void> => {
      await definitions.learn(connectorUuid, list);
    },
    withKeptSecrets,
    replaceValues,
    insertValues,
    read,
    readForConnector,
    expandCredentials: credentials.expand,
    registerCredentialSource: credentials.register,
    appendMetadata: metadata.append,
    readMetadata: metadata.read,
    readMetadataForConnector: metadata.readForConnector,
    registerConnectorNames: metadata.registerConnectorNames,
    /** Metadata of one connector goes, e.g. when a certificate changes its RA profile. */
    removeConnectorMetadata: (tx: Executor, object: AttributeObject, connectorUuid: string): Promise<void> =>
      store.removeMetadata(tx, { resource: object.resource, objectUuid: object.uuid, connectorUuid }),
    /** All values go with their objects. */
    removeObjects: async (
      tx: Executor,
      resource: AttributeObject['resource'],
      uuids: readonly string[],
    ): Promise<void> => {
      if (uuids.length > 0) await store.removeObjects(tx, resource, uuids);
    },
    /** Data definitions and values of a connector go with it; metadata stays without a reference to it. */
    removeConnector: async (tx: Executor, connectorUuid: string): Promise<void> => {
      await removeDataDefinitions(tx, connectorUuid);
      await store.releaseMetadata(tx, connectorUuid);
    },
    refuseCustomAttributes,
  };
}

const setOf = ({ object, scope }: Pick<ValueSetToWrite, 'object' | 'scope'>): store.ValueSet => ({
  resource: object.resource,
  objectUuids: [object.uuid],
  connectorUuid: scope.connectorUuid,
  operation: scope.operation ?? '',
  purpose: scope.purpose ?? '',
});

/** Judges values against definitions of the platform itself, which are not kept; returns the accepted values (422). */
export function checkPlatformValues(
  platformDefinitions: readonly DataAttribute[],
  requested: readonly RequestAttributeDto[],
  monotonicMs: () => number,
): RequestAttributeDto[] {
  const known = { current: platformDefinitions.map(valueDefinition), earlier: [] };
  const { problems, accepted } = checkValues(requested, known, createPatternBudget(monotonicMs));
  if (problems.length > 0) throw rejected(...problems);
  return [...accepted];
}
