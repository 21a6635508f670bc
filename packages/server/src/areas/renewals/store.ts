// Renewal settings of RA profiles, and renewal limits of authorities.
import type { Executor } from '../../platform/database/database.ts';
import type { RenewalTables, SettingRow } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<RenewalTables>();

export const findSetting = (executor: Executor, raProfileUuid: string): Promise<SettingRow | undefined> =>
  tables(executor)
    .selectFrom('renewal_setting')
    .selectAll()
    .where('ra_profile_uuid', '=', raProfileUuid)
    .executeTakeFirst();

/**
 * Stores the setting. Renewals that were scheduled under the previous setting are rescheduled unless they have already
 * been attempted.
 */
export async function storeSetting(tx: Executor, row: SettingRow): Promise<void> {
  const { ra_profile_uuid: uuid, ...facts } = row;
  await tables(tx)
    .insertInto('renewal_setting')
    .values(row)
    .onConflict((conflict) => conflict.column('ra_profile_uuid').doUpdateSet(facts))
    .execute();
  const planned = tables(tx).deleteFrom('renewal').where('ra_profile_uuid', '=', uuid).where('state', '=', 'planned');
  await (row.automatic ? planned.where('attempts', '=', 0) : planned).execute();
  if (!row.token_keys) await planned.where('location_uuid', 'is', null).execute();
}

/** Returns the maximum number of renewals per hour; undefined if there is no limit. */
export async function findLimit(executor: Executor, authorityUuid: string): Promise<number | undefined> {
  const query = tables(executor).selectFrom('renewal_limit').select('per_hour');
  return (await query.where('authority_uuid', '=', authorityUuid).executeTakeFirst())?.per_hour;
}

export async function storeLimit(tx: Executor, authorityUuid: string, perHour: number | undefined): Promise<void> {
  if (perHour === undefined) {
    await tables(tx).deleteFrom('renewal_limit').where('authority_uuid', '=', authorityUuid).execute();
    return;
  }
  await tables(tx)
    .insertInto('renewal_limit')
    .values({ authority_uuid: authorityUuid, per_hour: perHour })
    .onConflict((conflict) => conflict.column('authority_uuid').doUpdateSet({ per_hour: perHour }))
    .execute();
}
