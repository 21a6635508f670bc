import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { closeAfterTest } from '@signetry/testkit/services';
import { createBatcher } from '@signetry/connector-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from './database.ts';
import type { HotStatement } from './hot-statement.ts';

const onError = vi.fn();
let database: Database;
let other: Database;

beforeAll(async () => {
  const { connection } = await testDatabaseWithConnection();
  database = new Database({ connection, onError });
  other = new Database({ connection, onError });
  await database.query(
    'CREATE TABLE item (id integer PRIMARY KEY, touched integer NOT NULL DEFAULT 0, made_in xid8 NOT NULL DEFAULT pg_current_xact_id())',
  );
  await database.query('CREATE TABLE part (item_id integer REFERENCES item (id) DEFERRABLE INITIALLY DEFERRED)');
});
afterAll(() => Promise.all([database.close(), other.close()]));
beforeEach(async () => {
  onError.mockClear();
  await database.query('TRUNCATE item, part');
});

const ADD: HotStatement = {
  name: 'add',
  text: 'INSERT INTO item (id) VALUES ($1::integer) RETURNING id, made_in::text',
};
const ADD_PART: HotStatement = { name: 'add_part', text: 'INSERT INTO part (item_id) VALUES ($1::integer)' };
const READ: HotStatement = {
  name: 'read',
  text: `SELECT $1::integer AS number, $2::timestamptz AS at, $3::bytea AS octets, $4::text AS nothing, $5::text[] AS words`,
};
const SESSION: HotStatement = {
  name: 'session',
  text: `SELECT pg_backend_pid() AS pid, current_setting('synchronous_commit') AS commit`,
};
const SLEEP: HotStatement = { name: 'sleep', text: 'SELECT pg_sleep($1::float8)' };
const END_ME: HotStatement = { name: 'end_me', text: 'SELECT pg_terminate_backend(pg_backend_pid())' };

const add = (id: number) => database.hot.run<{ id: number; made_in: string }>(ADD, [id]);
/**
 * Returns the transactions of two statements, of which the second is submitted when the first would normally have been
 * sent.
 */
async function submitPair(): Promise<(string | undefined)[]> {
  const submit = createBatcher<number, string | undefined>({
    scheduleFlush: database.hot.scheduleFlush,
    write: (ids) => Promise.all(ids.map(async (id) => (await add(id))[0]?.made_in)),
    concurrency: 2,
  });
  const id = Math.floor(Math.random() * 1e9);
  const first = submit(id);
  const until = performance.now() + 0.5;
  while (performance.now() < until) await new Promise(setImmediate);
  return Promise.all([first, submit(id + 1)]);
}
/**
 * Returns the number of deadlocks. PostgreSQL counts them once the connections involved have been idle for a moment.
 */
async function deadlocks(): Promise<number | undefined> {
  await vi.waitFor(
    async () => {
      const [row] = await database.query<{ deadlocks: number }>(COUNT_DEADLOCKS);
      expect(row?.deadlocks).toBeGreaterThan(0);
    },
    { timeout: 5_000 },
  );
  return (await database.query<{ deadlocks: number }>(COUNT_DEADLOCKS))[0]?.deadlocks;
}
const COUNT_DEADLOCKS = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
const items = async () => (await database.query<{ id: number }>('SELECT id FROM item ORDER BY id')).map(({ id }) => id);

