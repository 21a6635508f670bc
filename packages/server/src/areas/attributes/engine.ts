// The attribute engine: learns definitions, judges values, keeps them, gives them back. It makes no calls to connectors
// and writes no audit records; both belong to the use case whose object the values are of.
import type { BaseAttributeDto, DataAttribute, RequestAttributeDto } from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { valueDefinition } from './read-definition.ts';
import { checkValues } from './check-values.ts';
import { createCustomValues } from './custom/values.ts';
import { createPatternBudget } from './constraints.ts';
import { createCredentialExpansion } from './credentials.ts';
import { createDefinitions } from './definitions.ts';
import type { AttributeObject, AttributeScope } from './attribute-terms.ts';
import { createMetadata } from './metadata.ts';
import { createValueReader } from './read-values.ts';
import { rowsToInsert } from './seal-values.ts';
import { createSigningKeyAttributes } from './signing-keys.ts';
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
  /** Absent: data attributes. */
  readonly type?: 'custom';
}

export type AttributeEngine = ReturnType<typeof createAttributeEngine>;

export function createAttributeEngine(platform: Pick<Platform, 'database' | 'sealer' | 'clock'>) {
  const { sealer } = platform;
  const definitions = createDefinitions(platform);
  const metadata = createMetadata(platform, definitions);
  const credentials = createCredentialExpansion();
  const custom = createCustomValues(platform, credentials);

  /**
   * Checks and keeps the definitions, then judges the values. Returns the values with the identifiers of their
   * definitions: these are what may be stored and sent on. Refuses broken definitions (400) and values (422).
   */
  async function validate({ connectorUuid, requested, ...request }: ValidationRequest): Promise<RequestAttributeDto[]> {
    const current = await definitions.learn(connectorUuid, request.definitions);
    const unmatched = requested.map(({ name }) => name).filter((name) => !current.some((known) => known.name === name));
    const earlier = await definitions.findEarlier(connectorUuid, unmatched);
    const budget = createPatternBudget();
    const { problems, accepted } = checkValues(requested, { current, earlier }, budget);
    if (problems.length > 0) throw rejected(...problems);
    return [...accepted];
  }

  /** Replaces the values of a scope by validated ones. */
  async function replaceValues(tx: Executor, set: ValueSetToWrite): Promise<void> {
    await store.removeSet(tx, store.setOf(set));
    await insertValues(tx, [set]);
  }

  /** Writes validated values of new objects, many at once; nothing is sent to the database when there are none. */
  async function insertValues(tx: Executor, sets: readonly ValueSetToWrite[]): Promise<void> {
    await credentials.hold(
      tx,
      sets.flatMap(({ attributes }) => attributes),
    );
    const rows = sets.flatMap((set) => rowsToInsert({ ...set, type: set.type ?? 'data' }, sealer));
    await store.insertValues(tx, rows);
  }

  return {
    validate,
    /** Keeps definitions without judging values, e.g. those that a call-back answered. */
    learnDefinitions: async (connectorUuid: string | null, list: readonly BaseAttributeDto[]): Promise<void> => {
      await definitions.learn(connectorUuid, list);
    },
    ...createValueReader(platform),
    replaceValues,
    insertValues,
    /** Definitions of a connector by name that came earlier, e.g. with a call-back; without choices. */
    findKeptDefinitions: definitions.findKept,
    ...credentials.operations,
    ...createSigningKeyAttributes(definitions.findKept),
    appendMetadata: metadata.append,
    readMetadata: metadata.read,
    readMetadataForConnector: metadata.readForConnector,
    registerConnectorNames: metadata.registerConnectorNames,
    /** Metadata of one connector goes, e.g. when a certificate changes its RA profile. */
    removeConnectorMetadata: (tx: Executor, object: AttributeObject, connectorUuid: string): Promise<void> =>
      store.removeMetadata(tx, { resource: object.resource, objectUuid: object.uuid, connectorUuid }),
    /** All values go with their objects. */
    removeObjects: store.removeObjects,
    /** Values of data attributes go, whatever set they are in; custom attributes and metadata stay. */
    removeData: store.removeDataOf,
    /** Data definitions and values of a connector go with it; metadata stays without a reference to it. */
    removeConnector: async (tx: Executor, connectorUuid: string): Promise<void> => {
      await removeDataDefinitions(tx, connectorUuid);
      await store.releaseMetadata(tx, connectorUuid);
    },
    /** Custom attributes of the objects of a resource. */
    customValuesOf: custom.of,
    custom,
  };
}

/** Judges values against definitions of the platform itself, which are not kept; returns the accepted values (422). */
export function checkPlatformValues(
  platformDefinitions: readonly DataAttribute[],
  requested: readonly RequestAttributeDto[],
): RequestAttributeDto[] {
  const known = { current: platformDefinitions.map(valueDefinition), earlier: [] };
  const { problems, accepted } = checkValues(requested, known, createPatternBudget());
  if (problems.length > 0) throw rejected(...problems);
  return [...accepted];
}
