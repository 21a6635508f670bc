// Queries for groups that callbacks of other groups return.
import { sql } from 'kysely';
import { GroupAttribute } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import type { NestedGroup } from './nested-groups.ts';
import type { CallbackTables } from './tables.ts';

/** Finds groups by name. Multiple groups of a connector can have the same name. */
export async function findNestedGroups(
  executor: Executor,
  { connectorUuid, name }: { readonly connectorUuid: string; readonly name: string },
): Promise<NestedGroup[]> {
  const rows = await executor
    .withTables<CallbackTables>()
    .selectFrom('nested_group')
    .select(['path', 'definition'])
    .where('connector_uuid', '=', connectorUuid)
    .where('name', '=', name)
    .orderBy('attribute_uuid')
    .execute();
  return rows.map(({ path, definition }) => ({ path, definition: GroupAttribute.parse(definition) }));
}

/** Inserts groups or updates known ones; they rarely change. */
export async function saveNestedGroups(
  executor: Executor,
  { connectorUuid, groups }: { readonly connectorUuid: string; readonly groups: readonly NestedGroup[] },
): Promise<void> {
  if (groups.length === 0) return;
  const rows = groups.map(({ path, definition }) => ({
    attribute_uuid: definition.uuid.toLowerCase(),
    name: definition.name,
    path,
    definition,
  }));
  // Same order on every node, so that nodes storing the same groups concurrently do not deadlock.
  await sql`
    INSERT INTO nested_group (connector_uuid, attribute_uuid, name, path, definition)
    SELECT DISTINCT ON (attribute_uuid, name) ${connectorUuid}::uuid, attribute_uuid, name, path, definition
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (attribute_uuid text, name text, path text[], definition jsonb)
    ORDER BY attribute_uuid, name
    ON CONFLICT (connector_uuid, attribute_uuid, name) DO UPDATE
    SET path = EXCLUDED.path, definition = EXCLUDED.definition
    WHERE (nested_group.path, nested_group.definition) IS DISTINCT FROM (EXCLUDED.path, EXCLUDED.definition)`.execute(
    executor,
  );
}
