// Settings queries: one row per section (migration 0034-settings). Owns: setting.
import type { Executor } from '../database/database.ts';

type SettingTables = {
  setting: { section: string; value: unknown; updated_at: Date };
};

const tables = (executor: Executor) => executor.withTables<SettingTables>();

const selectValue = (executor: Executor, section: string) =>
  tables(executor).selectFrom('setting').select('value').where('section', '=', section);

export const findValue = async (executor: Executor, section: string): Promise<unknown> =>
  (await selectValue(executor, section).executeTakeFirst())?.value;

/** Returns the stored value and locks it until the transaction ends; concurrent changes to the section wait. */
export async function holdValue(tx: Executor, section: string, now: Date): Promise<unknown> {
  await tables(tx)
    .insertInto('setting')
    .values({ section, value: '{}', updated_at: now })
    .onConflict((conflict) => conflict.column('section').doNothing())
    .execute();
  return (await selectValue(tx, section).forUpdate().executeTakeFirstOrThrow()).value;
}

export const storeValue = (tx: Executor, { section, value, now }: { section: string; value: object; now: Date }) =>
  tables(tx)
    .updateTable('setting')
    .set({ value: JSON.stringify(value), updated_at: now })
    .where('section', '=', section)
    .execute();
