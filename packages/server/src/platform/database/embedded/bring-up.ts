// Starts a server for a cluster on disk. A server that survived a crash is adopted if it is exactly the server that
// would be started; otherwise it is ended and a new one is started. Waits for recovery without a time limit, because
// giving up would only cause recovery to start over.

import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { Client, DatabaseError } from 'pg';

import type { Binaries } from './binaries.ts';
import type { Command } from './command.ts';
import { MAINTENANCE_DATABASE, SUPERUSER, resetPassword } from './cluster.ts';
import { EmbeddedPostgresError, diskFull, mentionsNoSpace } from './errors.ts';
import { pathInChild } from './folders.ts';
import type { DatabaseFolders, OpenFolder } from './folders.ts';
import type { ServerIdentity } from './identity.ts';
import type { Log } from './log.ts';
import { readPidFile } from './pid-file.ts';
import { commandLine } from './process-table.ts';
import { spawnServer, watchServer } from './process.ts';
import type { ServerProcess } from './process.ts';
import type { ServerLog } from './server-log.ts';
import { PORT, serverArguments } from './settings.ts';
import type { ServerSettings } from './settings.ts';
import { removeRemains, clusterMark, endServers, findSurvivors } from './survivors.ts';

const READY_POLL_MS = 5;
/**
 * Polling interval while connections are rejected. A server in recovery logs a line for each rejected connection, so it
 * is polled less often.
 */
const REFUSED_RETRY_MS = 100;
const REPORT_WAIT_MS = 5000;
/** A surviving server that reports ready but does not respond within this time is ended instead of adopted. */
const ANSWER_MS = 10_000;

/** SQLSTATE class 57, cannot_connect_now: starting up, in recovery or shutting down. */
const CANNOT_CONNECT_NOW = '57P03';
/** invalid_password */
const INVALID_PASSWORD = '28P01';

/** Everything that does not change when a server is restarted. */
export interface ServerSite {
  readonly folders: DatabaseFolders;
  readonly cluster: OpenFolder;
  readonly run: OpenFolder;
  readonly serverLog: ServerLog;
  readonly binaries: Binaries;
  readonly identity: ServerIdentity;
  readonly settings: ServerSettings;
  readonly password: string;
  readonly log: Log;
}

export interface BringUpRequest {
  /**
   * Whether the cluster does not use `password` yet. In this case, the password is set before the start, and no server
   * is adopted.
   */
  readonly passwordIsNew: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface RunningServer {
  readonly server: ServerProcess;
  readonly how: 'started' | 'adopted' | 'restarted';
}

export async function bringUp(site: ServerSite, request: BringUpRequest): Promise<RunningServer> {
  const { cluster, run, log } = site;
  try {
    if (!request.passwordIsNew) {
      const adopted = await adopt(site, request.signal);
      if (adopted !== undefined) return { server: adopted, how: 'adopted' };
    }
    const survivors = findSurvivors(cluster).all;
    if (survivors.length > 0) {
      log('info', 'ending the database server from an earlier run', { pids: survivors.map((entry) => entry.pid) });
      await endServers(cluster);
    }
    await removeRemains(cluster, run);
    if (request.passwordIsNew) await resetPassword({ ...site, signal: request.signal });
    const server = await start(site, request.signal);
    return { server, how: survivors.length > 0 ? 'restarted' : 'started' };
  } catch (error) {
    await endServers(cluster).catch((failure: unknown) => log('warn', String(failure)));
    // An aborted wait fails with its own error, but the caller should receive the abort reason.
    request.signal?.throwIfAborted();
    throw error;
  }
}

async function adopt(site: ServerSite, signal: AbortSignal | undefined): Promise<ServerProcess | undefined> {
  const { postmaster } = findSurvivors(site.cluster);
  if (postmaster === undefined || readPidFile(site.cluster.path)?.status === 'stopping') return undefined;
  const { program, args } = serverCommand(site);
  if (commandLine(postmaster.pid) !== [program, ...args].join(' ')) return undefined;
  const server = watchServer(postmaster);
  try {
    if (await waitUntilUsable(server, site, signal)) return server;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof EmbeddedPostgresError && error.code === 'password-refused') throw error;
    site.log('warn', 'the running database server does not respond', { pid: server.pid, error: String(error) });
  }
  await server.finish();
  return undefined;
}

