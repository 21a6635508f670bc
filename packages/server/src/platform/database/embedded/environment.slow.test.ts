import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { startEmbeddedPostgres } from './index.ts';
import type { UnexpectedEnd } from './index.ts';
import {
  ORDINARY_USER,
  ask,
  connectTo,
  copyPrograms,
  dataDirectory,
  hasNamespaces,
  isLinux,
  isRoot,
  preparedDirectory,
  start,
  startElsewhere,
  temporaryFolder,
  accessTo,
} from './testing/postgres.ts';

const UID_WITHOUT_ENTRY = 54_321;

describe.runIf(isLinux)('paths', () => {
  it('can contain spaces, quotes, commas and accents, and can be longer than a socket path', async () => {
    const parent = join(temporaryFolder(), `données de l'autorité, "test"`, 'd'.repeat(150));
    const directory = await preparedDirectory(parent);
    const { database } = await start(directory);
    expect(Buffer.byteLength(database.runDirectory)).toBeGreaterThan(200);
    expect(await ask(database, 'SELECT 1')).toBe(1);
  });
});

describe.runIf(isLinux && isRoot)('started by root (these tests need root)', () => {
  it('runs with data and programs in a directory that only root can access, using a copy that is created once', async () => {
    const closed = temporaryFolder();
    const binaries = copyPrograms(closed, { links: false });
    const binariesCopy = join(temporaryFolder(), 'programs');
    const directory = dataDirectory(closed);
    execFileSync('chmod', ['700', closed]);

    const first = await start(directory, { binaries, binariesCopy });
    expect(await ask(first.database, 'SELECT 1')).toBe(1);
    const copies = readdirSync(binariesCopy);
    expect(copies).toHaveLength(1);
    const copied = statSync(join(binariesCopy, copies[0] ?? '', 'bin/postgres'));
    expect(copied).toMatchObject({ uid: 0, mode: 0o100755 });
    await first.database.stop();

    const second = await start(directory, { binaries, binariesCopy });
    expect(second.database.how).toBe('started');
    expect(readdirSync(binariesCopy)).toEqual(copies);
    expect(statSync(join(binariesCopy, copies[0] ?? '', 'bin/postgres')).ino).toBe(copied.ino);
  });

  it('replaces a truncated copy, and rejects a copy that other users could have changed', async () => {
    const closed = temporaryFolder();
    const binaries = copyPrograms(closed, { links: true });
    execFileSync('chmod', ['700', closed]);
    const binariesCopy = join(temporaryFolder(), 'programs');
    const directory = await preparedDirectory();
    const first = await start(directory, { binaries, binariesCopy });
    await first.database.stop();
    const copy = join(binariesCopy, readdirSync(binariesCopy)[0] ?? '');
    writeFileSync(join(copy, 'bin/postgres'), '');
    const second = await start(directory, { binaries, binariesCopy });
    await second.database.stop();

    execFileSync('chmod', ['777', copy]);
    const attempt = startEmbeddedPostgres({ directory, binaries, binariesCopy, log: () => {} });
    await expect(attempt).rejects.toMatchObject({ code: 'binaries-unusable' });
    await expect(attempt).rejects.toThrow(/must be a directory that belongs to this user/);
  });

  it("continues to run an ordinary user's cluster as that user", async () => {
    const directory = await preparedDirectory();
    execFileSync('chown', ['-R', `${ORDINARY_USER.uid}:${ORDINARY_USER.gid}`, join(directory, 'database/pg')]);
    const { database } = await start(directory);
    expect(statSync(database.runDirectory)).toMatchObject(ORDINARY_USER);
    expect(await ask(database, 'SELECT 1')).toBe(1);
  });

  it('accepts a cluster that was restored by root, with permissive modes', async () => {
    const directory = await preparedDirectory();
    execFileSync('chown', ['-R', '0:0', join(directory, 'database')]);
    execFileSync('chmod', ['-R', 'go+rX', join(directory, 'database')]);
    const { database } = await start(directory);
    expect(statSync(join(database.dataDirectory, 'base'))).toMatchObject({ uid: 65534 });
    expect(statSync(join(directory, 'database')).mode & 0o777).toBe(0o700);
    expect(await ask(database, 'SELECT 1')).toBe(1);
  });
});

