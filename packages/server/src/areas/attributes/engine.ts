// The attribute engine learns definitions, and validates, stores and returns values. It does not call connectors or
// write audit records; the use case that owns the object does both.
import type { BaseAttributeDto, DataAttribute, RequestAttributeDto } from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { valueDefinition } from './read-definition.ts';
import { checkValues } from './check-values.ts';
import { createCustomValues } from './custom/values.ts';
import { createPatternBudget } from './constraints.ts';
import { createCredentialExpansion } from './credentials.ts';
import { defineValues } from './define-values.ts';
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
  /** Definitions of every kind, fetched for this request; values are validated only against data definitions. */
  readonly definitions: readonly BaseAttributeDto[];
  readonly requested: readonly RequestAttributeDto[];
}

/** Validated values for one object and scope. */
export interface ValueSetToWrite {
  readonly object: AttributeObject;
  readonly scope: AttributeScope;
  readonly attributes: readonly RequestAttributeDto[];
  /** If absent, the values are those of data attributes. */
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
   * Checks and stores the definitions, then validates the values. Returns the values with the identifiers of their
   * definitions; only these may be stored and sent on. Rejects malformed definitions (400) and values (422).
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

  /** Replaces the values of a scope with validated ones. */
  async function replaceValues(tx: Executor, set: ValueSetToWrite): Promise<void> {
    await store.removeSet(tx, store.setOf(set));
    await insertValues(tx, [set]);
  }

  /** Inserts validated values for new objects in bulk. If there are none, nothing is sent to the database. */
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
    /** Stores definitions without validating values, e.g. those returned by a callback. */
    learnDefinitions: async (connectorUuid: string | null, list: readonly BaseAttributeDto[]): Promise<void> => {
      await definitions.learn(connectorUuid, list);
    },
    /** Returns values that a connector has made up, with the identifiers of stored definitions. */
    defineValues: (tx: Executor, connectorUuid: string, values: readonly RequestAttributeDto[]) =>
      defineValues(tx, values, { connectorUuid, at: platform.clock.now() }),
    ...createValueReader(platform),
    replaceValues,
    insertValues,
    /** Finds a connector's previously stored definitions by name, without their choices. */
    findKeptDefinitions: definitions.findStored,
    ...credentials.operations,
    ...createSigningKeyAttributes(definitions.findStored),
    appendMetadata: metadata.append,
    readMetadata: metadata.read,
    readMetadataForConnector: metadata.readForConnector,
    registerConnectorNames: metadata.registerConnectorNames,
    /** Removes one connector's metadata, e.g. when a certificate moves to a different RA profile. */
    removeConnectorMetadata: (tx: Executor, object: AttributeObject, connectorUuid: string): Promise<void> =>
      store.removeMetadata(tx, { resource: object.resource, objectUuid: object.uuid, connectorUuid }),
    /** Removes all values of the objects being removed. */
    removeObjects: store.removeObjects,
    /** Removes data attribute values in all scopes. Custom attributes and metadata are kept. */
    removeData: store.removeDataOf,
    /**
     * Removes a connector's data definitions and values. Its metadata is kept, without the reference to the connector.
     */
    removeConnector: async (tx: Executor, connectorUuid: string): Promise<void> => {
      await removeDataDefinitions(tx, connectorUuid);
      await store.releaseMetadata(tx, connectorUuid);
    },
    /** Returns the custom attributes for the objects of a resource. */
    customValuesOf: custom.of,
    custom,
  };
}

/**
 * Validates values against the platform's own definitions, which are not stored; returns the accepted values or throws
 * (422).
 */
export function checkPlatformValues(
  platformDefinitions: readonly DataAttribute[],
  requested: readonly RequestAttributeDto[],
): RequestAttributeDto[] {
  const known = { current: platformDefinitions.map(valueDefinition), earlier: [] };
  const { problems, accepted } = checkValues(requested, known, createPatternBudget());
  if (problems.length > 0) throw rejected(...problems);
  return [...accepted];
}
