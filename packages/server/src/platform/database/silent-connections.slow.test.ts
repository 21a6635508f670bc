// Half-open connections to PostgreSQL: packets are dropped, and no reset is sent.
import { sql } from 'kysely';
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { startDatabaseProxy, type DatabaseProxy } from '@signetry/testkit/database-proxy';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DatabaseUnavailable } from './database-errors.ts';
import { Database, hotStatement, runHot, type ConnectionFacts } from './database.ts';
import { runAsWork } from './query-limits.ts';

/** The documented limit is 10 s; the rest is a margin for busy machines. */
const LIMIT_MS = 14_000;
const WAIT = { timeout: 30_000, interval: 50 };

const NOW = hotStatement('silent_test_now', 'SELECT 1 AS answer');
const UPDATE = 'UPDATE silent_test SET value = value + 1 WHERE id = 1';

let direct: Database;
let target: ConnectionFacts;
beforeAll(async () => {
  const own = await testDatabaseWithConnection();
  direct = own.database;
  target = own.connection;
  await direct.query('CREATE TABLE silent_test (id int PRIMARY KEY, value int NOT NULL)');
  await direct.query('INSERT INTO silent_test VALUES (1, 0)');
});

interface Proxied {
  readonly proxy: DatabaseProxy;
  readonly database: Database;
  /** Connection errors, as counted in the log. */
  readonly lost: Error[];
}

async function throughProxy(): Promise<Proxied> {
  const proxy = await startDatabaseProxy(target);
  const lost: Error[] = [];
  const database = new Database({ connection: proxy.connection, onError: (error) => lost.push(error) });
  onTestFinished(async () => {
    proxy.heal();
    await database.close();
    await proxy.close();
  });
  return { proxy, database, lost };
}

const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'answered',
    (error: unknown) => error,
  );

describe('when all current connections stop responding', { timeout: 60_000 }, () => {
  it('fails pending work within 10 s, releases its locks, and continues with new connections', async () => {
    const { proxy, database } = await throughProxy();
    await runHot(database.hot, NOW, []);
    const locked = Promise.withResolvers<void>();
    const silent = Promise.withResolvers<void>();
    const transaction = database.transaction(async (tx) => {
      await sql.raw(UPDATE).execute(tx);
      locked.resolve();
      await silent.promise;
      await sql.raw(UPDATE).execute(tx);
    });
    await locked.promise;
    proxy.silenceConnections();
    silent.resolve();
    const began = performance.now();

    const outcomes = await Promise.all([
      outcomeOf(transaction),
      outcomeOf(runHot(database.hot, NOW, [])),
      outcomeOf(direct.query(UPDATE)),
    ]);

    expect(outcomes[0]).toBeInstanceOf(DatabaseUnavailable);
    expect(outcomes[1]).toBeInstanceOf(DatabaseUnavailable);
    expect(outcomes[2]).toBe('answered'); // The lock of the dead transaction was released with it.
    expect(performance.now() - began).toBeLessThan(LIMIT_MS);
    expect(await runHot(database.hot, NOW, [])).toEqual([{ answer: 1 }]);
    expect(await database.query('SELECT value FROM silent_test')).toEqual([{ value: 1 }]);
  });

  it('replaces idle connections before they are used again', async () => {
    const { proxy, database, lost } = await throughProxy();
    await runHot(database.hot, NOW, []);
    proxy.silenceConnections();
    const began = performance.now();
    await vi.waitFor(() => expect(lost).not.toHaveLength(0), WAIT);
    expect(performance.now() - began).toBeLessThan(LIMIT_MS);
    expect(await runHot(database.hot, NOW, [])).toEqual([{ answer: 1 }]);
  });

  it('does not report a commit as failed if its response was lost', async () => {
    const { proxy, database } = await throughProxy();
    const pending = outcomeOf(database.query(`SELECT pg_sleep(1); ${UPDATE}`));
    await vi.waitFor(
      async () =>
        expect(await direct.query(`SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(1)%'`)).toHaveLength(1),
      WAIT,
    ); // prettier-ignore
    const [before] = await direct.query<{ value: number }>('SELECT value FROM silent_test');
    proxy.silenceConnections();
    const outcome = await pending;
    expect(outcome).toMatchObject({
      outage: 'connectionLost',
      reason: expect.stringContaining('it is unknown whether a change was made') as string,
    });
    expect(await direct.query('SELECT value FROM silent_test')).toEqual([{ value: (before?.value ?? 0) + 1 }]);
  });
});

describe('when the server stops responding', { timeout: 60_000 }, () => {
  it('fails all waiting work within the time limit, including work that is waiting for a connection', async () => {
    const { proxy, database } = await throughProxy();
    await runHot(database.hot, NOW, []);
    proxy.silenceAll();
    const began = performance.now();
    const hot = Array.from({ length: 100 }, () => outcomeOf(runHot(database.hot, NOW, [])));
    const pooled = Array.from({ length: 30 }, () => outcomeOf(database.query('SELECT 1')));
    const outcomes = await Promise.all([...hot, ...pooled]);
    for (const outcome of outcomes) expect(outcome).toBeInstanceOf(DatabaseUnavailable);
    expect(performance.now() - began).toBeLessThan(LIMIT_MS);
    proxy.heal();
    expect(await database.query('SELECT 1 AS answer')).toEqual([{ answer: 1 }]);
    expect(await runHot(database.hot, NOW, [])).toEqual([{ answer: 1 }]);
  });

  it('closes without waiting for the server', async () => {
    const { proxy, database } = await throughProxy();
    await runHot(database.hot, NOW, []);
    await database.query('SELECT 1');
    proxy.silenceAll();
    const began = performance.now();
    await database.close();
    expect(performance.now() - began).toBeLessThan(LIMIT_MS);
  });
});

describe('statement limits', { timeout: 60_000 }, () => {
  const limit = (database: Database) =>
    database
      .query<{ limit: string }>(`SELECT current_setting('statement_timeout') AS limit`)
      .then(([row]) => row?.limit);

  it('depend on the kind of work', async () => {
    expect(await limit(direct)).toBe('20s');
    expect(await runAsWork('job', () => limit(direct))).toBe('5min');
    expect(await runAsWork('long', () => limit(direct))).toBe('0');
    expect(await limit(direct)).toBe('20s');
    const setting = hotStatement('silent_test_limit', `SELECT current_setting('statement_timeout') AS limit`);
    expect(await runHot(direct.hot, setting, [])).toEqual([{ limit: '10s' }]);
  });

  it('do not interrupt a long-running statement that the server is still executing', async () => {
    const { database, lost } = await throughProxy();
    expect(await runAsWork('long', () => database.query('SELECT 1 AS answer FROM pg_sleep(9)'))).toEqual([
      { answer: 1 },
    ]);
    expect(lost).toEqual([]);
  });
});
