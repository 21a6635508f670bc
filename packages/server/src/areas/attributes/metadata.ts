// Metadata: facts about an object that connectors return with their results. Metadata is only appended; users never
// edit it.
import type { MetadataAttribute, MetadataResponseDto } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { contentProblem } from './content.ts';
import type { DefinitionKey, Definitions } from './definitions.ts';
import type { AttributeObject, ContentItem, MetadataSource } from './attribute-terms.ts';
import { metadataForConnector, presentMetadata } from './present.ts';
import { openItem, rowsToInsert } from './seal-values.ts';
import * as store from './store-values.ts';
import { isStorableText } from '@signetry/connector-sdk';

export interface MetadataToAppend {
  readonly object: AttributeObject;
  readonly connectorUuid: string;
  readonly source?: MetadataSource | undefined;
  readonly metadata: readonly MetadataAttribute[];
}

/** Resolves connector names. The area that manages connectors provides this function. */
export type ConnectorNames = (uuids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function createMetadata(platform: Pick<Platform, 'database' | 'sealer'>, definitions: Definitions) {
  const { database, sealer } = platform;
  let connectorNames: ConnectorNames = () => Promise.resolve(new Map());

  /**
   * Appends metadata to multiple objects. An item already known from the same source is not repeated; `overwrite`
   * replaces the attribute.
   */
  async function append(tx: Executor, entries: readonly MetadataToAppend[]): Promise<void> {
    const kept = new Map<MetadataAttribute, DefinitionKey>();
    for (const [connectorUuid, metadata] of groupByConnector(entries)) {
      for (const [item, key] of await definitions.storeMetadataDefinitions(tx, connectorUuid, metadata))
        kept.set(item, key);
    }
    const usable = entries.map((entry) => ({ ...entry, metadata: entry.metadata.filter((item) => kept.has(item)) }));
    for (const { object, connectorUuid, metadata } of usable) {
      const names = metadata.filter((item) => item.properties.overwrite).map(({ name }) => name);
      if (names.length > 0)
        await store.removeMetadata(tx, { resource: object.resource, objectUuid: object.uuid, connectorUuid, names });
    }
    await store.appendValues(
      tx,
      usable.flatMap((entry) => rows(entry, kept)),
    );
  }

  function rows(
    { object, connectorUuid, source, metadata }: MetadataToAppend,
    keys: ReadonlyMap<MetadataAttribute, DefinitionKey>,
  ) {
    const attributes = metadata.flatMap((item) => {
      const key = keys.get(item);
      return key ? [{ ...storableItems(item), ...key }] : [];
    });
    return rowsToInsert({ type: 'meta', object, scope: { connectorUuid }, source, attributes }, sealer);
  }

  /** Returns metadata for display, grouped by connector and kind of source. */
  async function read(object: AttributeObject): Promise<MetadataResponseDto[]> {
    const found = await store.findMetadata(database.executor, object);
    const connectorUuids = new Set(found.flatMap(({ connector_uuid: uuid }) => (uuid === null ? [] : [uuid])));
    return presentMetadata(found, connectorUuids.size === 0 ? new Map() : await connectorNames([...connectorUuids]));
  }

  /** Returns a connector's metadata in the form that is sent back to it. */
  async function readForConnector(object: AttributeObject, connectorUuid: string): Promise<MetadataAttribute[]> {
    const found = await store.findMetadata(database.executor, object);
    const own = found.filter((row) => row.connector_uuid === connectorUuid);
    return metadataForConnector(own, (row) => openItem(row, object, sealer));
  }

  return {
    append,
    read,
    readForConnector,
    registerConnectorNames: (names: ConnectorNames): void => {
      connectorNames = names;
    },
  };
}

function groupByConnector(entries: readonly MetadataToAppend[]): Map<string, MetadataAttribute[]> {
  const result = new Map<string, MetadataAttribute[]>();
  for (const { connectorUuid, metadata } of entries) {
    if (metadata.length > 0) result.set(connectorUuid, [...(result.get(connectorUuid) ?? []), ...metadata]);
  }
  return result;
}

/** Returns the storable items without duplicates. Items without data are ignored. */
function storableItems({ contentType, content }: MetadataAttribute) {
  const usable = (content ?? []).filter((item: ContentItem) => contentProblem(contentType, item.data) === undefined);
  const unique = new Map(usable.map((item) => [JSON.stringify(item), item]));
  return { contentType, content: [...unique.values()] };
}

const MAX_ORIGIN_CHARACTERS = 300;

/**
 * Where a connector found an object: returns the first text in its metadata with its label, for example a file, an
 * endpoint or an alias. Empty if there is none.
 */
export function describeOrigin(metadata: readonly MetadataAttribute[]): string {
  for (const { properties, content = [] } of metadata) {
    const texts = content.flatMap(({ data }) => (typeof data === 'string' && isStorableText(data) ? [data] : []));
    if (texts.length > 0) return ` (${properties.label}: ${texts.join(', ').slice(0, MAX_ORIGIN_CHARACTERS)})`;
  }
  return '';
}
