// Queries for locations' endpoints, and for the certificates being probed.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { HeldKey } from './store.ts';
import type { EntityTables, HeldRow, ProbeRow } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<EntityTables>();

export const findProbe = (executor: Executor, locationUuid: string): Promise<ProbeRow | undefined> =>
  tables(executor)
    .selectFrom('location_probe')
    .selectAll()
    .where('location_uuid', '=', locationUuid)
    .executeTakeFirst();

export async function storeProbe(tx: Executor, row: ProbeRow): Promise<void> {
  const { location_uuid: _location, ...facts } = row;
  await tables(tx)
    .insertInto('location_probe')
    .values(row)
    .onConflict((conflict) => conflict.column('location_uuid').doUpdateSet(facts))
    .execute();
}

export async function removeProbe(tx: Executor, locationUuid: string): Promise<void> {
  await tables(tx).deleteFrom('location_probe').where('location_uuid', '=', locationUuid).execute();
}

/**
 * Claims the certificates that are due for a probe until `until`, longest overdue first. After that time, another node
 * probes them unless the caller has rescheduled them.
 */
export const claimDue = (
  executor: Executor,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<HeldRow[]> =>
  tables(executor)
    .updateTable('location_certificate as held')
    .from((from) =>
      from
        .selectFrom('location_certificate')
        .select(['location_uuid', 'certificate_uuid'])
        .where('ask_at', '<=', now)
        .orderBy('ask_at')
        .limit(limit)
        .forUpdate()
        .skipLocked()
        .as('due'),
    )
    .set({ ask_at: until })
    .whereRef('held.location_uuid', '=', 'due.location_uuid')
    .whereRef('held.certificate_uuid', '=', 'due.certificate_uuid')
    .returningAll('held')
    .execute();

/** Schedules the next probe and records the last result; has no effect if probing has ended. */
export async function scheduleNextProbe(
  executor: Executor,
  { location_uuid, certificate_uuid }: HeldKey,
  { at, problem }: { readonly at: Date; readonly problem: string },
): Promise<void> {
  await tables(executor)
    .updateTable('location_certificate')
    .set({ ask_at: at, problem })
    .where('location_uuid', '=', location_uuid)
    .where('certificate_uuid', '=', certificate_uuid)
    .where('ask_at', 'is not', null)
    .execute();
}

/** Records the final result; returns undefined if the certificate is no longer installed or no longer being probed. */
export const endProbing = (
  tx: Executor,
  { location_uuid, certificate_uuid }: HeldKey,
  changes: Pick<HeldRow, 'state' | 'problem' | 'changed_at'> & Partial<Pick<HeldRow, 'served_at' | 'replaces_uuid'>>,
): Promise<HeldRow | undefined> =>
  tables(tx)
    .updateTable('location_certificate')
    .set({ ...changes, asked_until: null, ask_at: null })
    .where('location_uuid', '=', location_uuid)
    .where('certificate_uuid', '=', certificate_uuid)
    .where('state', '=', 'installed')
    .where('asked_until', 'is not', null)
    .returningAll()
    .executeTakeFirst();

/** Records that a certificate was seen being served outside of its scheduled probes. */
export async function markServed(executor: Executor, key: HeldKey, at: Date): Promise<void> {
  await tables(executor)
    .updateTable('location_certificate')
    .set({ state: 'served', served_at: sql`coalesce(served_at, ${at})`, changed_at: at, problem: null })
    .where('location_uuid', '=', key.location_uuid)
    .where('certificate_uuid', '=', key.certificate_uuid)
    .where('state', 'in', ['installed', 'not_served'])
    .where('asked_until', 'is', null)
    .execute();
}

/** Ends all of a location's probes; its entries then reflect only what the provider reports. */
export const endAllProbing = (tx: Executor, locationUuid: string): Promise<HeldRow[]> =>
  tables(tx)
    .updateTable('location_certificate')
    .set({ asked_until: null, ask_at: null, problem: null })
    .where('location_uuid', '=', locationUuid)
    .where('asked_until', 'is not', null)
    .returningAll()
    .execute();