describe('hot statements', () => {
  it('accept and return values of all types', async () => {
    const at = new Date('2026-03-01T10:00:00Z');
    const octets = Buffer.from('00ff', 'hex');
    expect(await database.hot.run(READ, [7, at, octets, null, ['a"b', 'c,d']])).toEqual([
      { number: 7, at, octets, nothing: null, words: ['a"b', 'c,d'] },
    ]);
    await expect(database.hot.run(ADD_PART, [null])).resolves.toEqual([]);
  });

  it('from one event loop turn share a transaction, and each receives its own rows', async () => {
    const rows = await Promise.all([add(1), add(2), add(3)]);
    expect(rows.map(([row]) => row?.id)).toEqual([1, 2, 3]);
    expect(new Set(rows.map(([row]) => row?.made_in)).size).toBe(1);
    const [later] = await add(4);
    expect(later?.made_in).not.toBe(rows[0]?.[0]?.made_in);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['at once', () => add(1), '23505'],
    ['at the commit', () => database.hot.run(ADD_PART, [99]), '23503'],
    ['because it cannot be parsed', () => database.hot.run({ name: 'bad', text: 'SELEC' }, []), '42601'],
  ])('that fail %s do not affect others', async (_, bad, code) => {
    await add(1);
    const [before, failed, after] = await Promise.allSettled([add(2), bad(), add(3)]);
    expect([before.status, after.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(failed).toMatchObject({ status: 'rejected', reason: { code } });
    expect(await items()).toEqual([1, 2, 3]);
    await expect(bad()).rejects.toMatchObject({ code });
    expect(onError).not.toHaveBeenCalled();
  });

  it('with a value that cannot be encoded are rejected before anything is sent', async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const [good, bad] = await Promise.allSettled([add(1), database.hot.run(READ, [circle])]);
    expect([good.status, bad.status]).toEqual(['fulfilled', 'rejected']);
  });

  it('that are relaxed do not wait for the commit, unless they are sent together with a durable statement', async () => {
    const session = async (lane: Database['hot']) => (await lane.run<{ pid: number; commit: string }>(SESSION, []))[0];
    const durable = await session(database.hot);
    const alone = await session(database.relaxed);
    expect(alone?.commit).toBe('off');
    expect(alone?.pid).not.toBe(durable?.pid);
    expect(await Promise.all([session(database.relaxed), session(database.hot)])).toEqual([durable, durable]);
  });

  it('from connectors do not wait for a commit that their caller makes durable', async () => {
    const { text } = SESSION;
    const { rows } = await database.connections.query({ name: 'session_of_connector', text, durability: 'withAnswer' });
    expect(rows).toMatchObject([{ commit: 'off' }]);
    const waiting = await database.connections.query({ name: 'session_of_connector', text });
    expect(waiting.rows).toEqual(await database.hot.run(SESSION, []));
    expect(waiting.rows).not.toEqual(rows);
  });

  it('that cause a deadlock between two nodes are still completed', async () => {
    await Promise.all([add(1), add(2)]);
    const touch = (node: Database, id: number) =>
      node.hot.run({ name: 'touch', text: 'UPDATE item SET touched = touched + 1 WHERE id = $1::integer' }, [id]);
    const pause = (node: Database) => node.hot.run(SLEEP, [0.2]);
    const transactions = [
      [touch(database, 1), pause(database), touch(database, 2)],
      [touch(other, 2), pause(other), touch(other, 1)],
    ];
    const outcomes = await Promise.allSettled(transactions.flat());
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await database.query('SELECT touched FROM item')).toEqual([{ touched: 2 }, { touched: 2 }]);
    expect(await deadlocks()).toBe(1);
  });

  it('are prepared again if a migration changed their columns', async () => {
    await database.query('CREATE TABLE growing (id integer)');
    await database.query('INSERT INTO growing VALUES (1)');
    const all = () => database.hot.run({ name: 'all', text: 'SELECT * FROM growing' }, []);
    expect(await all()).toEqual([{ id: 1 }]);
    await database.query('ALTER TABLE growing ADD COLUMN name text');
    expect(await Promise.all([all(), add(1).then(([row]) => row?.id)])).toEqual([[{ id: 1, name: null }], 1]);
    await database.query('ALTER TABLE growing DROP COLUMN name');
    expect(await all()).toEqual([{ id: 1 }]);
  });

  it('are never run a second time if their connection breaks', async () => {
    const outcomes = await Promise.allSettled([add(1), database.hot.run(END_ME, []), add(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await vi.waitFor(() => expect(onError).toHaveBeenCalled());
    expect(await items()).toEqual([]);
    expect((await add(3)).length).toBe(1);
  });
});

describe('batches', () => {
  it('of all kinds are collected while other statements are running, and are sent in one transaction', async () => {
    const sizes: number[] = [];
    const submitter = () =>
      createBatcher<number, string | undefined>({
        scheduleFlush: database.hot.scheduleFlush,
        write: (ids) => {
          sizes.push(ids.length);
          return Promise.all(ids.map(async (id) => (await add(id))[0]?.made_in));
        },
      });
    const [one, other] = [submitter(), submitter()];
    const first = database.hot.run(SLEEP, [0.01]);
    const early = one(1);
    await new Promise(setImmediate);
    const made = await Promise.all([early, one(2), other(3)]);
    await first;
    expect(sizes).toEqual([2, 1]);
    expect(new Set(made).size).toBe(1);
  });

  // Preempting the process in the middle makes the wait too long.
  it('include statements that arrive in the following event loop turns, one turn at a time', async () => {
    const sizes: number[] = [];
    const submit = createBatcher<number, unknown>({
      scheduleFlush: database.hot.scheduleFlush,
      write: (ids) => {
        sizes.push(ids.length);
        return Promise.all(ids.map(add));
      },
    });
    const id = Math.floor(Math.random() * 1e9);
    /** If called first, it runs before the check for a quiet turn, which then finds a busy one. */
    const readInNextTurn = (next: number): Promise<unknown> =>
      new Promise((resolve, reject) => {
        setImmediate(() => {
          const until = performance.now() + 0.2;
          while (performance.now() < until);
          submit(next).then(resolve, reject);
        });
      });
    await Promise.all([readInNextTurn(id + 1), submit(id)]);
    expect(sizes).toEqual([2]);
  });

  it('wait briefly for each other under load, but not otherwise', { retry: 5 }, async () => {
    const alone = new Set(await submitPair());
    closeAfterTest(() => database.gatherWhen(() => false));
    database.gatherWhen(() => true);
    const inACrowd = new Set(await submitPair());
    expect([alone.size, inACrowd.size]).toEqual([2, 1]);
  });

  it('do not wait long for hanging statements', async () => {
    const hanging = database.hot.run(SLEEP, [1]);
    const submit = createBatcher<number, unknown>({
      scheduleFlush: database.hot.scheduleFlush,
      write: (ids) => Promise.all(ids.map(add)),
    });
    const began = performance.now();
    await submit(1);
    expect(performance.now() - began).toBeLessThan(700);
    await hanging;
  });
});
