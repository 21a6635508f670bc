// Thresholds of RA profiles and groups.
import type { Executor } from '../../platform/database/database.ts';
import type { ExpiryTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<ExpiryTables>();

/** Thresholds configured for one kind of object. */
export interface OwnThresholds {
  /** Returns the thresholds in days; undefined if none are configured. */
  find(executor: Executor, uuid: string): Promise<readonly number[] | undefined>;
  keep(tx: Executor, uuid: string, days: readonly number[]): Promise<void>;
  forget(tx: Executor, uuid: string): Promise<void>;
}

export const raProfileThresholds: OwnThresholds = {
  async find(executor, uuid) {
    const query = tables(executor).selectFrom('expiry_threshold_of_ra_profile').select('days');
    return (await query.where('ra_profile_uuid', '=', uuid).executeTakeFirst())?.days;
  },
  async keep(tx, uuid, days) {
    await tables(tx)
      .insertInto('expiry_threshold_of_ra_profile')
      .values({ ra_profile_uuid: uuid, days: [...days] })
      .onConflict((conflict) => conflict.column('ra_profile_uuid').doUpdateSet({ days: [...days] }))
      .execute();
  },
  async forget(tx, uuid) {
    await tables(tx).deleteFrom('expiry_threshold_of_ra_profile').where('ra_profile_uuid', '=', uuid).execute();
  },
};

export const groupThresholds: OwnThresholds = {
  async find(executor, uuid) {
    const query = tables(executor).selectFrom('expiry_threshold_of_group').select('days');
    return (await query.where('group_uuid', '=', uuid).executeTakeFirst())?.days;
  },
  async keep(tx, uuid, days) {
    await tables(tx)
      .insertInto('expiry_threshold_of_group')
      .values({ group_uuid: uuid, days: [...days] })
      .onConflict((conflict) => conflict.column('group_uuid').doUpdateSet({ days: [...days] }))
      .execute();
  },
  async forget(tx, uuid) {
    await tables(tx).deleteFrom('expiry_threshold_of_group').where('group_uuid', '=', uuid).execute();
  },
};
