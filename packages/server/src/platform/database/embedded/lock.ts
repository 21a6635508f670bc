// Allows one process per data directory, enforced by the kernel: an exclusive SQLite transaction holds a POSIX record
// lock on a small file. The lock ends with the process, however it exits; child processes do not inherit it; and it
// works between containers that share a volume (unlike PostgreSQL's own postmaster.pid, which compares process IDs).
// Nothing is ever written to the lock file, and nothing else may open it, because closing any descriptor of a file
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

/**
 * Keeps references to open databases: the garbage collector closes an unreferenced database object, which releases its
 * lock.
 */
const heldFiles = new Set<DatabaseSync>();

export interface DirectoryLock {
  /** Real path of the locked directory. */
  readonly directory: string;
  release(): void;
}

/**
 * Creates the directory if it is missing and acquires its lock. If the lock is held, immediately throws `locked` with
 * the holder.
 */
export function acquireDirectoryLock(root: string): DirectoryLock {
  const directory = createRoot(root);
  const file = holdExclusively(join(directory, LOCK_FILE), directory);
  const holderFile = join(directory, HOLDER_FILE);
  recordHolder(holderFile);
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
    // Created here first, because SQLite would derive the mode from the umask, and any user who can read the file can
    // lock it.
    writeFileSync(lockFile, '', { mode: 0o600, flag: 'wx' });
  } catch {
    // The file already exists or cannot be created; in the latter case, the next step reports why.
  }
  try {
    database = new DatabaseSync(lockFile, { timeout: 0 });
    // Without a journal nothing is written, so the lock can be acquired on a full disk.
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
      'Stop that process first, or choose a different data directory.',
    { directory, cause, ...(holder === undefined ? {} : { holder }) },
  );
}

/**
 * Records the holder, which is used only in the error message. The lock does not depend on it, so a full disk must not
 * prevent the start.
 */
function recordHolder(holderFile: string): void {
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
