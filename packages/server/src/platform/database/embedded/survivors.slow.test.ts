import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { openFolder } from './folders.ts';
import { readPidFile } from './pid-file.ts';
import { findProcess, hasWorkingDirectory } from './process-table.ts';
import { findSurvivors } from './survivors.ts';
import {
  FAST,
  ask,
  connectTo,
  dataDirectory,
  preparedDirectory,
  hasNamespaces,
  isLinux,
  start,
  startElsewhere,
  accessTo,
} from './testing/postgres.ts';

describe('after a crash', () => {
  it('adopts the server that outlived its killed launcher, and monitors it from then on', async () => {
    const directory = await preparedDirectory();
    const killed = await startElsewhere({ directory });
    await ask(accessTo(killed), 'CREATE TABLE kept AS SELECT 42 AS n');
    const { pid } = postmasterOf(directory);
    await killed.kill();

    const began = performance.now();
    const { database } = await start(directory);
    expect(performance.now() - began).toBeLessThan(1000);
    expect(database.how).toBe('adopted');
    expect(postmasterOf(directory).pid).toBe(pid);
    expect(await ask(database, 'SELECT n FROM kept')).toBe(42);

    const ended = new Promise((resolve) => void database.onExit(resolve));
    process.kill(pid, 'SIGQUIT');
    await ended;
    await database.restart();
    expect(await ask(database, 'SELECT n FROM kept')).toBe(42);
  });

  it('stops an adopted server like its own', async () => {
    const directory = await preparedDirectory();
    const killed = await startElsewhere({ directory });
    const { pid } = postmasterOf(directory);
    await killed.kill();
    const { database } = await start(directory);
    await database.stop();
    expect(findProcess(pid)).toBeUndefined();
    expect((await start(directory)).database.how).toBe('started');
  });

  it('restarts the server if the surviving server has different settings', async () => {
    const directory = await preparedDirectory();
    const killed = await startElsewhere({ directory });
    const { pid } = postmasterOf(directory);
    await killed.kill();
    const { database } = await start(directory, { settings: { ...FAST, work_mem: '9MB' } });
    expect(database.how).toBe('restarted');
    expect(postmasterOf(directory).pid).not.toBe(pid);
    expect(await ask(database, 'SHOW work_mem')).toBe('9MB');
  });

  it.runIf(isLinux)('terminates a busy backend that outlived its postmaster before starting a new server', async () => {
    const directory = await preparedDirectory();
    const killed = await startElsewhere({ directory });
    const client = await connectTo(accessTo(killed));
    const backend = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0;
    const busy = client.query('SELECT count(*) FROM generate_series(1, 1e12::bigint)').catch(() => 'ended');
    const cluster = openFolder(join(directory, 'database/pg'));
    onTestFinished(() => cluster[Symbol.dispose]());
    process.kill(postmasterOf(directory).pid, 'SIGKILL');
    await killed.kill();
    expect(findSurvivors(cluster).all.map((entry) => entry.pid)).toContain(backend);

    const { database } = await start(directory);
    expect(database.how).toBe('restarted');
    expect(findProcess(backend)).toBeUndefined();
    expect(await busy).toBe('ended');
  });

  it('starts despite the lock files of a dead server, even if its PID now belongs to an unrelated process', async () => {
    const directory = await preparedDirectory();
    const { database } = await start(directory);
    const pidFile = join(database.dataDirectory, 'postmaster.pid');
    const socketLock = join(database.runDirectory, '.s.PGSQL.5432.lock');
    const [ofCluster, ofSocket] = [readFileSync(pidFile, 'utf8'), readFileSync(socketLock, 'utf8')];
    await database.stop();
    // Runs as the server's own user: PostgreSQL considers a process that it cannot signal dead.
    const unrelated = spawn('sleep', ['60'], { ...ownerOf(database.dataDirectory), stdio: 'ignore' });
    onTestFinished(() => void unrelated.kill('SIGKILL'));
    await once(unrelated, 'spawn');
    writeFileSync(pidFile, ofCluster.replace(/^\d+/, String(unrelated.pid)));
    writeFileSync(socketLock, ofSocket.replace(/^\d+/, String(unrelated.pid)));

    expect((await start(directory)).database.how).toBe('started');
    expect(unrelated.exitCode ?? unrelated.signalCode).toBeNull();
  });

  it.runIf(isLinux)('does not affect a process that merely has the directory as its working directory', async () => {
    const directory = await preparedDirectory();
    const { database } = await start(directory);
    // Entered through a descriptor, because a different user cannot traverse the path.
    const folder = openFolder(database.dataDirectory);
    onTestFinished(() => folder[Symbol.dispose]());
    const bystander = spawn('sh', ['-c', 'cd /proc/self/fd/3 && exec sleep 60'], {
      ...ownerOf(database.dataDirectory),
      stdio: ['ignore', 'ignore', 'inherit', folder.descriptor],
    });
    onTestFinished(() => void bystander.kill('SIGKILL'));
    while (!hasWorkingDirectory(bystander.pid ?? 0, statSync(folder.path, { bigint: true })))
      await new Promise(setImmediate);
    await database.stop();
    await start(directory);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  });

  it('rejects a second launcher, which does not change anything', async () => {
    const directory = await preparedDirectory();
    const { database } = await start(directory);
    const second = await startElsewhere({ directory });
    expect(second.error?.code).toBe('locked');
    expect(second.error?.message).toContain(`process ${process.pid}`);
    expect(await ask(database, 'SELECT 1')).toBe(1);
  });

  it('allows exactly one of multiple simultaneously started launchers to use the directory', async () => {
    const directory = dataDirectory();
    const launchers = await Promise.all([1, 2, 3].map(() => startElsewhere({ directory })));
    expect(launchers.map(({ ready, error }) => ready?.how ?? error?.code).sort()).toEqual([
      'created',
      'locked',
      'locked',
    ]);
    const winner = launchers.find(({ ready }) => ready !== undefined);
    await winner?.stop();
  });

  it('leaves no server running if its process exits without stopping it', async () => {
    const directory = await preparedDirectory();
    const launcher = await startElsewhere({ directory, leaveEarly: true });
    const { pid } = postmasterOf(directory);
    await launcher.stop();
    const { database } = await start(directory);
    expect(['started', 'restarted']).toContain(database.how);
    expect(findProcess(pid)).toBeUndefined();
  });
});

