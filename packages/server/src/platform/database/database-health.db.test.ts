// Logging of an outage, and its effect on readiness. Over a real database that rejects writes.
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { startDatabaseProxy } from '@signetry/testkit/database-proxy';
import { hasInstalledPostgres, startInstalledPostgres } from '@signetry/testkit/installed-postgres';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../logging/logger.ts';
import { createRounds } from '../jobs/rounds.ts';
import { DatabaseUnavailable } from './database-errors.ts';
import { createDatabaseHealth } from './database-health.ts';
import { Database, type ConnectionFacts } from './database.ts';
import { OLDEST_SUPPORTED_VERSION } from './supported-versions.ts';

const WAIT = { timeout: 15_000, interval: 20 };
const NODE = '00000000-0000-7000-8000-000000000001';
const PROBE_TABLE =
  'CREATE TABLE IF NOT EXISTS database_probe (node_id uuid PRIMARY KEY, written_at timestamptz NOT NULL)';

const HAS_OLDEST = hasInstalledPostgres(OLDEST_SUPPORTED_VERSION);
const OLDEST_NOTE = HAS_OLDEST ? '' : ` (skipped: no PostgreSQL ${OLDEST_SUPPORTED_VERSION})`;

function recordingLog() {
  const lines: { level: string; msg: string; failures?: number }[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as (typeof lines)[number]); // pino writes one object per line.
      done();
    },
  });
  return { lines, log: createLogger({ level: 'info', destination }) };
}

async function probed() {
  const { connection, database: direct } = await testDatabaseWithConnection();
  const proxy = await startDatabaseProxy(connection);
  const { lines, log } = recordingLog();
  let now = 0;
  const health = createDatabaseHealth(log, () => now);
  const database = new Database({
    connection: proxy.connection,
    onError: health.noteConnection,
    onOutage: health.note,
  });
  onTestFinished(async () => {
    await health.stop();
    await database.close();
    await proxy.close();
  });
  health.probe(database, NODE);
  await vi.waitFor(async () => expect(await direct.query('SELECT FROM database_probe')).toHaveLength(1), WAIT);
  return { health, database, direct, proxy, lines, log, advance: (ms: number) => (now += ms) };
}

it('logs an outage once, logs the number of failures every minute, and logs the end of the outage', async () => {
  const { health, database, proxy, lines, log, advance } = await probed();
  const rounds = createRounds({
    log,
    what: 'work',
    periodMs: 5,
    run: async () => (await database.query('SELECT 1'), false),
  });
  rounds.start();
  onTestFinished(() => rounds.stop());

  proxy.refuse();
  await vi.waitFor(() => expect(health.isWriting()).toBe(false), WAIT);
  expect(lines.map(({ msg }) => msg)).toEqual(['the database is unavailable; failures are counted']);
  advance(60_000);
  await vi.waitFor(() => expect(lines).toHaveLength(2), WAIT);
  expect(lines[1]?.failures).toBeGreaterThan(1);

  proxy.heal();
  await vi.waitFor(() => expect(health.isWriting()).toBe(true), WAIT);
  expect(lines.at(-1)).toMatchObject({ level: 'info', msg: 'the database is available again', seconds: 60 });
  expect(lines).toHaveLength(3);
});

it('is not ready while the database responds but rejects writes', async () => {
  const { health, direct } = await probed();
  const [row] = await direct.query<{ name: string }>('SELECT current_database() AS name');
  await direct.query(`ALTER DATABASE ${row?.name} SET default_transaction_read_only = on`);
  await direct.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await vi.waitFor(() => expect(health.isWriting()).toBe(false), WAIT);
});

describe('after a full disk', () => {
  async function expectRecovery(connection: ConnectionFacts): Promise<void> {
    const { log } = recordingLog();
    const health = createDatabaseHealth(log);
    const database = new Database({ connection, onError: health.noteConnection, onOutage: health.note });
    onTestFinished(async () => {
      await health.stop();
      await database.close();
    });
    await database.query(PROBE_TABLE);
    health.probe(database, NODE);
    health.note(new DatabaseUnavailable('noSpace', new Error('No space left on device')));
    expect(health.isWriting()).toBe(false);
    await vi.waitFor(() => expect(health.isWriting()).toBe(true), WAIT);
  }

  it('is ready again as soon as space is available', async () => {
    const { connection } = await testDatabaseWithConnection();
    await expectRecovery(connection);
  });

  it.skipIf(!HAS_OLDEST)(`also becomes ready again on the oldest supported PostgreSQL${OLDEST_NOTE}`, async () => {
    const server = await startInstalledPostgres(OLDEST_SUPPORTED_VERSION);
    onTestFinished(() => server.stop());
    await expectRecovery(server.connection);
  });
});