async function start(site: ServerSite, signal: AbortSignal | undefined): Promise<ServerProcess> {
  const { cluster, run, serverLog } = site;
  serverLog.catchUp();
  serverLog.forget();
  serverLog.expectDisconnects(false);
  const server = await spawnServer(serverCommand(site), {
    descriptors: [cluster.descriptor, run.descriptor],
    logDescriptor: serverLog.descriptor,
  });
  if (await waitUntilUsable(server, site, signal)) return server;
  serverLog.catchUp();
  throw startError(site);
}

function serverCommand({ binaries, identity, settings, cluster, run }: ServerSite): Command {
  const { dev, ino, mtimeMs } = statSync(binaries.postgres);
  const args = serverArguments(settings, {
    cluster: pathInChild(cluster, 0),
    run: pathInChild(run, 1),
    clusterName: clusterMark(cluster),
    programId: [dev, ino, Math.trunc(mtimeMs)].join(':'),
  });
  return { program: binaries.postgres, args, identity, libraryFolder: binaries.libraryFolder };
}

function startError({ folders, serverLog }: ServerSite): EmbeddedPostgresError {
  const said = serverLog.recentLines().join('\n');
  if (mentionsNoSpace(said)) return diskFull(folders.database, said);
  return new EmbeddedPostgresError(
    'start-failed',
    `The database server in ${folders.cluster} ended during startup. Its output:\n${said}\n(more in ${folders.log})`,
    { directory: folders.cluster },
  );
}

/** Returns true once a client gets a response, false if the server ends before. */
async function waitUntilUsable(server: ServerProcess, site: ServerSite, signal?: AbortSignal): Promise<boolean> {
  const report = createWaitReport(site.log);
  while (!server.hasEnded()) {
    signal?.throwIfAborted();
    report();
    const state = readPidFile(site.cluster.path);
    if (state?.pid !== server.pid || state.status !== 'ready') await delay(READY_POLL_MS, undefined, { signal });
    else if (await acceptsClient(site, server)) return true;
    else await delay(REFUSED_RETRY_MS, undefined, { signal });
  }
  return false;
}

function createWaitReport(log: Log): () => void {
  const began = performance.now();
  let next = began + REPORT_WAIT_MS;
  return () => {
    const now = performance.now();
    if (now < next) return;
    next = now + REPORT_WAIT_MS;
    log('info', 'the database is replaying changes since its last checkpoint', {
      seconds: Math.round((now - began) / 1000),
    });
  };
}

/**
 * Runs a query to check that the server accepts the password; returns false if the server is still in recovery or has
 * just ended.
 */
async function acceptsClient(site: ServerSite, server: ServerProcess): Promise<boolean> {
  const client = new Client({
    host: site.run.path,
    port: PORT,
    user: SUPERUSER,
    password: site.password,
    database: MAINTENANCE_DATABASE,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  // Without a listener, a connection that breaks between two steps would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    if (server.hasEnded()) return false;
    if (error instanceof DatabaseError && error.code === CANNOT_CONNECT_NOW) return false;
    throw clientError(error, site);
  } finally {
    await client.end().catch(() => {});
  }
}

function clientError(error: unknown, { folders }: ServerSite): EmbeddedPostgresError {
  if (error instanceof DatabaseError && error.code === INVALID_PASSWORD) {
    return new EmbeddedPostgresError(
      'password-refused',
      `The database in ${folders.cluster} does not accept the password in ${folders.password}; ` +
        'the two may come from different backups. Delete that file; the next start then sets a new password.',
      { directory: folders.database, cause: error },
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new EmbeddedPostgresError(
    'start-failed',
    `The database server in ${folders.cluster} is running but does not serve its launcher: ${reason} (more in ${folders.log})`,
    { directory: folders.cluster, cause: error },
  );
}
