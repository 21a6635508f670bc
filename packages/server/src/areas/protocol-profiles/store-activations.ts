// Queries for activations, which determine which profile is served under which RA profile's name. Common to the tables
// of all protocols.
import { sql, type RawBuilder } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { ActivationRow, ProtocolFacts } from './protocol.ts';

export type ActivationStore = ReturnType<typeof createActivationStore>;

export function createActivationStore({ tables }: Pick<ProtocolFacts, 'tables'>) {
  const table = sql.table(tables.activations);
  const profile = sql.ref(tables.activatedProfile);
  const columns = sql`ra_profile_uuid, ${profile} AS profile_uuid, connector_uuid, created_at`;
  const rowsOf = async (executor: Executor, statement: RawBuilder<ActivationRow>): Promise<ActivationRow[]> =>
    (await statement.execute(executor)).rows;
  const find = (executor: Executor, condition: RawBuilder<unknown>): Promise<ActivationRow[]> =>
    rowsOf(executor, sql<ActivationRow>`SELECT ${columns} FROM ${table} WHERE ${condition}`);
  const findByRaProfiles = (executor: Executor, uuids: readonly string[]): Promise<ActivationRow[]> =>
    find(executor, sql`ra_profile_uuid = ANY(${uuids}::uuid[])`);

  return {
    findOne: async (executor: Executor, raProfileUuid: string): Promise<ActivationRow | undefined> =>
      (await findByRaProfiles(executor, [raProfileUuid]))[0],

    activatedOn: async (executor: Executor, raProfileUuids: readonly string[]): Promise<string[]> =>
      (await findByRaProfiles(executor, raProfileUuids)).map(({ ra_profile_uuid: uuid }) => uuid),

    findOfProfiles: async (executor: Executor, uuids: readonly string[]): Promise<ActivationRow[]> =>
      uuids.length === 0 ? [] : find(executor, sql`${profile} = ANY(${uuids}::uuid[])`),

    /** Inserts an activation, or replaces an existing one. The caller must have locked the RA profile. */
    async replace(tx: Executor, row: ActivationRow): Promise<void> {
      await sql`INSERT INTO ${table} (ra_profile_uuid, ${profile}, connector_uuid, created_at)
        VALUES (${row.ra_profile_uuid}, ${row.profile_uuid}, ${row.connector_uuid}, ${row.created_at})
        ON CONFLICT (ra_profile_uuid) DO UPDATE SET ${profile} = excluded.${profile},
          connector_uuid = excluded.connector_uuid, created_at = excluded.created_at`.execute(tx);
    },

    /** Removes activations and returns those that existed. */
    remove: async (tx: Executor, raProfileUuids: readonly string[]): Promise<ActivationRow[]> =>
      raProfileUuids.length === 0
        ? []
        : rowsOf(
            tx,
            sql<ActivationRow>`
              DELETE FROM ${table} WHERE ra_profile_uuid = ANY(${raProfileUuids}::uuid[]) RETURNING ${columns}`,
          ),
  };
}
