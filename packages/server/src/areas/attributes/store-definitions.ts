// Queries for attribute definitions.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { FindNames } from '../../platform/objects/named-objects.ts';
import type { AttributeTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<AttributeTables>();

export type DefinitionRow = Pick<
  AttributeTables['attribute_definition'],
  | 'uuid'
  | 'type'
  | 'connector_uuid'
  | 'attribute_uuid'
  | 'name'
  | 'content_type'
  | 'label'
  | 'created_at'
  | 'updated_at'
> & { readonly definition: Record<string, unknown>; readonly is_global?: boolean };

/** Finds definitions of one connector, or of administrators, by name. */
export const findDefinitions = (
  executor: Executor,
  key: { connectorUuid: string | null; type: DefinitionRow['type']; names: readonly string[] },
): Promise<DefinitionRow[]> =>
  tables(executor)
    .selectFrom('attribute_definition')
    .selectAll()
    .where('connector_uuid', 'is not distinct from', key.connectorUuid)
    .where('type', '=', key.type)
    .where('name', 'in', key.names)
    .execute();

/** Finds metadata definitions that apply to all connectors, by name. */
export const findGlobalMetadata = (executor: Executor, names: readonly string[]): Promise<DefinitionRow[]> =>
  tables(executor)
    .selectFrom('attribute_definition')
    .selectAll()
    .where('type', '=', 'meta')
    .where('is_global', '=', true)
    .where('name', 'in', names)
    .execute();

/** Inserts definitions or updates known ones. A known definition keeps its content type. */
export async function saveDefinitions(executor: Executor, rows: readonly DefinitionRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    INSERT INTO attribute_definition (uuid, type, connector_uuid, attribute_uuid, name, content_type, label, definition, created_at, updated_at)
    SELECT uuid, type, connector_uuid, attribute_uuid, name, content_type, label, definition, created_at, updated_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (
      uuid uuid, type text, connector_uuid uuid, attribute_uuid uuid, name text, content_type text, label text, definition jsonb,
      created_at timestamptz, updated_at timestamptz)
    ON CONFLICT ON CONSTRAINT attribute_definition_key DO UPDATE
    SET label = EXCLUDED.label, definition = EXCLUDED.definition, updated_at = EXCLUDED.updated_at
    WHERE NOT attribute_definition.is_global`.execute(executor);
}

/** Removes a connector's data definitions and, with them, the values. */
export async function removeDataDefinitions(executor: Executor, connectorUuid: string): Promise<void> {
  await tables(executor)
    .deleteFrom('attribute_definition')
    .where('connector_uuid', '=', connectorUuid)
    .where('type', '=', 'data')
    .execute();
}

/** Custom attributes and global metadata, for which permissions can be granted individually. */
export const findGrantableNames: FindNames = (executor, uuids) => {
  const all = tables(executor)
    .selectFrom('attribute_definition')
    .select(['uuid', 'name'])
    .where((is) => is.or([is('type', '=', 'custom'), is('is_global', '=', true)]))
    .orderBy('name');
  return (uuids === undefined ? all : all.where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)).execute();
};
