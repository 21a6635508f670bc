// One process per data directory, enforced by the kernel: an exclusive SQLite transaction holds a POSIX record lock
// on a small file. It ends with the process however that dies, a child does not inherit it, and it holds between
// containers that share a volume (PostgreSQL's own postmaster.pid does not: it compares process ids).
// Nothing is ever written into the lock file, and nothing else may open it: closing any descriptor of a file
// drops all POSIX locks that the process holds on it.

import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { EmbeddedPostgresError, directoryError } from './errors.ts';
import type { LockHolder } from './errors.ts';
import { isObject } from '../../../kernel/is-object.ts';

const LOCK_FILE = 'lock';
const HOLDER_FILE = 'lock-holder.json';

/** SQLITE_BUSY and SQLITE_LOCKED, https://sqlite.org/rescode.html */
const SQLITE_HELD = new Set([5, 6]);

/** A database object that nobody refers to is closed by the garbage collector, and its lock with it. */
const heldFiles = new Set<DatabaseSync>();

export interface DirectoryLock {
  /** The real path of the locked directory. */
  readonly directory: string;
  release(): void;
}

/** Creates the directory when it is missing and takes its lock, or throws `locked` at once and says who holds it. */
export function acquireDirectoryLock(root: string): DirectoryLock {
  const directory = createRoot(root);
  const file = holdExclusively(join(directory, LOCK_FILE), directory);
  const holderFile = join(directory, HOLDER_FILE);
  noteHolder(holderFile);
  heldFiles.add(file);
  return {
    directory,
    release() {
      if (!heldFiles.delete(file)) return;
      rmSync(holderFile, { force: true });
      file.close();
    },
  };
}

function createRoot(root: string): string {
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    return realpathSync(root);
  } catch (error) {
    throw directoryError(error, root);
  }
}

function holdExclusively(lockFile: string, directory: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // Created by us first, because SQLite would take its mode from the umask, and who can read it can lock it.
    writeFileSync(lockFile, '', { mode: 0o600, flag: 'wx' });
  } catch {
    // It exists already, or cannot be created: then the next step says why.
  }
  try {
    database = new DatabaseSync(lockFile, { timeout: 0 });
    // Without a journal there is nothing to write, so a full disk cannot refuse the lock.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    throw isHeldElsewhere(error) ? lockedError(directory, error) : directoryError(error, directory);
  }
}

function isHeldElsewhere(error: unknown): boolean {
  return (
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && SQLITE_HELD.has(error.errcode)
  );
}

function lockedError(directory: string, cause: unknown): EmbeddedPostgresError {
  const holder = readHolder(join(directory, HOLDER_FILE));
  const who =
    holder === undefined
      ? 'another process'
      : `process ${holder.pid} on ${holder.host}, running since ${holder.startedAt}`;
  return new EmbeddedPostgresError(
    'locked',
    `The data directory ${directory} is in use by ${who}. ` +
      'Stop that process first, or give this one a data directory of its own.',
    { directory, cause, ...(holder === undefined ? {} : { holder }) },
  );
}

/** A courtesy for the loser's message; the lock itself does not depend on it, so a full disk must not stop us here. */
function noteHolder(holderFile: string): void {
  const holder: LockHolder = { pid: process.pid, startedAt: processStart().toISOString(), host: hostname() };
  const fresh = `${holderFile}.${process.pid}.new`;
  try {
    writeFileSync(fresh, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
    renameSync(fresh, holderFile);
  } catch {
    rmSync(fresh, { force: true });
    rmSync(holderFile, { force: true });
  }
}

function processStart(): Date {
  return new Date(Date.now() - process.uptime() * 1000);
}

function readHolder(holderFile: string): LockHolder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(holderFile, 'utf8'));
    return isHolder(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(value: unknown): value is LockHolder {
  if (!isObject(value)) return false;
  if (!('pid' in value) || !('startedAt' in value) || !('host' in value)) return false;
  return typeof value.pid === 'number' && typeof value.startedAt === 'string' && typeof value.host === 'string';
}
