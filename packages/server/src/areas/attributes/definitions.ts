// Keeps the definitions that connectors give. They arrive with every request and hardly ever change, so they are
// compared before they are written.
import { definitionProblems, isStorableText } from '@signetry/connector-sdk';
import { DataAttribute, type BaseAttributeDto, type MetadataAttribute } from '@signetry/contract';
import { AppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { definitionToKeep, isDataDefinition, valueDefinition } from './read-definition.ts';
import type { ValueDefinition } from './domain.ts';
import { findDefinitions, saveDefinitions, type DefinitionRow } from './store-definitions.ts';
import { isObject } from '../../kernel/is-object.ts';

export type Definitions = ReturnType<typeof createDefinitions>;

export function createDefinitions({ database, clock }: Pick<Platform, 'database' | 'clock'>) {
  /** Keeps the data definitions of a connector and returns them; refuses broken ones (400). */
  async function learn(
    connectorUuid: string | null,
    definitions: readonly BaseAttributeDto[],
  ): Promise<ValueDefinition[]> {
    const problems = definitions.flatMap(definitionProblems);
    if (problems.length > 0) throw new AppError('invalid_fields', { problems });
    const data = definitions.filter(isDataDefinition);
    const { changed, retyped } = await compare(database.executor, data.map((definition) => row(definition, connectorUuid))); // prettier-ignore
    if (retyped.length > 0) {
      const problems = retyped.map(
        ({ name, content_type }) =>
          `The definition of attribute ${name} must not change its content type to ${content_type}.`,
      );
      throw new AppError('invalid_fields', { problems });
    }
    await saveDefinitions(database.executor, changed);
    return data.map(valueDefinition);
  }

  /**
   * Keeps the definitions of metadata and returns the metadata whose definition could be kept: a broken one, or one
   * that changed its content type, must not undo the operation that it came with.
   */
  async function learnMetadata(
    tx: Executor,
    connectorUuid: string,
    metadata: readonly MetadataAttribute[],
  ): Promise<Set<MetadataAttribute>> {
    const sound = metadata.filter((item) => definitionProblems(item).length === 0);
    const { changed, retyped } = await compare(tx, sound.map((item) => row(item, connectorUuid))); // prettier-ignore
    await saveDefinitions(tx, changed);
    const refused = new Set(retyped.map(keyOf));
    return new Set(
      sound.filter((item) => !refused.has(keyOf({ attribute_uuid: item.uuid.toLowerCase(), name: item.name }))),
    );
  }

  /** Definitions of a connector by name, e.g. children of groups, which come by call-backs only. */
  async function findEarlier(connectorUuid: string | null, names: readonly string[]): Promise<ValueDefinition[]> {
    const usable = names.filter(isStorableText);
    if (usable.length === 0) return [];
    const rows = await findDefinitions(database.executor, { connectorUuid, type: 'data', names: usable });
    return rows.flatMap(({ definition }) => {
      const parsed = DataAttribute.safeParse(definition);
      return parsed.success ? [valueDefinition(parsed.data)] : [];
    });
  }

  const row = (definition: DataAttribute | MetadataAttribute, connectorUuid: string | null): DefinitionRow => ({
    uuid: newUuid(),
    type: definition.type,
    connector_uuid: connectorUuid,
    attribute_uuid: definition.uuid.toLowerCase(),
    name: definition.name,
    content_type: definition.contentType,
    label: definition.properties.label,
    definition: definitionToKeep(definition),
    created_at: clock.now(),
    updated_at: clock.now(),
  });

  return { learn, learnMetadata, findEarlier };
}

/** What differs from the kept definitions; `retyped` are those that would change the content type of a kept one. */
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
      (known?.label === row.label && canonicalJson(known.definition) === canonicalJson(row.definition))
    )
      continue;
    changed.set(keyOf(row), row);
  }
  // The same order on every node: two that learn the same definitions at once must not lock each other out.
  return { changed: [...changed.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row), retyped };
}

const keyOf = (row: Pick<DefinitionRow, 'attribute_uuid' | 'name'>): string => `${row.attribute_uuid} ${row.name}`;

/** JSON with sorted members, since jsonb does not keep their order. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
