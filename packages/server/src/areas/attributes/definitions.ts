// Stores attribute definitions from connectors. They arrive with every request but rarely change, so they are compared
// before they are written.
import { definitionProblems, isStorableText } from '@signetry/connector-sdk';
import { DataAttribute, type BaseAttributeDto, type MetadataAttribute } from '@signetry/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { contentOfGroup, definitionRow, isDataDefinition, isSupported, valueDefinition } from './read-definition.ts';
import type { ValueDefinition } from './attribute-terms.ts';
import { findDefinitions, findGlobalMetadata, saveDefinitions, type DefinitionRow } from './store-definitions.ts';
import { isObject } from '../../kernel/is-object.ts';

/** Reference from a value to its definition. */
export interface DefinitionKey {
  /** Connector that sent the definition; null if an administrator created it. */
  readonly definedBy: string | null;
  readonly uuid: string;
  readonly name: string;
}

const definitionKey = (row: DefinitionRow): DefinitionKey => ({
  definedBy: row.connector_uuid,
  uuid: row.attribute_uuid,
  name: row.name,
});

export type Definitions = ReturnType<typeof createDefinitions>;

export function createDefinitions({ database, clock }: Pick<Platform, 'database' | 'clock'>) {
  /**
   * Stores a connector's data definitions, including those in its groups, so that their values are known before any
   * callback; returns the definitions outside groups. Rejects malformed definitions (400).
   */
  async function storeDefinitions(
    connectorUuid: string | null,
    definitions: readonly BaseAttributeDto[],
  ): Promise<ValueDefinition[]> {
    const problems = [...definitions, ...childrenOfGroups(definitions)].flatMap(definitionProblems);
    if (problems.length > 0) throw new AppError('invalid_fields', { problems });
    const data = definitions.filter(isDataDefinition);
    const known = [...data, ...childrenOfGroups(definitions)].filter(isSupported);
    const { changed, retyped } = await compare(
      database.executor,
      known.map((definition) => row(definition, connectorUuid)),
    );
    if (retyped.length > 0) {
      const problems = retyped.map(
        ({ name, content_type }) => `The content type of attribute ${name} must not change to ${content_type}.`,
      );
      throw new AppError('invalid_fields', { problems });
    }
    await saveDefinitions(database.executor, changed);
    return data.map(valueDefinition);
  }

  /**
   * Stores metadata definitions and returns the definition key of each item whose definition could be stored. A
   * malformed definition, or one with a changed content type, must not undo the operation that it came with.
   */
  async function storeMetadataDefinitions(
    tx: Executor,
    connectorUuid: string,
    metadata: readonly MetadataAttribute[],
  ): Promise<Map<MetadataAttribute, DefinitionKey>> {
    const sound = metadata.filter((item) => isSupported(item) && definitionProblems(item).length === 0);
    const shared = await sharedDefinitions(tx, sound);
    const own = sound.filter((item) => !shared.has(item.name));
    const { changed, retyped } = await compare(
      tx,
      own.map((item) => row(item, connectorUuid)),
    );
    await saveDefinitions(tx, changed);
    const refused = new Set(retyped.map(keyOf));
    return new Map(
      sound.flatMap((item): [MetadataAttribute, DefinitionKey][] => {
        const known = shared.get(item.name);
        if (known) return known.content_type === item.contentType ? [[item, definitionKey(known)]] : [];
        const key = { definedBy: connectorUuid, uuid: item.uuid.toLowerCase(), name: item.name };
        return refused.has(keyOf({ attribute_uuid: key.uuid, name: key.name })) ? [] : [[item, key]];
      }),
    );
  }

  /** Finds a connector's definitions by name, e.g. children of groups, which arrive only through callbacks. */
  async function findEarlier(connectorUuid: string | null, names: readonly string[]): Promise<ValueDefinition[]> {
    return (await findStored(connectorUuid, names)).map(valueDefinition);
  }

  /** Finds full definitions as stored, without choices. */
  async function findStored(connectorUuid: string | null, names: readonly string[]): Promise<DataAttribute[]> {
    const usable = names.filter(isStorableText);
    if (usable.length === 0) return [];
    const rows = await findDefinitions(database.executor, { connectorUuid, type: 'data', names: usable });
    return rows.flatMap(({ definition }) => DataAttribute.safeParse(definition).data ?? []);
  }

  const row = (definition: DataAttribute | MetadataAttribute, connectorUuid: string | null): DefinitionRow =>
    definitionRow(definition, { connectorUuid, at: clock.now() });

  return { learn: storeDefinitions, storeMetadataDefinitions, findEarlier, findStored };
}

/** Returns data definitions embedded in a connector's groups; definitions outside groups take precedence. */
function childrenOfGroups(definitions: readonly BaseAttributeDto[]): DataAttribute[] {
  const outside = new Set(definitions.map(({ name }) => name));
  return definitions
    .flatMap(contentOfGroup)
    .filter(isDataDefinition)
    .filter(({ name }) => !outside.has(name));
}

/** Returns the global definitions of metadata that the connector marks as global, by name. */
async function sharedDefinitions(
  tx: Executor,
  metadata: readonly MetadataAttribute[],
): Promise<Map<string, DefinitionRow>> {
  const names = metadata.filter(({ properties }) => properties.global).map(({ name }) => name);
  if (names.length === 0) return new Map();
  return new Map((await findGlobalMetadata(tx, names)).map((definition) => [definition.name, definition]));
}

/** Returns the differences from the stored definitions; `retyped` are those that would change a stored content type. */
async function compare(executor: Executor, rows: readonly DefinitionRow[]) {
  const [first] = rows;
  if (!first) return { changed: [], retyped: [] };
  const names = [...new Set(rows.map(({ name }) => name))];
  const kept = await findDefinitions(executor, { connectorUuid: first.connector_uuid, type: first.type, names });
  const byKey = new Map(kept.map((known) => [keyOf(known), known]));
  const retyped = rows.filter((row) => (byKey.get(keyOf(row))?.content_type ?? row.content_type) !== row.content_type);
  const changed = new Map<string, DefinitionRow>();
  for (const row of rows) {
    const known = byKey.get(keyOf(row));
    if (
      retyped.includes(row) ||
      // The administrator decides how global metadata is displayed.
      known?.is_global ||
      (known?.label === row.label && canonicalJson(known.definition) === canonicalJson(row.definition))
    )
      continue;
    changed.set(keyOf(row), row);
  }
  // Same order on every node, so that nodes learning the same definitions concurrently do not deadlock.
  return { changed: [...changed.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row), retyped };
}

export const keyOf = (row: Pick<DefinitionRow, 'attribute_uuid' | 'name'>): string =>
  `${row.attribute_uuid} ${row.name}`;

/** JSON with sorted members, because jsonb does not preserve their order. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
