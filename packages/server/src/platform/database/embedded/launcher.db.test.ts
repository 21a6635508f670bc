import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import { EmbeddedPostgresError, startEmbeddedPostgres } from './index.ts';
import type { UnexpectedEnd } from './index.ts';
import { readPidFile } from './pid-file.ts';
import { sharedBuffers } from './settings.ts';
import { FAST, ask, connectTo, dataDirectory, isLinux, isRoot, preparedDirectory, start } from './testing/postgres.ts';

const MIB = 2 ** 20;

describe('shared buffers', () => {
  it.each([
    [512, '128MB'],
    [4 * 1024, '256MB'],
    [6 * 1024, '384MB'],
    [64 * 1024, '1024MB'],
  ])('are a sixteenth of %i MiB, within limits: %s', (memory, buffers) => {
    expect(sharedBuffers(memory * MIB)).toBe(buffers);
  });
});

describe('the embedded database', () => {
  it('is created at the first start, keeps its data after a restart, and needs no recovery', async () => {
    const directory = dataDirectory();
    const first = await start(directory, { settings: {} });
    expect(first.database).toMatchObject({ how: 'created', user: 'signetry', database: 'postgres' });
    expect(first.database.version).toMatch(/^18\./);
    expect(first.lines.filter(({ level }) => level === 'info').map(({ message }) => message)).toEqual([
      'creating the database',
      'the database is ready',
    ]);
    expect(JSON.stringify(first.lines)).not.toContain(first.database.password);
    expect(await ask(first.database, 'CREATE TABLE kept AS SELECT 42 AS n')).toBeUndefined();
    await first.database.stop();

    const began = performance.now();
    const second = await start(directory, { settings: {} });
    expect(performance.now() - began).toBeLessThan(2000);
    expect(second.database.how).toBe('started');
    expect(await ask(second.database, 'SELECT n FROM kept')).toBe(42);
    await second.database.stop();
    expect(readFileSync(join(directory, 'database/server.log'), 'utf8')).not.toContain('recovery');
  });

  it('has the durability, memory and access settings that the platform requires', async () => {
    const { database } = await start(await preparedDirectory(), { settings: { work_mem: '8MB' } });
    const setting = (name: string): Promise<unknown> => ask(database, `SHOW ${name}`);
    expect(await setting('fsync')).toBe('on');
    expect(await setting('full_page_writes')).toBe('on');
    expect(await setting('data_checksums')).toBe('on');
    expect(await setting('listen_addresses')).toBe('');
    expect(await setting('max_connections')).toBe('100');
    expect(await ask(database, `SELECT pg_size_bytes(current_setting('shared_buffers'))::int`)).toBeGreaterThanOrEqual(
      128 * MIB,
    );
    expect(await setting('work_mem')).toBe('8MB');
    expect(await setting('jit')).toBe('off');
    expect(await setting('dynamic_shared_memory_type')).toBe(isLinux ? 'sysv' : 'posix');
    expect(await ask(database, `SELECT datlocale FROM pg_database WHERE datname = 'postgres'`)).toBe('C.UTF-8');
    expect(await ask(database, `SELECT rolpassword LIKE 'SCRAM%' FROM pg_authid WHERE rolname = 'signetry'`)).toBe(
      true,
    );
    expect(await ask(database, `SELECT count(*)::int FROM pg_hba_file_rules WHERE auth_method = 'trust'`)).toBe(0);
    await expect(connectTo({ ...database, password: 'wrong' })).rejects.toMatchObject({ code: '28P01' });
  });

  it('restores its buffer contents after a restart', async () => {
    const directory = await preparedDirectory();
    const first = await start(directory);
    await ask(first.database, `CREATE TABLE warm AS SELECT n, repeat('x', 100) FROM generate_series(1, 50000) AS n`);
    await ask(first.database, 'CREATE EXTENSION pg_buffercache');
    const blocks = `SELECT count(*)::int FROM pg_buffercache WHERE relfilenode = pg_relation_filenode('warm')`;
    const before = await ask(first.database, blocks);
    await first.database.stop();
    const second = await start(directory);
    await vi.waitFor(async () => expect(await ask(second.database, blocks)).toBe(before), { timeout: 10_000 });
    expect(before).toBeGreaterThan(100);
  });

  it.runIf(isLinux)('restricts access to everything except the cluster and its socket to its own user', async () => {
    const directory = await preparedDirectory();
    const { database } = await start(directory);
    const own = process.geteuid?.();
    for (const name of ['lock', 'database', 'database/password', 'database/server.log']) {
      const found = statSync(join(directory, name));
      expect({ name, uid: found.uid, open: found.mode & 0o077 }).toEqual({ name, uid: own, open: 0 });
    }
    for (const folder of [database.dataDirectory, database.runDirectory]) {
      expect(statSync(folder)).toMatchObject({ uid: isRoot ? 65534 : own, mode: 0o40700 });
    }
  });

  it('runs alongside other embedded databases in one process', async () => {
    const [left, right] = await Promise.all([start(dataDirectory()), start(await preparedDirectory())]);
    await ask(left.database, 'CREATE TABLE only_left ()');
    const exists = `SELECT to_regclass('only_left') IS NOT NULL`;
    expect([await ask(left.database, exists), await ask(right.database, exists)]).toEqual([true, false]);
    await left.database.stop();
    expect(await ask(right.database, 'SELECT 1')).toBe(1);
  });

  it('reports an unexpected exit with the last log lines of the server, and can restart on the same socket path', async () => {
    const { database } = await start(await preparedDirectory());
    await ask(database, 'CREATE TABLE kept AS SELECT 42 AS n');
    const ended = new Promise<UnexpectedEnd>((resolve) => void database.onExit(resolve));
    process.kill(readPidFile(database.dataDirectory)?.pid ?? 0, 'SIGQUIT');
    const { lastLines } = await ended;
    expect(lastLines.join('\n')).toContain('immediate shutdown');

    const before = database.socketDirectory;
    await database.restart();
    expect(database).toMatchObject({ how: 'restarted', socketDirectory: before });
    expect(await ask(database, 'SELECT n FROM kept')).toBe(42);
  });

  it('does not report a requested exit, stops only once even if requested repeatedly, and cannot be restarted afterwards', async () => {
    const { database } = await start(await preparedDirectory());
    const ends: UnexpectedEnd[] = [];
    database.onExit((end) => ends.push(end));
    const client = await connectTo(database);
    await Promise.all([database.stop(), database.stop()]);
    await client.end().catch(() => {});
    expect(ends).toEqual([]);
    expect(existsSync(join(database.dataDirectory, 'postmaster.pid'))).toBe(false);
    await expect(database.restart()).rejects.toMatchObject({ code: 'start-failed' });
  });

  it('sets a new password if the password file is lost', async () => {
    const directory = await preparedDirectory();
    const first = await start(directory);
    await first.database.stop();
    rmSync(join(directory, 'database/password'));
    const second = await start(directory);
    expect(second.database.password).not.toBe(first.database.password);
    expect(readFileSync(join(directory, 'database/password'), 'utf8').trim()).toBe(second.database.password);
    expect(await ask(second.database, 'SELECT 1')).toBe(1);
  });

  it('reports a password file that does not belong to the cluster', async () => {
    const directory = await preparedDirectory();
    const { database } = await start(directory);
    await database.stop();
    writeFileSync(join(directory, 'database/password'), 'from another backup\n');
    await expect(start(directory)).rejects.toMatchObject({ code: 'password-refused' });
    expect(readPidFile(database.dataDirectory)).toBeUndefined();
  });

  it('rejects a cluster with a different major version, and does not change it', async () => {
    const directory = dataDirectory();
    const cluster = join(directory, 'database/pg');
    mkdirSync(cluster, { recursive: true });
    writeFileSync(join(cluster, 'PG_VERSION'), '16\n');
    const error = await rejectionOf(directory);
    expect(error.code).toBe('other-major-version');
    expect(error.message).toMatch(/PostgreSQL 16.*PostgreSQL 18/);
    expect(readFileSync(join(cluster, 'PG_VERSION'), 'utf8')).toBe('16\n');
  });

  it('rejects a directory with other contents, but accepts an empty one', async () => {
    const directory = dataDirectory();
    const cluster = join(directory, 'database/pg');
    mkdirSync(cluster, { recursive: true });
    writeFileSync(join(cluster, 'notes.txt'), 'mine');
    expect((await rejectionOf(directory)).code).toBe('not-a-cluster');
    rmSync(join(cluster, 'notes.txt'));
    expect((await start(directory)).database.how).toBe('created');
  });

  it('rejects settings that it controls itself', async () => {
    const directory = dataDirectory();
    for (const name of ['listen_addresses', 'port', 'bad name']) {
      expect((await rejectionOf(directory, { [name]: '1' })).code).toBe('invalid-setting');
    }
    expect((await rejectionOf(directory, { no_such_setting: 'x' })).message).toContain('no_such_setting');
  });

  it('stops immediately when aborted, without leaving running processes or incomplete files behind', async () => {
    const directory = dataDirectory();
    const abort = new AbortController();
    // The message is logged right before initdb is started, and the immediate runs right after.
    const log = (): void => void setImmediate(() => abort.abort(new Error('enough')));
    const attempt = startEmbeddedPostgres({ directory, log, settings: FAST, signal: abort.signal });
    await expect(attempt).rejects.toThrow('enough');
    expect(readdirSync(join(directory, 'database')).filter((name) => name.startsWith('pg'))).toEqual([]);

    const { database } = await start(directory);
    await database.stop();
    const late = new AbortController();
    const second = startEmbeddedPostgres({ directory, log: () => {}, settings: FAST, signal: late.signal });
    const abortOnceRunning = (): void => {
      if (readPidFile(database.dataDirectory) === undefined) setImmediate(abortOnceRunning);
      else late.abort(new Error('enough'));
    };
    abortOnceRunning();
    await expect(second).rejects.toThrow('enough');
    expect(readPidFile(database.dataDirectory)).toBeUndefined();
  });

  it('removes what an interrupted creation left behind', async () => {
    const directory = dataDirectory();
    const leftover = join(directory, 'database/pg.new-0123456789ab');
    mkdirSync(join(leftover, 'base'), { recursive: true });
    await start(directory);
    expect(existsSync(leftover)).toBe(false);
  });
});

async function rejectionOf(directory: string, settings: Record<string, string> = FAST): Promise<EmbeddedPostgresError> {
  const error: unknown = await startEmbeddedPostgres({ directory, log: () => {}, settings }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EmbeddedPostgresError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return error;
}
