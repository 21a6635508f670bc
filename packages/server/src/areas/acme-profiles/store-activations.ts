// Queries of activations: which ACME profile is served under the name of which RA profile.
import type { Executor } from '../../platform/database/database.ts';
import type { AcmeActivationRow, AcmeProfileTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<AcmeProfileTables>();

export const findOne = (executor: Executor, raProfileUuid: string): Promise<AcmeActivationRow | undefined> =>
  tables(executor)
    .selectFrom('acme_activation')
    .selectAll()
    .where('ra_profile_uuid', '=', raProfileUuid)
    .executeTakeFirst();

export async function activatedOn(executor: Executor, raProfileUuids: readonly string[]): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('acme_activation')
    .select('ra_profile_uuid')
    .where('ra_profile_uuid', 'in', raProfileUuids)
    .execute();
  return rows.map(({ ra_profile_uuid }) => ra_profile_uuid);
}

export const findOfProfiles = (
  executor: Executor,
  acmeProfileUuids: readonly string[],
): Promise<AcmeActivationRow[]> =>
  acmeProfileUuids.length === 0
    ? Promise.resolve([])
    : tables(executor)
        .selectFrom('acme_activation')
        .selectAll()
        .where('acme_profile_uuid', 'in', acmeProfileUuids)
        .execute();

/** Puts an activation in the place of an earlier one. The caller holds the RA profile. */
export async function replace(tx: Executor, row: AcmeActivationRow): Promise<void> {
  await tables(tx)
    .insertInto('acme_activation')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('ra_profile_uuid').doUpdateSet({
        acme_profile_uuid: row.acme_profile_uuid,
        connector_uuid: row.connector_uuid,
        created_at: row.created_at,
      }),
    )
    .execute();
}

/** Answers the activations that were there. */
export const remove = (tx: Executor, raProfileUuids: readonly string[]): Promise<AcmeActivationRow[]> =>
  raProfileUuids.length === 0
    ? Promise.resolve([])
    : tables(tx).deleteFrom('acme_activation').where('ra_profile_uuid', 'in', raProfileUuids).returningAll().execute();
