// The cluster on disk: creates one, checks the version of an existing one, resets its password. A cluster gets its
// final name only after initdb has finished; nothing here deletes a cluster.

import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import type { Binaries } from './binaries.ts';
import { runToEnd } from './command.ts';
import { EmbeddedPostgresError, directoryError, diskFull, mentionsNoSpace } from './errors.ts';
import { openFolder, pathInChild, syncFolder } from './folders.ts';
import type { DatabaseFolders } from './folders.ts';
import type { ServerIdentity } from './identity.ts';
import type { Log } from './log.ts';
import { SCRAM_ITERATIONS, scramVerifier } from './password.ts';
import { dynamicSharedMemory } from './settings.ts';
import type { ServerSettings } from './settings.ts';

export const SUPERUSER = 'signetry';
export const MAINTENANCE_DATABASE = 'postgres';

export interface ClusterRequest {
  readonly folders: DatabaseFolders;
  readonly binaries: Binaries;
  readonly identity: ServerIdentity;
  readonly password: string;
  readonly settings: ServerSettings;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns true if a cluster of the supported major version exists and false if there is none; throws for anything else.
 */
export function clusterExists(folders: DatabaseFolders, major: string): boolean {
  const { cluster } = folders;
  if (!existsSync(cluster)) return false;
  const versionFile = join(cluster, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    if (removeEmpty(cluster)) return false;
    throw new EmbeddedPostgresError(
      'not-a-cluster',
      `${cluster} contains files but no PostgreSQL cluster (PG_VERSION is missing). ` +
        'Restore the directory from a backup, or move it away to start with an empty database.',
      { directory: cluster },
    );
  }
  const found = readVersion(versionFile);
  if (found === major) return true;
  throw new EmbeddedPostgresError(
    'other-major-version',
    `The database in ${cluster} was created by PostgreSQL ${found}, but this release includes PostgreSQL ${major}, ` +
      `which cannot read it. Start the release that created it, export there, and import here into a new data directory.`,
    { directory: cluster },
  );
}

function readVersion(versionFile: string): string {
  try {
    return readFileSync(versionFile, 'utf8').trim();
  } catch (error) {
    throw directoryError(error, versionFile);
  }
}

function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

const UNFINISHED_PREFIX = 'pg.new-';

/** Runs initdb in a directory with a temporary name, which is then renamed. */
export async function createCluster(request: ClusterRequest): Promise<void> {
  const { folders, identity } = request;
  removeUnfinished(request);
  const unfinished = join(folders.database, `${UNFINISHED_PREFIX}${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    if (identity.switched) chownSync(unfinished, identity.uid, identity.gid);
    await runInitdb(unfinished, request);
    renameSync(unfinished, folders.cluster);
    syncFolder(folders.database);
  } catch (error) {
    removeUnfinished(request);
    request.signal?.throwIfAborted();
    throw directoryError(error, folders.database);
  }
}

/** Removes files left by a killed initdb. A running initdb keeps its directory; the next start removes it. */
function removeUnfinished({ folders, log }: ClusterRequest): void {
  const leftovers = readdirSync(folders.database).filter((name) => name.startsWith(UNFINISHED_PREFIX));
  for (const name of leftovers) {
    const folder = join(folders.database, name);
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      log('warn', 'cannot remove an unfinished database directory', { folder, error: String(error) });
    }
  }
}

async function runInitdb(unfinished: string, request: ClusterRequest): Promise<void> {
  const { folders, binaries, identity, settings, signal } = request;
  const cluster = openFolder(unfinished);
  const run = openFolder(folders.run);
  const passwordFile = `.initdb-${randomBytes(6).toString('hex')}`;
  try {
    writePasswordFile(join(folders.run, passwordFile), request);
    const sharedMemory = settings['dynamic_shared_memory_type'] ?? dynamicSharedMemory();
    const args = [
      ['-D', pathInChild(cluster, 0), '-U', SUPERUSER],
      ['-A', 'scram-sha-256', '--pwfile', join(pathInChild(run, 1), passwordFile)],
      // The builtin provider sorts identically on every machine, independent of its C library.
      ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '-E', 'UTF8'],
      ['-c', `scram_iterations=${SCRAM_ITERATIONS}`, '-c', `dynamic_shared_memory_type=${sharedMemory}`],
      settings['fsync'] === 'off' ? ['--no-sync'] : [],
    ].flat();
    const command = { program: binaries.initdb, args, identity, libraryFolder: binaries.libraryFolder };
    const result = await runToEnd(command, { descriptors: [cluster.descriptor, run.descriptor], signal });
    if (result.code !== 0) throw initdbError(result.output, request);
  } finally {
    rmSync(join(folders.run, passwordFile), { force: true });
    cluster[Symbol.dispose]();
    run[Symbol.dispose]();
  }
}

/**
 * Writes the file from which initdb reads the password. The server's user can read it, and it exists only briefly, in
 * the socket directory.
 */
function writePasswordFile(file: string, { identity, password }: ClusterRequest): void {
  writeFileSync(file, password, { mode: 0o600, flag: 'wx' });
  if (identity.switched) chownSync(file, identity.uid, identity.gid);
}

function initdbError(output: string, { folders, identity }: ClusterRequest): EmbeddedPostgresError {
  if (mentionsNoSpace(output)) return diskFull(folders.database, output);
  if (output.includes('could not look up effective user ID')) {
    return new EmbeddedPostgresError(
      'server-user',
      `PostgreSQL cannot create a database for uid ${identity.uid}, because that uid has no entry in /etc/passwd. ` +
        'Add an entry (for example in the container image), run as a user that has one, or specify your own PostgreSQL server with --database-url.',
      { directory: folders.database },
    );
  }
  return new EmbeddedPostgresError(
    'initdb-failed',
    `Cannot create a database in ${folders.database}. Output of initdb:\n${output}`,
    { directory: folders.database },
  );
}

/**
 * Sets a new password for a cluster whose password file was lost. This needs no running server, since single-user mode
 * requires no password.
 */
export async function resetPassword(request: ClusterRequest): Promise<void> {
  const { folders, binaries, identity, signal } = request;
  const folder = openFolder(folders.cluster);
  try {
    const args = ['--single', '-D', pathInChild(folder, 0), '-c', 'log_min_messages=fatal', MAINTENANCE_DATABASE];
    const command = { program: binaries.postgres, args, identity, libraryFolder: binaries.libraryFolder };
    const input = `ALTER ROLE ${SUPERUSER} PASSWORD '${scramVerifier(request.password)}'\n`;
    const result = await runToEnd(command, { descriptors: [folder.descriptor], input, signal });
    if (result.code === 0 && !/\b(ERROR|FATAL|PANIC):/.test(result.output)) return;
    if (mentionsNoSpace(result.output)) throw diskFull(folders.database, result.output);
    throw new EmbeddedPostgresError(
      'start-failed',
      `The password file of the database in ${folders.cluster} is missing, and a new password could not be set. ` +
        `Output of PostgreSQL:\n${result.output}`,
      { directory: folders.cluster },
    );
  } finally {
    folder[Symbol.dispose]();
  }
}