describe.runIf(isLinux && isRoot)('started by an ordinary user (these tests need root)', () => {
  it('runs with read-only programs, and reports a directory that is owned by root', async () => {
    const directory = dataDirectory();
    execFileSync('chown', [`${ORDINARY_USER.uid}:${ORDINARY_USER.gid}`, directory]);
    const launcher = await startElsewhere({ directory }, { user: ORDINARY_USER });
    expect(launcher.error).toBeUndefined();
    expect(launcher.ready?.how).toBe('created');
    expect(await ask(accessTo(launcher), 'SELECT 1')).toBe(1);
    expect(statSync(join(directory, 'database/pg'))).toMatchObject(ORDINARY_USER);
    await launcher.stop();

    const foreign = await preparedDirectory();
    const refused = await startElsewhere({ directory: foreign }, { user: ORDINARY_USER });
    expect(refused.error?.code).toBe('directory-unusable');
    expect(refused.error?.message).toContain(foreign);
  });

  it('links the libraries itself if install scripts are disabled', async () => {
    const programs = temporaryFolder();
    const binaries = copyPrograms(programs, { links: false });
    const before = readdirSync(join(binaries, 'lib'));
    const directory = dataDirectory();
    execFileSync('chown', [`${ORDINARY_USER.uid}:${ORDINARY_USER.gid}`, directory]);
    for (const how of ['created', 'started']) {
      const launcher = await startElsewhere({ directory, binaries }, { user: ORDINARY_USER });
      expect(launcher.error).toBeUndefined();
      expect(launcher.ready?.how).toBe(how);
      await launcher.stop();
    }
    expect(readdirSync(join(binaries, 'lib'))).toEqual(before);
    expect(readdirSync(join(directory, 'database/lib'))).toContain('libicuuc.so.60');
  });

  it('reports that a UID without an entry in the user database cannot create a database, but can run one', async () => {
    const user = { uid: UID_WITHOUT_ENTRY, gid: UID_WITHOUT_ENTRY };
    const directory = dataDirectory();
    execFileSync('chown', [`${user.uid}:${user.gid}`, directory]);
    const refused = await startElsewhere({ directory }, { user });
    expect(refused.error?.code).toBe('server-user');
    expect(refused.error?.message).toContain(`uid ${UID_WITHOUT_ENTRY}`);

    const copied = await preparedDirectory();
    execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, copied]);
    const launcher = await startElsewhere({ directory: copied }, { user });
    expect(launcher.ready?.how).toBe('started');
    expect(await ask(accessTo(launcher), 'SELECT 1')).toBe(1);
    await launcher.stop();
  });
});

describe('programs', () => {
  it('that are missing are reported with all locations that were searched', async () => {
    const empty = temporaryFolder();
    const options = { directory: dataDirectory(), binaries: empty, binariesCopy: join(empty, 'copy'), log: () => {} };
    const attempt = startEmbeddedPostgres(options);
    await expect(attempt).rejects.toMatchObject({ code: 'binaries-unusable', directory: empty });
    await expect(attempt).rejects.toThrow(`${empty}: no bin/postgres`);
  });

  it("that this system's loader cannot load are not copied, but rejected as built for a different system", async () => {
    const binaries = temporaryFolder();
    mkdirSync(join(binaries, 'bin'));
    // This interpreter does not exist, like the GNU loader on a musl system.
    writeFileSync(join(binaries, 'bin/postgres'), '#!/lib/no-such-loader.so\n', { mode: 0o755 });
    const attempt = startEmbeddedPostgres({ directory: dataDirectory(), binaries, log: () => {} });
    await expect(attempt).rejects.toMatchObject({ code: 'unsupported-platform' });
    await expect(attempt).rejects.toThrow('--database-url');
  });
});

describe.runIf(hasNamespaces)('without disk space (these tests need root with permission to mount)', () => {
  it('reports the full disk, loses no data, and resumes when space is available again', async () => {
    const disk = smallDisk('30m');
    const directory = dataDirectory(disk.folder);
    await expect(start(directory)).rejects.toMatchObject({ code: 'disk-full' });
    expect(readdirSync(join(directory, 'database')).filter((name) => name.startsWith('pg'))).toEqual([]);

    disk.resize('80m');
    const { database } = await start(directory, { settings: { shared_buffers: '16MB', wal_recycle: 'off' } });
    expect(database.how).toBe('created');
    await ask(database, 'CREATE TABLE kept AS SELECT 42 AS n');
    const ended = new Promise<UnexpectedEnd>((resolve) => void database.onExit(resolve));
    const client = await connectTo(database);
    await fillUntilItBreaks(client);
    await ended;
    disk.fill();
    await expect(database.restart()).rejects.toMatchObject({ code: 'disk-full' });
    await expect(database.restart()).rejects.toMatchObject({ code: 'disk-full' });

    disk.resize('300m');
    await database.restart();
    expect(await ask(database, 'SELECT n FROM kept')).toBe(42);
    await client.end().catch(() => {});
  });

  it('starts with a /dev/shm of 1 MB and executes parallel joins there', async () => {
    const directory = dataDirectory();
    const script = 'mount -t tmpfs -o size=1m tmpfs /dev/shm && exec "$@"';
    const launcher = await startElsewhere({ directory }, { prefix: ['unshare', '--mount', 'sh', '-c', script, 'sh'] });
    expect(launcher.error).toBeUndefined();
    const client = await connectTo(accessTo(launcher));
    await client.query('CREATE TABLE wide AS SELECT n, repeat(n::text, 20) AS t FROM generate_series(1, 60000) AS n');
    await client.query('ANALYZE wide');
    await client.query(
      'SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0',
    );
    await client.query(`SET enable_mergejoin = off; SET work_mem = '64MB'`);
    const join = 'SELECT count(*)::int AS n FROM wide a JOIN wide b USING (n, t)';
    const plan = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${join}`);
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Parallel Hash');
    expect((await client.query<{ n: number }>(join)).rows[0]?.n).toBe(60_000);
    await client.end();
    await launcher.stop();
  });
});

/** Writes until there is no space for a new WAL segment, which terminates the server. */
async function fillUntilItBreaks(client: Awaited<ReturnType<typeof connectTo>>): Promise<void> {
  await client.query('CREATE UNLOGGED TABLE nothing ()');
  try {
    for (;;) await client.query(`SELECT pg_logical_emit_message(false, 'filler', repeat('x', 1000000))`);
  } catch {
    // Expected: the server is terminated.
  }
}

function smallDisk(size: string): { folder: string; resize(size: string): void; fill(): void } {
  const folder = temporaryFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  return {
    folder,
    resize: (to) => void execFileSync('mount', ['-o', `remount,size=${to}`, folder]),
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      if (bavail > 0) writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize));
    },
  };
}
