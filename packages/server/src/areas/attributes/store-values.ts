// Queries for attribute values. Writes are set-based: one statement inserts the values of multiple objects.
import type { Resource } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { AttributeObject, AttributeScope } from './attribute-terms.ts';
import type { AttributeTables, StoredItem } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<AttributeTables>();

/** An item to insert; its definition is found by connector, identifier and name. */
export interface ValueToInsert {
  readonly uuid: string;
  readonly object_resource: string;
  readonly object_uuid: string;
  readonly type: 'data' | 'meta' | 'custom';
  /** Connector that owns the definition. It differs from the value's connector if the definition is global. */
  readonly defined_by: string | null;
  readonly connector_uuid: string | null;
  readonly attribute_uuid: string;
  readonly name: string;
  readonly operation: string;
  readonly purpose: string;
  readonly source_resource: string | null;
  readonly source_uuid: string | null;
  readonly source_name: string | null;
  readonly position: number;
  readonly item: StoredItem;
  /** Base64, because rows are passed as JSON. */
  readonly sealed_data: string | null;
  readonly value_text: string | null;
  readonly value_number: number | null;
}

/** An unknown definition violates the not-null constraint, because a value without a definition indicates a bug. */
export async function insertValues(executor: Executor, rows: readonly ValueToInsert[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    INSERT INTO attribute_value (uuid, object_resource, object_uuid, definition_uuid, connector_uuid, operation, purpose,
      source_resource, source_uuid, source_name, position, item, sealed_data, value_text, value_number)
    SELECT v.uuid, v.object_resource, v.object_uuid, d.uuid, v.connector_uuid, v.operation, v.purpose,
      v.source_resource, v.source_uuid, v.source_name, v.position, v.item, decode(v.sealed_data, 'base64'), v.value_text, v.value_number
    FROM ${recordset(rows)}
    LEFT JOIN attribute_definition d ON d.type = v.type AND d.connector_uuid IS NOT DISTINCT FROM v.defined_by
      AND d.attribute_uuid = v.attribute_uuid AND d.name = v.name`.execute(executor);
}

/**
 * Appends metadata; skips items that the object already has from the same source. A NOT EXISTS would become a join over
 * all values; the scalar subquery looks up one object by its index.
 */
export async function appendValues(executor: Executor, rows: readonly ValueToInsert[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    INSERT INTO attribute_value (uuid, object_resource, object_uuid, definition_uuid, connector_uuid, operation, purpose,
      source_resource, source_uuid, source_name, position, item, sealed_data, value_text, value_number)
    SELECT v.uuid, v.object_resource, v.object_uuid, d.uuid, v.connector_uuid, v.operation, v.purpose,
      v.source_resource, v.source_uuid, v.source_name, v.position, v.item, decode(v.sealed_data, 'base64'), v.value_text, v.value_number
    FROM ${recordset(rows)}
    LEFT JOIN attribute_definition d ON d.type = v.type AND d.connector_uuid IS NOT DISTINCT FROM v.defined_by
      AND d.attribute_uuid = v.attribute_uuid AND d.name = v.name
    WHERE (
      SELECT true FROM attribute_value known
      WHERE known.object_uuid = v.object_uuid AND known.object_resource = v.object_resource AND known.definition_uuid = d.uuid
        AND known.connector_uuid IS NOT DISTINCT FROM v.connector_uuid AND known.source_uuid IS NOT DISTINCT FROM v.source_uuid
        AND known.item = v.item
      LIMIT 1) IS NULL`.execute(executor);
}

const recordset = (rows: readonly ValueToInsert[]) => sql`
  jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS v (
    uuid uuid, object_resource text, object_uuid uuid, type text, defined_by uuid, connector_uuid uuid, attribute_uuid uuid, name text, operation text,
    purpose text, source_resource text, source_uuid uuid, source_name text, position integer, item jsonb, sealed_data text,
    value_text text, value_number double precision)`;

export interface ValueSet {
  readonly resource: string;
  readonly objectUuids: readonly string[];
  readonly connectorUuid: string | null;
  readonly operation: string;
  readonly purpose: string;
}

/** An object and the scope of its values. */
export interface ScopeOfObject {
  readonly object: AttributeObject;
  readonly scope: AttributeScope;
}

export const setOf = ({ object, scope }: ScopeOfObject): ValueSet => ({
  resource: object.resource,
  objectUuids: [object.uuid],
  connectorUuid: scope.connectorUuid,
  operation: scope.operation ?? '',
  purpose: scope.purpose ?? '',
});

/** Finds the values for a set of objects, in order, with data from their definitions. */
export const findValues = (executor: Executor, set: ValueSet) =>
  selectJoined(executor)
    .where('v.object_resource', '=', set.resource)
    .where('v.object_uuid', 'in', set.objectUuids)
    .where('v.connector_uuid', 'is not distinct from', set.connectorUuid)
    .where('v.operation', '=', set.operation)
    .where('v.purpose', '=', set.purpose)
    .where('d.type', '=', 'data')
    .orderBy('d.label')
    .orderBy('d.name')
    .orderBy('v.position')
    .execute();

interface CustomValueSet {
  readonly resource: string;
  readonly uuid: string;
  readonly purpose?: string;
}

/** Finds an object's custom attribute values, in order. */
export const findCustom = (executor: Executor, object: CustomValueSet) =>
  selectJoined(executor)
    .where('v.object_resource', '=', object.resource)
    .where('v.object_uuid', '=', object.uuid)
    .where('v.purpose', '=', object.purpose ?? '')
    .where('d.type', '=', 'custom')
    .orderBy('d.label')
    .orderBy('d.name')
    .orderBy('v.position')
    .execute();

export const findMetadata = (executor: Executor, object: { resource: string; uuid: string }) =>
  selectJoined(executor)
    .where('v.object_resource', '=', object.resource)
    .where('v.object_uuid', '=', object.uuid)
    .where('d.type', '=', 'meta')
    .orderBy('d.label')
    .orderBy('d.name')
    .orderBy('v.position')
    .orderBy('v.uuid')
    .execute();

export type JoinedValue = Awaited<ReturnType<typeof findValues>>[number];

const selectJoined = (executor: Executor) =>
  tables(executor)
    .selectFrom('attribute_value as v')
    .innerJoin('attribute_definition as d', 'd.uuid', 'v.definition_uuid')
    .select([
      'v.object_uuid', 'v.connector_uuid', 'v.source_resource', 'v.source_uuid', 'v.source_name', 'v.item', 'v.sealed_data',
      'd.attribute_uuid', 'd.name', 'd.label', 'd.type', 'd.content_type', 'd.definition',
    ]); // prettier-ignore

export async function removeSet(executor: Executor, set: ValueSet): Promise<void> {
  await sql`
    DELETE FROM attribute_value v USING attribute_definition d
    WHERE d.uuid = v.definition_uuid AND d.type = 'data' AND v.object_resource = ${set.resource}
      AND v.object_uuid = ANY(${set.objectUuids}::uuid[]) AND v.connector_uuid IS NOT DISTINCT FROM ${set.connectorUuid}::uuid
      AND v.operation = ${set.operation} AND v.purpose = ${set.purpose}`.execute(executor);
}

/** Removes an object's metadata from one connector. If names are specified, only those attributes are removed. */
export async function removeMetadata(
  executor: Executor,
  key: { resource: string; objectUuid: string; connectorUuid: string | null; names?: readonly string[] },
): Promise<void> {
  const named = key.names ? sql`AND d.name = ANY(${key.names})` : sql``;
  await sql`
    DELETE FROM attribute_value v USING attribute_definition d
    WHERE d.uuid = v.definition_uuid AND d.type = 'meta' AND v.object_resource = ${key.resource} AND v.object_uuid = ${key.objectUuid}
      AND v.connector_uuid IS NOT DISTINCT FROM ${key.connectorUuid}::uuid ${named}`.execute(executor);
}

/** Removes the values of specific custom attributes of an object. */
export async function removeCustom(
  executor: Executor,
  object: CustomValueSet,
  definitionUuids: readonly string[],
): Promise<void> {
  await tables(executor)
    .deleteFrom('attribute_value')
    .where('object_resource', '=', object.resource)
    .where('object_uuid', '=', object.uuid)
    .where('purpose', '=', object.purpose ?? '')
    .where('definition_uuid', 'in', definitionUuids)
    .execute();
}

export async function removeObjects(executor: Executor, resource: Resource, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  await tables(executor)
    .deleteFrom('attribute_value')
    .where('object_resource', '=', resource)
    .where('object_uuid', 'in', uuids)
    .execute();
}

/** Removes data attribute values of objects, in all scopes. */
export async function removeDataOf(executor: Executor, resource: Resource, uuids: readonly string[]): Promise<void> {
  await sql`
    DELETE FROM attribute_value v USING attribute_definition d
    WHERE d.uuid = v.definition_uuid AND d.type = 'data' AND v.object_resource = ${resource}
      AND v.object_uuid = ANY(${uuids}::uuid[])`.execute(executor);
}

export interface CredentialUser {
  readonly credential_uuid: string;
  readonly object_resource: string;
  readonly object_uuid: string;
}

/** Finds objects whose values reference one of these credentials, without duplicates. */
export async function findUsersOfCredentials(executor: Executor, uuids: readonly string[]): Promise<CredentialUser[]> {
  const { rows } = await sql<CredentialUser>`
    SELECT DISTINCT v.item #>> '{data,uuid}' AS credential_uuid, v.object_resource, v.object_uuid
    FROM attribute_value v JOIN attribute_definition d ON d.uuid = v.definition_uuid
    WHERE d.content_type = 'credential' AND v.item #>> '{data,uuid}' = ANY(${uuids}::text[])
    ORDER BY v.object_resource, v.object_uuid`.execute(executor);
  return rows;
}

/** Matches attributes whose definition has a callback with this context. */
const hasCallbackContext = (context: string) =>
  sql<boolean>`d.type = 'data' AND trim(BOTH '/' FROM d.definition #>> '{attributeCallback,callbackContext}') = ${context}`;

export interface SigningKeyUser {
  readonly key_uuid: string;
  readonly object_uuid: string;
}

/** Finds objects of a resource whose values reference one of these keys, without duplicates. */
export async function findUsersOfSigningKeys(
  executor: Executor,
  {
    resource,
    uuids,
    context,
  }: { readonly resource: string; readonly uuids: readonly string[]; readonly context: string },
): Promise<SigningKeyUser[]> {
  const { rows } = await sql<SigningKeyUser>`
    SELECT DISTINCT v.value_text AS key_uuid, v.object_uuid
    FROM attribute_definition d JOIN attribute_value v ON v.definition_uuid = d.uuid
    WHERE ${hasCallbackContext(context)} AND v.object_resource = ${resource} AND v.value_text = ANY(${uuids}::text[])
    ORDER BY v.object_uuid`.execute(executor);
  return rows;
}

/** Finds the keys that an object's values reference. */
export async function findSigningKeysOf(
  executor: Executor,
  { resource, uuid, context }: AttributeObject & { readonly context: string },
): Promise<string[]> {
  const { rows } = await sql<{ key_uuid: string }>`
    SELECT DISTINCT v.value_text AS key_uuid
    FROM attribute_value v JOIN attribute_definition d ON d.uuid = v.definition_uuid
    WHERE v.object_uuid = ${uuid}::uuid AND v.object_resource = ${resource} AND v.value_text IS NOT NULL
      AND ${hasCallbackContext(context)}`.execute(executor);
  return rows.map((row) => row.key_uuid);
}

/** Keeps a removed connector's metadata, without the reference to the connector. */
export async function releaseMetadata(executor: Executor, connectorUuid: string): Promise<void> {
  await tables(executor)
    .updateTable('attribute_value')
    .set({ connector_uuid: null })
    .where('connector_uuid', '=', connectorUuid)
    .execute();
}
