// The layout of `<data directory>/database`, its ownership, and how paths are passed to the server. "Platform" is the
// user of this process, "server" the user of PostgreSQL.
//
// (the directory itself): platform, 0700; keeps out other daemons that run as the server's uid pg/: server, 0700; the
// cluster run/: server, 0700; the socket password, server.log: platform, 0600
//
// On Linux the server never receives a path: it inherits open directories as descriptors 3 and 4 and is started with
// /proc/self/fd/N. Such a link bypasses the parent directories, so it works below a 0700 home that the server's uid
// cannot enter, with any characters, and for sockets whose real path is longer than sun_path (107 bytes) allows.

import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError, directoryError } from './errors.ts';
import type { ServerIdentity } from './identity.ts';

/** sun_path on BSD systems is 104 bytes long including its terminator; `/.s.PGSQL.5432` uses 14 of them. */
const LONGEST_PLAIN_SOCKET_FOLDER = 89;

const FIRST_PASSED_DESCRIPTOR = 3;

export interface DatabaseFolders {
  readonly database: string;
  readonly cluster: string;
  readonly run: string;
  readonly password: string;
  readonly log: string;
}

export function databaseFolders(root: string): DatabaseFolders {
  const database = join(root, 'database');
  return {
    database,
    cluster: join(database, 'pg'),
    run: join(database, 'run'),
    password: join(database, 'password'),
    log: join(database, 'server.log'),
  };
}

/**
 * Creates the directory that only this process's user can enter. This is a separate step, because the owner of the `pg`
 * directory inside determines the identity.
 */
export function prepareDatabaseFolder(folders: DatabaseFolders): void {
  try {
    mkdirSync(folders.database, { recursive: true, mode: 0o700 });
    chmodSync(folders.database, 0o700);
  } catch (error) {
    throw directoryError(error, folders.database);
  }
}

/** Creates `run`. Changes an existing cluster's owner to the server's user if a backup tool restored it as root. */
export function prepareServerFolders(folders: DatabaseFolders, identity: ServerIdentity): void {
  try {
    mkdirSync(folders.run, { recursive: true, mode: 0o700 });
    assignOwner(folders.run, identity);
    if (existsSync(folders.cluster)) assignOwner(folders.cluster, identity);
  } catch (error) {
    throw directoryError(error, folders.database);
  }
}

/**
 * Sets the owner and mode, since PostgreSQL rejects a data directory that it does not own or that others can write to.
 */
function assignOwner(folder: string, identity: ServerIdentity): void {
  const found = statSync(folder);
  if (identity.switched && found.uid !== identity.uid) chownTree(folder, identity);
  if ((found.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}

function chownTree(folder: string, { uid, gid }: ServerIdentity): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) chownTree(path, { uid, gid, switched: true });
    else lchownSync(path, uid, gid);
  }
  chownSync(folder, uid, gid);
}

/** An open directory: its path in this process, and its path in a child that inherits the descriptor. */
export interface OpenFolder {
  readonly descriptor: number;
  readonly realPath: string;
  /** Path in this process; valid only here and while the directory is open. */
  readonly path: string;
  [Symbol.dispose](): void;
}

export function openFolder(realPath: string): OpenFolder {
  let descriptor: number;
  try {
    descriptor = openSync(realPath, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (error) {
    throw directoryError(error, realPath);
  }
  let open = true;
  return {
    descriptor,
    realPath,
    path: hasDescriptorLinks() ? `/proc/self/fd/${descriptor}` : realPath,
    [Symbol.dispose]() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}

/** Returns the directory's path in a child process that receives it at `position` of the extra descriptors. */
export function pathInChild(folder: OpenFolder, position: number): string {
  return hasDescriptorLinks() ? `/proc/self/fd/${FIRST_PASSED_DESCRIPTOR + position}` : folder.realPath;
}

/** Like `openFolder`, but for the socket directory: without descriptor links, its path must be short. */
export function openSocketFolder(realPath: string): OpenFolder {
  if (!hasDescriptorLinks() && Buffer.byteLength(realPath) > LONGEST_PLAIN_SOCKET_FOLDER) {
    throw new EmbeddedPostgresError(
      'directory-unusable',
      `The path ${realPath} is too long for a Unix socket on this system ` +
        `(at most ${LONGEST_PLAIN_SOCKET_FOLDER} bytes). Choose a data directory with a shorter path.`,
      { directory: realPath },
    );
  }
  return openFolder(realPath);
}

interface SocketDirectory {
  /** `host` for pg; valid only while this object is open. */
  readonly path: string;
  close(): void;
}

/**
 * Opens the directory in `EmbeddedPostgres.runDirectory`, for another process of the same user, such as a command-line
 * tool or a test worker. The launcher's own `socketDirectory` is valid only in its process.
 */
export function openSocketDirectory(runDirectory: string): SocketDirectory {
  const folder = openSocketFolder(runDirectory);
  return { path: folder.path, close: () => folder[Symbol.dispose]() };
}

/** Makes a rename in the directory durable. */
export function syncFolder(realPath: string): void {
  const descriptor = openSync(realPath, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function hasDescriptorLinks(): boolean {
  return process.platform === 'linux' && existsSync('/proc/self/fd');
}
