// Attribute values of the certificates on one page: all requested attributes in one statement.
import { sql } from 'kysely';
import type { ObjectFilter } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { isShown } from '../../../platform/database/object-filter.ts';
import type { SourcedAttribute } from './search-fields.ts';

export interface ShownAttributesQuery {
  readonly attributes: readonly SourcedAttribute[];
  /** Custom attributes that the caller can use. */
  readonly usable: ObjectFilter;
  /** Maximum length of a value in characters; longer values are truncated. */
  readonly length: number;
}

export interface ShownValueRow {
  readonly object_uuid: string;
  /** Index of the attribute in the request. */
  readonly place: number;
  readonly value: string;
}

/**
 * Returns strings, numbers and Booleans as stored. For other values, returns the reference or the text that is used to
 * search them.
 */
export async function findShownValues(
  executor: Executor,
  uuids: readonly string[],
  { attributes, usable, length }: ShownAttributesQuery,
): Promise<readonly ShownValueRow[]> {
  if (attributes.length === 0 || uuids.length === 0) return [];
  const asked = JSON.stringify(attributes.map((each, place) => ({ ...each, place })));
  const { rows } = await sql<ShownValueRow>`
    SELECT * FROM (
      SELECT v.object_uuid, asked.place, v.position, left(coalesce(
          CASE WHEN jsonb_typeof(v.item -> 'data') IN ('string', 'number', 'boolean') THEN v.item ->> 'data' END,
          v.item ->> 'reference', v.value_text), ${length}) AS value
      FROM attribute_value v JOIN attribute_definition d ON d.uuid = v.definition_uuid
      JOIN jsonb_to_recordset(${asked}::jsonb) AS asked (source text, name text, "contentType" text, place int)
        ON asked.source = d.type AND asked.name = d.name AND asked."contentType" = d.content_type
      WHERE v.object_resource = 'certificates' AND v.object_uuid = ANY(${uuids}::uuid[]) AND d.content_type <> 'secret'
        AND (d.type = 'meta' OR ${isShown(sql`d.uuid`, usable)})) AS shown
    WHERE value IS NOT NULL ORDER BY object_uuid, place, position, value`.execute(executor);
  return rows;
}
