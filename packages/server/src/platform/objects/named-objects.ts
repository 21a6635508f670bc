// Queries common to all named objects: rows with a UUID and a unique name. Queries specific to an object are in its own
// store.
import { sql } from 'kysely';
import { requireFound } from '../../kernel/errors.ts';
import type { Executor } from '../database/database.ts';

export interface NamedRow {
  readonly uuid: string;
  readonly name: string;
}

/** Returns identifiers and names of the specified objects, or of all objects, sorted by name. */
export type FindNames = (executor: Executor, uuids?: readonly string[]) => Promise<NamedRow[]>;

export interface NamedFacts {
  /** Type of the object, as shown to users: "Group". */
  readonly what: string;
  /** Table name. The unique constraint on names is called `<table>_name_key`. */
  readonly table: string;
}

/** Fields that an update can set: all except the identifier. */
export type ChangesOf<Row extends NamedRow> = Partial<Omit<Row, 'uuid'>>;

export interface NamedObjects<Row extends NamedRow> extends NamedFacts {
  readonly findNames: FindNames;
  /** Sorted by name. */
  findAll(executor: Executor): Promise<Row[]>;
  findOne(executor: Executor, uuid: string): Promise<Row | undefined>;
  /** Throws `object_not_found` if it does not exist. */
  require(executor: Executor, uuid: string): Promise<Row>;
  findByName(executor: Executor, name: string): Promise<Row | undefined>;
  /** Returns the rows that exist, sorted by name. */
  findMany(executor: Executor, uuids: readonly string[]): Promise<Row[]>;
  /** Returns the inserted row. */
  insert(executor: Executor, row: Row): Promise<readonly [Row]>;
  /** Does nothing if the name is taken: another node may be inserting the same row. */
  insertMissing(executor: Executor, row: Row): Promise<void>;
  /** Returns the changed row, or undefined if it no longer exists. */
  update(executor: Executor, uuid: string, changes: ChangesOf<Row>): Promise<Row | undefined>;
  /** Returns the changed rows. Locks them in a fixed order first, so that concurrent calls cannot deadlock. */
  updateMany(tx: Executor, uuids: readonly string[], changes: ChangesOf<Row>): Promise<Row[]>;
  /** Returns the removed rows. */
  removeMany(tx: Executor, uuids: readonly string[]): Promise<Row[]>;
  /** Locks the rows until the transaction ends; returns them sorted by identifier. */
  lockMany(tx: Executor, uuids: readonly string[]): Promise<Row[]>;
  /** Locks the row until the transaction ends; throws `object_not_found` if it does not exist. */
  lock(tx: Executor, uuid: string): Promise<Row>;
  /** Returns the queries for rows of this table that refer to an object through the column. */
  referringBy(column: string & keyof Row): Referring;
}

/** Rows that refer to an object in another table. */
export interface Referring {
  /** Returns the names of the referring rows, in order. */
  names(executor: Executor, uuid: string): Promise<string[]>;
  /** Clears the reference in the referring rows. */
  detach(tx: Executor, uuid: string): Promise<void>;
}

/** Returns a function that finds names in a table of named objects. */
export const namesIn =
  (table: string): FindNames =>
  async (executor, uuids) => {
    const narrowed = uuids === undefined ? sql`` : sql`WHERE uuid = ANY(${uuids}::uuid[])`;
    const { rows } = await sql<NamedRow>`
      SELECT uuid, name FROM ${sql.table(table)} ${narrowed} ORDER BY name`.execute(executor);
    return rows;
  };

type AnyTable = Readonly<Record<string, NamedRow>>;

/** Returns the queries for a table whose rows have the shape `Row`. */
export function namedObjects<Row extends NamedRow>({ what, table }: NamedFacts): NamedObjects<Row> {
  // Kysely knows only the two columns that all such tables have, but this function reads and writes whole rows.
  const rows = (executor: Executor) => executor.withTables<AnyTable>();
  const whole = (found: Promise<NamedRow[]>) => found as unknown as Promise<Row[]>;
  const one = (found: Promise<NamedRow | undefined>) => found as unknown as Promise<Row | undefined>;
  const select = (executor: Executor) => rows(executor).selectFrom(table).selectAll();

  const lockMany = (tx: Executor, uuids: readonly string[]): Promise<Row[]> =>
    uuids.length === 0
      ? Promise.resolve([])
      : whole(select(tx).where('uuid', 'in', uuids).orderBy('uuid').forUpdate().execute());

  const findOne = (executor: Executor, uuid: string): Promise<Row | undefined> =>
    one(select(executor).where('uuid', '=', uuid).executeTakeFirst());

  return {
    what,
    table,
    findNames: namesIn(table),
    findAll: (executor) => whole(select(executor).orderBy('name').orderBy('uuid').execute()),
    findOne,
    require: async (executor, uuid) => requireFound(await findOne(executor, uuid), what, uuid),
    findByName: (executor, name) => one(select(executor).where('name', '=', name).executeTakeFirst()),
    findMany: async (executor, uuids) =>
      uuids.length === 0 ? [] : whole(select(executor).where('uuid', 'in', uuids).orderBy('name').execute()),
    async insert(executor, row) {
      await rows(executor).insertInto(table).values(row).execute();
      return [row];
    },
    async insertMissing(executor, row) {
      await rows(executor)
        .insertInto(table)
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    update: (executor, uuid, changes) =>
      one(rows(executor).updateTable(table).set(changes).where('uuid', '=', uuid).returningAll().executeTakeFirst()),
    async updateMany(tx, uuids, changes) {
      const locked = await lockMany(tx, uuids);
      if (locked.length === 0) return [];
      return whole(rows(tx).updateTable(table).set(changes).where('uuid', 'in', uuids).returningAll().execute());
    },
    removeMany: async (tx, uuids) =>
      uuids.length === 0 ? [] : whole(rows(tx).deleteFrom(table).where('uuid', 'in', uuids).returningAll().execute()),
    lockMany,
    async lock(tx, uuid) {
      const [locked] = await lockMany(tx, [uuid]);
      return requireFound(locked, what, uuid);
    },
    referringBy: (column) => ({
      async names(executor, uuid) {
        const referring = await rows(executor)
          .selectFrom(table)
          .select('name')
          .where(sql.ref(column), '=', uuid)
          .orderBy('name')
          .execute();
        return referring.map(({ name }) => name);
      },
      async detach(tx, uuid) {
        await rows(tx)
          .updateTable(table)
          .set({ [column]: null })
          .where(sql.ref(column), '=', uuid)
          .execute();
      },
    }),
  };
}
