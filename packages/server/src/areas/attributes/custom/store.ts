// Queries for custom attribute definitions.
import { CustomAttribute, type Resource } from '@signetry/contract';
import { sql } from 'kysely';
import { requireFound } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { NamedFacts } from '../../../platform/objects/named-objects.ts';
import type { AttributeTables } from '../tables.ts';
import type { CustomDefinition } from './custom-definition.ts';

/** Names are unique only among custom attributes, enforced by the index of this name. */
export const customAttributes: NamedFacts = { what: 'Custom attribute', table: 'custom_attribute' };

const tables = (executor: Executor) => executor.withTables<AttributeTables>();

type Row = Pick<AttributeTables['attribute_definition'], 'enabled' | 'resources'> & { readonly definition: unknown };

const toDefinition = ({ definition, enabled, resources }: Row): CustomDefinition => ({
  attribute: CustomAttribute.parse(definition), // This area wrote the definition.
  resources,
  enabled,
});

const select = (executor: Executor) =>
  tables(executor)
    .selectFrom('attribute_definition')
    .select(['uuid', 'name', 'definition', 'enabled', 'resources'])
    .where('type', '=', 'custom')
    .orderBy('label')
    .orderBy('name');

export const findAll = async (executor: Executor): Promise<CustomDefinition[]> =>
  (await select(executor).execute()).map(toDefinition);

/** Throws `object_not_found` if it does not exist. */
export async function require(executor: Executor, uuid: string): Promise<CustomDefinition> {
  const row = await select(executor).where('uuid', '=', uuid).executeTakeFirst();
  return toDefinition(requireFound(row, customAttributes.what, uuid));
}

/** Returns the enabled definitions for a resource. */
export const findOfResource = async (executor: Executor, resource: Resource): Promise<CustomDefinition[]> => {
  const rows = await select(executor)
    .where('enabled', '=', true)
    .where(sql<boolean>`${resource} = ANY(resources)`)
    .execute();
  return rows.map(toDefinition);
};

export async function insert(tx: Executor, { attribute, resources, enabled }: CustomDefinition, now: Date) {
  const { uuid, name, contentType, properties } = attribute;
  await sql`
    INSERT INTO attribute_definition (uuid, type, connector_uuid, attribute_uuid, name, content_type, label, definition,
      enabled, resources, created_at, updated_at)
    VALUES (${uuid}, 'custom', NULL, ${uuid}, ${name}, ${contentType}, ${properties.label}, ${JSON.stringify(attribute)}::jsonb,
      ${enabled}, ${resources}::text[], ${now}, ${now})`.execute(tx);
}

/** Returns the changed attribute; an empty list if it no longer exists. */
export async function update(
  tx: Executor,
  { attribute, resources }: Pick<CustomDefinition, 'attribute' | 'resources'>,
  now: Date,
): Promise<readonly ChangedAttribute[]> {
  const { rows } = await sql<ChangedAttribute>`
    UPDATE attribute_definition SET label = ${attribute.properties.label}, definition = ${JSON.stringify(attribute)}::jsonb,
      resources = ${resources}::text[], updated_at = ${now}
    WHERE uuid = ${attribute.uuid} AND type = 'custom' RETURNING uuid, name`.execute(tx);
  return rows;
}

/** Identifier and name of a changed object, for the audit record. */
export interface ChangedAttribute {
  readonly uuid: string;
  readonly name: string;
}

/** Returns the attributes that exist. */
export async function setEnabled(
  tx: Executor,
  uuids: readonly string[],
  { enabled, now }: { readonly enabled: boolean; readonly now: Date },
): Promise<readonly ChangedAttribute[]> {
  // Rows are locked in a fixed order, so that concurrent calls do not deadlock.
  const { rows } = await sql<ChangedAttribute>`
    WITH held AS (
      SELECT uuid FROM attribute_definition WHERE uuid = ANY(${uuids}::uuid[]) AND type = 'custom' ORDER BY uuid FOR UPDATE)
    UPDATE attribute_definition d SET enabled = ${enabled}, updated_at = ${now} FROM held WHERE d.uuid = held.uuid
    RETURNING d.uuid, d.name`.execute(tx);
  return rows;
}

/** Removes definitions with their values; returns those that existed. */
export async function remove(tx: Executor, uuids: readonly string[]): Promise<readonly ChangedAttribute[]> {
  const { rows } = await sql<ChangedAttribute>`
    DELETE FROM attribute_definition WHERE uuid = ANY(${uuids}::uuid[]) AND type = 'custom' RETURNING uuid, name`.execute(
    tx,
  );
  return rows;
}

/** Returns the total number of objects that have a value for any of the attributes. */
export async function countObjects(executor: Executor, uuids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ objects: string }>`
    SELECT count(DISTINCT (object_resource, object_uuid)) AS objects FROM attribute_value
    WHERE definition_uuid = ANY(${uuids}::uuid[])`.execute(executor);
  return Number(rows[0]?.objects ?? 0);
}
