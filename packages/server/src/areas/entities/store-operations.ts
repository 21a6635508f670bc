// Queries for running operations at locations.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { EntityTables, LocationOperationRow } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<EntityTables>();

export const findOperation = (executor: Executor, locationUuid: string): Promise<LocationOperationRow | undefined> =>
  tables(executor)
    .selectFrom('location_operation')
    .selectAll()
    .where('location_uuid', '=', locationUuid)
    .executeTakeFirst();

/**
 * Starts an operation if none is running. If there is an operation whose lease has expired, replaces it and reports it
 * as interrupted.
 */
export async function beginOperation(
  executor: Executor,
  row: LocationOperationRow,
): Promise<{ readonly begun: boolean; readonly interrupted: boolean }> {
  const { rows } = await sql<{ interrupted: boolean }>`
    WITH former AS (SELECT uuid FROM location_operation WHERE location_uuid = ${row.location_uuid})
    INSERT INTO location_operation AS o (location_uuid, uuid, kind, certificate_uuid, requested_by, node_uuid, started_at, leased_until)
    VALUES (${row.location_uuid}, ${row.uuid}, ${row.kind}, ${row.certificate_uuid}, ${row.requested_by}, ${row.node_uuid},
      ${row.started_at}, ${row.leased_until})
    ON CONFLICT (location_uuid) DO UPDATE SET uuid = EXCLUDED.uuid, kind = EXCLUDED.kind, certificate_uuid = EXCLUDED.certificate_uuid,
      requested_by = EXCLUDED.requested_by, node_uuid = EXCLUDED.node_uuid, started_at = EXCLUDED.started_at,
      leased_until = EXCLUDED.leased_until
    WHERE o.leased_until <= EXCLUDED.started_at
    RETURNING EXISTS (SELECT FROM former) AS interrupted`.execute(executor);
  return { begun: rows.length > 0, interrupted: rows[0]?.interrupted ?? false };
}

export async function endOperation(executor: Executor, uuid: string): Promise<void> {
  await tables(executor).deleteFrom('location_operation').where('uuid', '=', uuid).execute();
}

export async function renewOperations(executor: Executor, uuids: readonly string[], until: Date): Promise<void> {
  await tables(executor)
    .updateTable('location_operation')
    .set({ leased_until: until })
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();
}

/** Returns the locations that have an operation with an expired lease. */
export async function findInterrupted(executor: Executor, now: Date): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('location_operation')
    .select('location_uuid')
    .where('leased_until', '<=', now)
    .orderBy('leased_until')
    .execute();
  return rows.map(({ location_uuid: uuid }) => uuid);
}
