// Starts the embedded database: lock, directories, programs, cluster, server. Multiple databases can run in one
// process, each with its own data directory.

import { findBinaries } from './binaries.ts';
import { bringUp } from './bring-up.ts';
import type { ServerSite } from './bring-up.ts';
import { clusterExists, createCluster } from './cluster.ts';
import {
  databaseFolders,
  openFolder,
  openSocketFolder,
  prepareDatabaseFolder,
  prepareServerFolders,
} from './folders.ts';
import { chooseIdentity } from './identity.ts';
import { acquireDirectoryLock } from './lock.ts';
import type { DirectoryLock } from './lock.ts';
import type { Log } from './log.ts';
import { operate } from './operation.ts';
import type { EmbeddedPostgres } from './operation.ts';
import { newPassword, readPassword, writePassword } from './password.ts';
import { openServerLog } from './server-log.ts';
import { serverSettings, WARM_START } from './settings.ts';
import type { ServerSettings } from './settings.ts';
import { endServers } from './survivors.ts';

export interface EmbeddedPostgresOptions {
  /** Data directory. The database uses the subdirectory `database` and the files `lock*`. */
  readonly directory: string;
  readonly log: Log;
  readonly signal?: AbortSignal;
  /** PostgreSQL settings that add to or override the launcher's defaults. */
  readonly settings?: ServerSettings;
  /** Lock on `directory` if the caller already holds it, in which case the caller must release it. */
  readonly lock?: DirectoryLock;
  /** Directory with `bin`, `lib` and `share` to use instead of the npm package's directory. */
  readonly binaries?: string;
  /** Destination for a copy of the programs if the server's user cannot access them. */
  readonly binariesCopy?: string;
}

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  options.signal?.throwIfAborted();
  const settings = serverSettings(options.settings);
  const resources = new DisposableStack();
  try {
    const lock = options.lock ?? resources.adopt(acquireDirectoryLock(options.directory), (own) => own.release());
    const began = performance.now();
    const { site, created, passwordIsNew } = await prepare(options, { root: lock.directory, settings, resources });
    const running = await bringUp(site, { passwordIsNew, signal: options.signal });
    if (passwordIsNew) await storePassword(site);
    const how = created ? 'created' : running.how;
    options.log('info', 'the database is ready', {
      how,
      version: site.binaries.version,
      directory: site.folders.cluster,
      milliseconds: Math.round(performance.now() - began),
    });
    return operate(site, { running, how, resources: resources.move() });
  } catch (error) {
    resources.dispose();
    throw error;
  }
}

/**
 * Stores the password. A server whose password is lost is useless, so it is ended if this fails; the next start sets a
 * new password.
 */
async function storePassword({ folders, password, cluster }: ServerSite): Promise<void> {
  try {
    writePassword(folders.password, password);
  } catch (error) {
    await endServers(cluster);
    throw error;
  }
}

interface Preparation {
  readonly root: string;
  readonly settings: ServerSettings;
  readonly resources: DisposableStack;
}

/** Prepares a cluster so that a server can be started on it. */
async function prepare(
  { log, signal, binaries: folder, binariesCopy }: EmbeddedPostgresOptions,
  { root, settings, resources }: Preparation,
): Promise<{ site: ServerSite; created: boolean; passwordIsNew: boolean }> {
  const folders = databaseFolders(root);
  prepareDatabaseFolder(folders);
  const identity = chooseIdentity(folders.cluster);
  const place = { folder, copyTo: binariesCopy, databaseFolder: folders.database };
  const binaries = await findBinaries({ ...place, identity, log, signal });
  prepareServerFolders(folders, identity);
  const exists = clusterExists(folders, binaries.major);
  const known = exists ? readPassword(folders.password) : undefined;
  const password = known ?? newPassword();
  if (!exists) {
    log('info', 'creating the database', { directory: folders.cluster });
    writePassword(folders.password, password);
    await createCluster({ folders, binaries, identity, password, settings, log, signal });
  }
  const site: ServerSite = {
    folders,
    binaries,
    identity,
    password,
    settings: { ...(binaries.hasPrewarm ? WARM_START : {}), ...settings },
    log,
    cluster: resources.use(openFolder(folders.cluster)),
    run: resources.use(openSocketFolder(folders.run)),
    serverLog: resources.use(openServerLog(folders.log, log)),
  };
  return { site, created: !exists, passwordIsNew: exists && known === undefined };
}
