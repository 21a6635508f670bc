import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';

import { describe, expect, it, onTestFinished } from 'vitest';

import { EmbeddedPostgresError, acquireDirectoryLock } from './index.ts';
import { hasNamespaces, temporaryFolder } from './testing/postgres.ts';

describe('the lock of a data directory', () => {
  it('can be held only once, the error names its holder, and it is free after it was released', () => {
    const directory = join(temporaryFolder(), 'not yet there');
    const lock = acquireDirectoryLock(directory);
    const error = rejectionOf(directory);
    expect(error).toMatchObject({ code: 'locked', directory, holder: { pid: process.pid } });
    expect(error.message).toContain(`process ${process.pid}`);
    expect(Date.now() - Date.parse(error.holder?.startedAt ?? '')).toBeLessThan(3_600_000);

    lock.release();
    lock.release();
    acquireDirectoryLock(directory).release();
  });

  it('is the same for every path to the directory', () => {
    const directory = temporaryFolder();
    const lock = acquireDirectoryLock(directory);
    expect(rejectionOf(`${directory}/../${directory.slice(directory.lastIndexOf('/'))}/`).code).toBe('locked');
    lock.release();
  });

  it('ends with the process that holds it, even if that process is killed', async () => {
    const directory = temporaryFolder();
    const holder = await holdElsewhere(directory);
    expect(rejectionOf(directory).holder?.pid).toBe(holder.pid);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    acquireDirectoryLock(directory).release();
  });

  it("is not released when the holder's reference is garbage-collected", async () => {
    const directory = temporaryFolder();
    await holdElsewhere(directory, { nodeOptions: ['--expose-gc'], afterwards: 'globalThis.gc();' });
    expect(rejectionOf(directory).code).toBe('locked');
  });

  it.runIf(hasNamespaces)('also excludes processes in a different container that shares the volume', async () => {
    const directory = temporaryFolder();
    await holdElsewhere(directory, {
      prefix: ['unshare', '--pid', '--ipc', '--uts', '--mount-proc', '--fork', '--kill-child'],
    });
    expect(rejectionOf(directory).code).toBe('locked');
  });

  it('does not require a readable holder file', () => {
    const directory = temporaryFolder();
    const lock = acquireDirectoryLock(directory);
    writeFileSync(join(directory, 'lock-holder.json'), '{"pid":');
    expect(rejectionOf(directory)).toMatchObject({ code: 'locked', holder: undefined });
    rmSync(join(directory, 'lock-holder.json'));
    expect(rejectionOf(directory).message).toContain('another process');
    lock.release();
  });

  it('reports a path that cannot be a directory', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(rejectionOf(file)).toMatchObject({ code: 'directory-unusable', directory: file });
  });
});

function rejectionOf(directory: string): EmbeddedPostgresError {
  try {
    acquireDirectoryLock(directory).release();
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) return error;
    throw error;
  }
  throw new Error('the lock was granted');
}

/** Starts a process that acquires the lock, keeps no reference to it, and waits. It is killed when the test ends. */
async function holdElsewhere(
  directory: string,
  {
    prefix = [],
    nodeOptions = [],
    afterwards = '',
  }: { prefix?: string[]; nodeOptions?: string[]; afterwards?: string } = {},
) {
  const script = `
    const { acquireDirectoryLock } = await import(${JSON.stringify(join(import.meta.dirname, 'index.ts'))});
    acquireDirectoryLock(${JSON.stringify(directory)});
    await new Promise(setImmediate);
    ${afterwards}
    console.log('held');
    process.stdin.resume();`;
  const node = [process.execPath, ...nodeOptions, '--input-type=module', '--eval', script];
  const [program = '', ...args] = [...prefix, ...node];
  const holder = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  return holder;
}
