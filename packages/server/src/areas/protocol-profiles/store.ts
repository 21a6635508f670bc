// Queries for profiles, common to the tables of all protocols. They are the same as for all named objects, except that
// each change also increments the version in the same statement.
import { sql, type RawBuilder } from 'kysely';
import type { ObjectFilter } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isShown } from '../../platform/database/object-filter.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import { profileOf, type ProtocolFacts, type ProtocolProfileRow } from './protocol.ts';

export type NewProfile<Row extends ProtocolProfileRow> = Omit<Row, 'version'>;
export type ProfileChanges<Row extends ProtocolProfileRow> = Partial<
  Omit<Row, 'uuid' | 'name' | 'version' | 'created_at'>
>;

/**
 * Profile with the RA profile on which it is activated, and the connector under which the activation's attributes are
 * stored.
 */
export type ActivatedProfile<Row extends ProtocolProfileRow> = Row & {
  readonly activated_on: string;
  readonly activation_connector_uuid: string;
};

export type ProfileStore<Row extends ProtocolProfileRow> = ReturnType<typeof createProfileStore<Row>>;

export function createProfileStore<Row extends ProtocolProfileRow>(protocol: ProtocolFacts) {
  const { tables } = protocol;
  const { what, findNames, findAll, findOne, require, findByName, removeMany } = namedObjects<Row>({
    what: profileOf(protocol),
    table: tables.profiles,
  });
  const table = sql.table(tables.profiles);
  const all = async (executor: Executor, rest: RawBuilder<unknown>): Promise<Row[]> =>
    (await sql<Row>`SELECT * FROM ${table} ${rest}`.execute(executor)).rows;

  return {
    what,
    table: tables.profiles,
    findNames,
    findAll,
    findOne,
    require,
    findByName,
    findShown: (executor: Executor, shown: ObjectFilter) =>
      all(executor, sql`WHERE ${isShown(sql`uuid`, shown)} ORDER BY name`),
    findOfRaProfiles: (executor: Executor, raProfileUuids: readonly string[]) =>
      all(executor, sql`WHERE ra_profile_uuid = ANY(${raProfileUuids}::uuid[])`),

    /**
     * Returns the profile activated on an RA profile, together with the connector under which its attributes are
     * stored, in one snapshot.
     */
    async findActivated(executor: Executor, raProfileUuid: string): Promise<ActivatedProfile<Row> | undefined> {
      const { rows } = await sql<ActivatedProfile<Row>>`
        SELECT p.*, a.ra_profile_uuid AS activated_on, a.connector_uuid AS activation_connector_uuid
        FROM ${sql.table(tables.activations)} a JOIN ${table} p ON p.uuid = a.${sql.ref(tables.activatedProfile)}
        WHERE a.ra_profile_uuid = ${raProfileUuid}::uuid`.execute(executor);
      return rows[0];
    },

    /**
     * Locks the rows until the transaction ends, in a fixed order so that concurrent calls do not deadlock. New
     * references to a profile can still be added while it is locked.
     */
    lockMany: async (tx: Executor, uuids: readonly string[]): Promise<Row[]> =>
      uuids.length === 0 ? [] : all(tx, sql`WHERE uuid = ANY(${uuids}::uuid[]) ORDER BY uuid FOR NO KEY UPDATE`),

    async insert(tx: Executor, row: NewProfile<Row>): Promise<void> {
      const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
      await sql`INSERT INTO ${table} (${columns}) VALUES (${sql.join(Object.values(row))})`.execute(tx);
    },

    /** Updates profiles and returns those that existed. If there are no changes, only the version is incremented. */
    async updateMany(tx: Executor, uuids: readonly string[], changes: ProfileChanges<Row>): Promise<Row[]> {
      if (uuids.length === 0) return [];
      const assignments = Object.entries(changes).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
      const { rows } = await sql<Row>`
        UPDATE ${table} SET ${sql.join([...assignments, sql`version = version + 1`])}
        WHERE uuid = ANY(${uuids}::uuid[]) RETURNING *`.execute(tx);
      return rows;
    },

    /** Detaches profiles from RA profiles. The caller must have incremented the profile versions. */
    async detachRaProfiles(tx: Executor, raProfileUuids: readonly string[]): Promise<void> {
      await sql`UPDATE ${table} SET ra_profile_uuid = NULL, connector_uuid = NULL
        WHERE ra_profile_uuid = ANY(${raProfileUuids}::uuid[])`.execute(tx);
    },

    /** Foreign keys also remove the profiles' activations. */
    removeMany,
  };
}
