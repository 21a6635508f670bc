import { testDatabaseWithConnection } from '@signetry/testkit/database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createIdempotencyJournal,
  idempotencyJournalMigration,
  type IdempotencyJournal,
} from '../journal/idempotency-journal.ts';
import { migrateConnector, schemaNameOf } from './migrate.ts';
import { createPostgresStorage } from './postgres-storage.ts';
import type { ConnectorStorage } from './storage.ts';

const connector = {
  name: 'odd-name',
  migrations: [
    { name: 'first', sql: (schema: string) => `CREATE TABLE ${schema}.thing (id int PRIMARY KEY)` },
    idempotencyJournalMigration,
  ],
};
let connection: pg.PoolConfig;
let pool: pg.Pool;
let storage: ConnectorStorage;
let journal: IdempotencyJournal;

beforeAll(async () => {
  ({ connection } = await testDatabaseWithConnection());
  pool = new pg.Pool({ ...connection, max: 4 });
  pool.on('error', () => undefined);
  storage = createPostgresStorage(pool, { schema: schemaNameOf(connector) });
});
afterAll(() => pool?.end()); // Undefined if there is no database.

describe('migrateConnector', () => {
  it('runs each step once, even if multiple nodes start simultaneously', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => migrateConnector(storage, connector)));
    expect(runs.flat().toSorted()).toEqual(['first', 'idempotency-journal']);
    expect(await migrateConnector(storage, connector)).toEqual([]);
    journal = createIdempotencyJournal(storage);
  });

  it('rolls back a failed step completely', async () => {
    const broken = { name: 'broken', sql: (schema: string) => `CREATE TABLE ${schema}.half (id int); SELECT 1 / 0` };
    await expect(migrateConnector(storage, { ...connector, migrations: [broken] })).rejects.toThrow();
    expect(await storage.query(`SELECT to_regclass('${schemaNameOf(connector)}.half') AS name`)).toEqual([
      { name: null },
    ]);
  });
});

describe('createPostgresStorage', () => {
  it('rolls back a failed transaction, including its nested transactions', async () => {
    const attempt = storage.transaction(async (tx) => {
      await tx.transaction((inner) => inner.query(`INSERT INTO ${storage.table('thing')} VALUES (1)`));
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    expect(await storage.query(`SELECT * FROM ${storage.table('thing')}`)).toEqual([]);
  });
});

describe('connectors that share a pool', () => {
  it('can use the same names for their prepared statements', async () => {
    const one = new pg.Pool({ ...connection, max: 1 });
    try {
      const [a, b] = ['connector_a', 'connector_b'].map((schema) => createPostgresStorage(one, { schema }));
      const ask = (of: ConnectorStorage | undefined) => of?.query(`SELECT '${of.schema}' AS own`, [], { name: 'find' });
      expect([await ask(a), await ask(b), await ask(a)]).toEqual([
        [{ own: 'connector_a' }],
        [{ own: 'connector_b' }],
        [{ own: 'connector_a' }],
      ]);
    } finally {
      await one.end();
    }
  });
});

describe("a write whose durability is ensured by the caller's record", () => {
  it.each([
    ['passes its durability on where both share the database', true, { durability: 'withAnswer' }],
    ['is written like any other where the connector has its own database', false, {}],
  ])('%s', async (_what, isSharedWithCaller, told) => {
    const sent: object[] = [];
    const watched = {
      connect: () => pool.connect(),
      query: (statement: pg.QueryConfig) => {
        const { text: _text, ...facts } = statement;
        sent.push(facts);
        return pool.query(statement);
      },
    };
    const shared = createPostgresStorage(watched, { schema: schemaNameOf(connector), isSharedWithCaller });
    await shared.query('SELECT 1 AS one', [], { durability: 'withAnswer' });
    expect(sent).toEqual([{ values: [], ...told }]);
  });
});

describe('the idempotency journal', () => {
  const call = (key: string | undefined, request: unknown = { a: 1 }) => ({ operation: 'test', key, request });

  it('performs an operation once, and returns the same result if it is repeated', async () => {
    let effects = 0;
    const steps = {
      prepare: () => ({ number: 5 }),
      perform: (prepared: { number: number }) => ((effects += 1), { seen: prepared.number }),
    };
    const answers = await Promise.all([1, 2, 3].map(() => journal.carryOut(call('k1'), steps)));
    expect(answers).toEqual([{ seen: 5 }, { seen: 5 }, { seen: 5 }]);
    expect(effects).toBe(1);
  });

  it('repeats the operation with the same prepared data if its completion was not recorded', async () => {
    const seen: unknown[] = [];
    const steps = (fails: boolean, number: number) => ({
      prepare: () => number,
      perform: (prepared: number) => {
        seen.push(prepared);
        if (fails) throw new Error('cut off');
        return 'done';
      },
    });
    await expect(journal.carryOut(call('k2'), steps(true, 1))).rejects.toThrow('cut off');
    expect(await journal.carryOut(call('k2'), steps(false, 2))).toBe('done');
    expect(seen).toEqual([1, 1]);
  });

  it('rejects a different request under the same key', async () => {
    const steps = { prepare: () => null, perform: () => null };
    await journal.carryOut(call('k3'), steps);
    await expect(journal.carryOut(call('k3', { a: 2 }), steps)).rejects.toMatchObject({ status: 422 });
  });

  it('stores nothing if there is no key', async () => {
    let effects = 0;
    const steps = { prepare: () => null, perform: () => (effects += 1) };
    await journal.carryOut(call(undefined), steps);
    await journal.carryOut(call(undefined), steps);
    expect(effects).toBe(2);
  });
});
