// Queries for global metadata definitions, and for connector metadata that can be promoted.
import { MetadataAttribute, type AttributeContentType } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { NamedFacts } from '../../platform/objects/named-objects.ts';
import type { AttributeTables } from './tables.ts';

/** Names are unique only among global metadata, enforced by the index of this name. */
export const globalMetadata: NamedFacts = { what: 'Global metadata', table: 'global_metadata' };

const tables = (executor: Executor) => executor.withTables<AttributeTables>();

export interface ChangedMetadata {
  readonly uuid: string;
  readonly name: string;
}

export interface GlobalRow extends ChangedMetadata {
  readonly content_type: AttributeContentType;
  readonly label: string;
  readonly enabled: boolean;
  readonly definition: MetadataAttribute;
}

const select = (executor: Executor) =>
  tables(executor)
    .selectFrom('attribute_definition')
    .select(['uuid', 'name', 'content_type', 'label', 'enabled', 'definition'])
    .where('type', '=', 'meta')
    .where('is_global', '=', true)
    .orderBy('label')
    .orderBy('name');

const toRow = <Row extends { readonly definition: unknown }>(row: Row) => ({
  ...row,
  definition: MetadataAttribute.parse(row.definition), // Checked before it was stored.
});

export const findAll = async (executor: Executor): Promise<GlobalRow[]> =>
  (await select(executor).execute()).map(toRow);

export async function findOne(executor: Executor, uuid: string): Promise<GlobalRow | undefined> {
  const row = await select(executor).where('uuid', '=', uuid).executeTakeFirst();
  return row && toRow(row);
}

/** Finds metadata that is not global, for one connector or for all of them. */
export const findOfConnectors = (executor: Executor, connectorUuid: string | undefined) => {
  const all = tables(executor)
    .selectFrom('attribute_definition')
    .select(['uuid', 'attribute_uuid', 'name', 'content_type', 'label', 'connector_uuid'])
    .where('type', '=', 'meta')
    .where('is_global', '=', false)
    .orderBy('label')
    .orderBy('name');
  return (connectorUuid === undefined ? all : all.where('connector_uuid', '=', connectorUuid))
    .$narrowType<{ connector_uuid: string }>()
    .where('connector_uuid', 'is not', null)
    .execute();
};

export async function insert(tx: Executor, definition: MetadataAttribute, now: Date): Promise<void> {
  const { uuid, name, contentType, properties } = definition;
  await sql`
    INSERT INTO attribute_definition (uuid, type, connector_uuid, attribute_uuid, name, content_type, label, definition,
      is_global, created_at, updated_at)
    VALUES (${uuid}, 'meta', NULL, ${uuid}, ${name}, ${contentType}, ${properties.label},
      ${JSON.stringify(definition)}::jsonb, true, ${now}, ${now})`.execute(tx);
}

/** Returns the changed definition; an empty list if it is no longer global. */
export async function update(
  tx: Executor,
  { uuid, definition, now }: { readonly uuid: string; readonly definition: MetadataAttribute; readonly now: Date },
): Promise<readonly ChangedMetadata[]> {
  const { rows } = await sql<ChangedMetadata>`
    UPDATE attribute_definition SET label = ${definition.properties.label}, definition = ${JSON.stringify(definition)}::jsonb,
      updated_at = ${now}
    WHERE uuid = ${uuid} AND type = 'meta' AND is_global RETURNING uuid, name`.execute(tx);
  return rows;
}

export async function promote(tx: Executor, uuid: string, now: Date): Promise<readonly ChangedMetadata[]> {
  const { rows } = await sql<ChangedMetadata>`
    UPDATE attribute_definition SET is_global = true, updated_at = ${now}
    WHERE uuid = ${uuid} AND type = 'meta' AND NOT is_global RETURNING uuid, name`.execute(tx);
  return rows;
}

/**
 * Deletes definitions that have no values and do not come from a connector. The others are kept but are no longer
 * global.
 */
export async function demote(tx: Executor, uuids: readonly string[], now: Date): Promise<readonly ChangedMetadata[]> {
  const { rows } = await sql<ChangedMetadata>`
    WITH held AS (
      SELECT uuid, name, connector_uuid FROM attribute_definition
      WHERE uuid = ANY(${uuids}::uuid[]) AND type = 'meta' AND is_global ORDER BY uuid FOR UPDATE
    ), gone AS (
      DELETE FROM attribute_definition d USING held
      WHERE d.uuid = held.uuid AND held.connector_uuid IS NULL
        AND NOT EXISTS (SELECT FROM attribute_value v WHERE v.definition_uuid = held.uuid)
      RETURNING d.uuid
    ), kept AS (
      UPDATE attribute_definition d SET is_global = false, updated_at = ${now} FROM held
      WHERE d.uuid = held.uuid AND held.uuid NOT IN (SELECT uuid FROM gone) RETURNING d.uuid)
    SELECT held.uuid, held.name FROM held`.execute(tx);
  return rows;
}