describe.runIf(hasNamespaces)('in containers (these tests need root with permission to unshare)', () => {
  it("adopts and terminates surviving servers although root cannot inspect other users' processes", async () => {
    const directory = await preparedDirectory();
    const contained = { prefix: ['setpriv', '--bounding-set', '-sys_ptrace', '--'] };
    const first = await startElsewhere({ directory }, contained);
    const { pid } = postmasterOf(directory);
    await first.kill();
    const second = await startElsewhere({ directory }, contained);
    expect(second.ready?.how).toBe('adopted');

    const client = await connectTo(accessTo(second));
    const busy = client.query('SELECT count(*) FROM generate_series(1, 1e12::bigint)').catch(() => 'ended');
    await killPid(pid);
    await second.kill();
    const third = await startElsewhere({ directory }, contained);
    expect(third.ready?.how).toBe('restarted');
    expect(await busy).toBe('ended');
    await third.stop();
    expect(readPidFile(join(directory, 'database/pg'))).toBeUndefined();
  });

  it('starts even if the dead postmaster process remains a zombie forever', async () => {
    const directory = await preparedDirectory();
    const inside = await container();
    const killed = await startElsewhere({ directory }, { prefix: inside });
    const [postmaster] = survivorsIn(directory);
    await killPid(launcherOf(killed.child.pid));
    await killPid(postmaster?.pid);
    expect(readFileSync(`/proc/${postmaster?.pid}/stat`, 'latin1')).toMatch(/\) Z /);

    const second = await startElsewhere({ directory }, { prefix: inside });
    expect(second.ready?.how).toMatch(/started/);
    expect(second.ready?.milliseconds).toBeLessThan(3000);
    await second.stop();
  });

  it('rejects a start alongside a server that lost its launcher in a different container', async () => {
    const directory = await preparedDirectory();
    const killed = await startElsewhere({ directory });
    const { pid } = postmasterOf(directory);
    await killed.kill();
    const second = await startElsewhere({ directory }, { prefix: await container() });
    expect(second.error?.code).toBe('survivor');
    expect(second.error?.message).toContain('another container');
    expect(findProcess(pid)).toBeDefined();
    expect(existsSync(join(directory, 'database/pg/postmaster.pid'))).toBe(true);
  });
});

function postmasterOf(directory: string): { pid: number } {
  const found = readPidFile(join(directory, 'database/pg'));
  if (found === undefined) throw new Error('no server runs');
  return found;
}

function ownerOf(path: string): { uid?: number; gid?: number } {
  const { uid, gid } = statSync(path);
  return process.geteuid?.() === 0 ? { uid, gid } : {};
}

function survivorsIn(directory: string): { pid: number }[] {
  const cluster = openFolder(join(directory, 'database/pg'));
  const found = findSurvivors(cluster).all.filter(({ parent }, _, all) => !all.some((entry) => entry.pid === parent));
  cluster[Symbol.dispose]();
  return found;
}

/**
 * Creates a pid namespace whose first process, as in many containers, reaps no children. Returns the command prefix
 * that enters it.
 */
async function container(): Promise<string[]> {
  const outer = spawn('unshare', ['--pid', '--ipc', '--mount-proc', '--fork', '--kill-child', 'sleep', '60']);
  onTestFinished(() => void outer.kill('SIGKILL'));
  await once(outer, 'spawn');
  for (;;) {
    const first = childrenOf(outer.pid)[0];
    if (first !== undefined && readFileSync(`/proc/${first}/comm`, 'utf8').trim() === 'sleep') {
      return ['nsenter', '--target', String(first), '--pid', '--ipc', '--mount', '--'];
    }
    await new Promise(setImmediate);
  }
}

function childrenOf(pid: number | undefined): number[] {
  const found = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return found
    .split(' ')
    .filter((entry) => entry !== '')
    .map(Number);
}

/** `nsenter` waits for the launcher that it started. */
function launcherOf(nsenter: number | undefined): number | undefined {
  return childrenOf(nsenter)[0];
}

async function killPid(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error('nothing to kill');
  process.kill(pid, 'SIGKILL');
  while (findProcess(pid) !== undefined) await new Promise(setImmediate);
}
