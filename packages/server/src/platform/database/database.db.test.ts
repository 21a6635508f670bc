import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { CompiledQuery } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { Database, type Executor } from './database.ts';

describe('a terminated connection', () => {
  it('during a transaction causes only that transaction to fail', async () => {
    const { connection } = await testDatabaseWithConnection();
    const onError = vi.fn();
    const database = new Database({ connection, onError });
    const open = database.transaction(async (tx) => {
      const { rows } = await tx.executeQuery<{ pid: number }>(CompiledQuery.raw('SELECT pg_backend_pid() AS pid'));
      await database.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce());
      await tx.executeQuery(CompiledQuery.raw('SELECT 1'));
    });
    await expect(open).rejects.toThrow();
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
  });

  it('that was idle is reported once and replaced', async () => {
    const { connection } = await testDatabaseWithConnection();
    const onError = vi.fn();
    const database = new Database({ connection, onError });
    const other = new Database({ connection, onError: () => undefined });
    const [row] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await other.query('SELECT pg_terminate_backend($1)', [row?.pid]);
    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce());
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(onError).toHaveBeenCalledOnce();
    await Promise.all([database.close(), other.close()]);
  });
});

describe('a snapshot', () => {
  it('does not see changes committed after its first read, and cannot write', async () => {
    const { database } = await testDatabaseWithConnection();
    await database.query('CREATE TABLE seen (n int)');
    const count = 'SELECT count(*)::int AS n FROM seen';
    const read = async (tx: Executor) => (await tx.executeQuery<{ n: number }>(CompiledQuery.raw(count))).rows[0]?.n;
    const counts = await database.snapshot(async (tx) => {
      const before = await read(tx);
      await database.query('INSERT INTO seen VALUES (1)');
      return [before, await read(tx)];
    });
    expect(counts).toEqual([0, 0]);
    expect(await database.query(count)).toEqual([{ n: 1 }]);
    const write = (tx: Executor) => tx.executeQuery(CompiledQuery.raw('INSERT INTO seen VALUES (2)'));
    await expect(database.snapshot(write)).rejects.toThrow(/read-only/);
  });
});

describe('a query', () => {
  it('with multiple statements returns the rows of all statements, as pg-boss expects', async () => {
    const { database } = await testDatabaseWithConnection();
    expect(await database.query('BEGIN; SELECT 1 AS n; SELECT 2 AS n; COMMIT')).toEqual([{ n: 1 }, { n: 2 }]);
  });
});
