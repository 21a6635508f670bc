// The layout below the data directory, who owns what, and how a path is handed to the server.
//
//   <data directory>/database/            ours, 0700: keeps other daemons of the server's uid out
//     pg/                                 the cluster, the server's, 0700
//     run/                                the socket, the server's, 0700
//     password, server.log                ours, 0600
//
// On Linux the server never gets a path: it gets open directories as descriptors 3 and 4 and is told /proc/self/fd/N.
// Such a link skips the parent folders, so it works below a 0700 home that the server's uid cannot enter, with any
// characters, and for sockets whose real path is longer than sun_path (107 bytes) allows.

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

/** sun_path of the BSDs is 104 bytes with its terminator; `/.s.PGSQL.5432` takes 14 of them. */
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

/** The folder that only we may enter. Separate from the rest, because who owns `pg` inside decides the identity. */
export function prepareDatabaseFolder(folders: DatabaseFolders): void {
  try {
    mkdirSync(folders.database, { recursive: true, mode: 0o700 });
    chmodSync(folders.database, 0o700);
  } catch (error) {
    throw directoryError(error, folders.database);
  }
}

/** Creates `run`, and gives an existing cluster to the server's user when a backup tool restored it as root's. */
export function prepareServerFolders(folders: DatabaseFolders, identity: ServerIdentity): void {
  try {
    mkdirSync(folders.run, { recursive: true, mode: 0o700 });
    give(folders.run, identity);
    if (existsSync(folders.cluster)) give(folders.cluster, identity);
  } catch (error) {
    throw directoryError(error, folders.database);
  }
}

/** PostgreSQL refuses a data folder that is not its own or that others may write. */
function give(folder: string, identity: ServerIdentity): void {
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

/** A directory held open: our own way to it, and what a child is told when it gets the descriptor. */
export interface OpenFolder {
  readonly descriptor: number;
  readonly realPath: string;
  /** The path this process uses, valid as long as the folder is open and in this process only. */
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

/** The path under which a child sees the folder that is passed to it at `position` of its extra descriptors. */
export function pathInChild(folder: OpenFolder, position: number): string {
  return hasDescriptorLinks() ? `/proc/self/fd/${FIRST_PASSED_DESCRIPTOR + position}` : folder.realPath;
}

/** Like `openFolder`, for the folder of the socket: without descriptor links its path has to be short. */
export function openSocketFolder(realPath: string): OpenFolder {
  if (!hasDescriptorLinks() && Buffer.byteLength(realPath) > LONGEST_PLAIN_SOCKET_FOLDER) {
    throw new EmbeddedPostgresError(
      'directory-unusable',
      `The path ${realPath} is too long for a unix socket on this system ` +
        `(at most ${LONGEST_PLAIN_SOCKET_FOLDER} bytes). Choose a data directory with a shorter path.`,
      { directory: realPath },
    );
  }
  return openFolder(realPath);
}

/** Makes a rename in the folder durable. */
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
