// Queries of groups that came with call-backs of other groups.
import { sql } from 'kysely';
import { GroupAttribute } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import type { NestedGroup } from './nested-groups.ts';
import type { CallbackTables } from './tables.ts';

/** By their name, which several groups of a connector may have. */
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

/** Adds groups, or brings known ones up to date; they hardly ever change. */
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
  // In one order on every node: two that keep the same groups at once must not lock each other out.
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
