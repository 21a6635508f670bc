// A cluster's running servers, from this or an earlier run: finds them, ends them, and removes what dead servers left
// behind. Servers are found by their working directory or by the cluster mark in their process titles, not by
// postmaster.pid, because that file may name a zombie, a reused pid, or a postmaster whose backends are still writing.
// Call these functions only while holding the directory's lock.

import { rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { EmbeddedPostgresError } from './errors.ts';
import type { OpenFolder } from './folders.ts';
import { PID_FILE, readPidFile } from './pid-file.ts';
import {
  belongsTo,
  commandLine,
  findProcess,
  isSameProcess,
  processesNamed,
  hasWorkingDirectory,
} from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';
import { PORT } from './settings.ts';

const POLL_MS = 10;
/**
 * A fast shutdown with 128 MB of buffers takes less than a second; a forced one requires recovery but loses no commits.
 */
const FAST_SHUTDOWN_MS = 2500;
/** Time after a forced end. Only a process that is stuck in the kernel takes longer. */
const FORCED_END_MS = 5000;

const SOCKET = `.s.PGSQL.${PORT}`;

export interface Survivors {
  readonly all: readonly ProcessEntry[];
  /** Absent if the postmaster has ended and only its backends remain. */
  readonly postmaster?: ProcessEntry;
}

export function findSurvivors(cluster: OpenFolder): Survivors {
  const named = readPidFile(cluster.path)?.pid;
  const all = process.platform === 'linux' ? serversIn(cluster) : serverNamed(named, cluster);
  const pids = new Set(all.map((entry) => entry.pid));
  const postmaster = all.find((entry) => entry.pid === named && !pids.has(entry.parent));
  return postmaster === undefined ? { all } : { all, postmaster };
}

/**
 * Returns the mark of a cluster's servers. PostgreSQL shows `cluster_name` in each process's title, which is
 * world-readable. The path is not suitable as a mark, because the server receives a descriptor, and directories can be
 * moved.
 */
export function clusterMark(cluster: OpenFolder): string {
  const { dev, ino } = statSync(cluster.path, { bigint: true });
  return `signetry [${dev.toString(16)}:${ino.toString(16)}]`;
}

/**
 * Returns the servers whose working directory is the cluster. A shell may also have this working directory and must not
 * be ended.
 */
function serversIn(cluster: OpenFolder): ProcessEntry[] {
  const folder = statSync(cluster.path, { bigint: true });
  const mark = clusterMark(cluster);
  return processesNamed('postgres')
    .filter(({ pid }) => belongsTo(pid, folder.uid))
    .filter(({ pid }) => hasWorkingDirectory(pid, folder) || commandLine(pid).includes(mark));
}

/**
 * Returns the server named in the pid file, which is the only source without /proc. The command line is checked in case
 * the pid was reused.
 */
function serverNamed(pid: number | undefined, cluster: OpenFolder): ProcessEntry[] {
  const entry = pid === undefined ? undefined : findProcess(pid);
  return entry !== undefined && commandLine(entry.pid).includes(clusterMark(cluster)) ? [entry] : [];
}

/**
 * Ends all of the cluster's servers: first cleanly, then immediately, then by force. Returns whether all of them ended
 * cleanly. SIGINT requests a fast shutdown (no new connections, transactions rolled back, checkpoint), SIGQUIT an
 * immediate one.
 */
export async function endServers(cluster: OpenFolder): Promise<boolean> {
  const { all, postmaster } = findSurvivors(cluster);
  if (all.length === 0) return true;
  if (postmaster !== undefined) {
    send(postmaster, 'SIGINT');
    if (await waitUntilEnded(cluster, FAST_SHUTDOWN_MS)) return true;
  }
  for (const force of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const entry of findSurvivors(cluster).all) send(entry, force);
    if (await waitUntilEnded(cluster, FORCED_END_MS)) return false;
  }
  const pids = findSurvivors(cluster).all.map((entry) => entry.pid);
  throw new EmbeddedPostgresError(
    'survivor',
    `Cannot stop the database server in ${cluster.realPath}, even with SIGKILL (process ${pids.join(', ')}). ` +
      'It is probably waiting for a disk that does not respond. A new server can start only after it has ended.',
    { directory: cluster.realPath },
  );
}

function send(entry: ProcessEntry, signal: NodeJS.Signals): void {
  if (!isSameProcess(entry)) return;
  try {
    process.kill(entry.pid, signal);
  } catch {
    // The process has just ended; the subsequent wait detects it.
  }
}

async function waitUntilEnded(cluster: OpenFolder, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (findSurvivors(cluster).all.length > 0) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/**
 * Removes the lock files that would make PostgreSQL assume that a server is still running, once all visible servers
 * have ended.
 */
export async function removeRemains(cluster: OpenFolder, run: OpenFolder): Promise<void> {
  const socket = join(run.path, SOCKET);
  // A server in another container is not visible in /proc, but its socket on the shared volume accepts connections.
  if (await isResponding(socket)) {
    throw new EmbeddedPostgresError(
      'survivor',
      `A database server that is not visible to this process is still serving ${cluster.realPath}, ` +
        'probably in another container that shares the volume. Stop that container first.',
      { directory: cluster.realPath },
    );
  }
  for (const file of [join(cluster.path, PID_FILE), socket, `${socket}.lock`]) rmSync(file, { force: true });
}

function isResponding(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const done = (answer: boolean): void => {
      connection.destroy();
      resolve(answer);
    };
    connection.once('connect', () => done(true));
    // A full queue (EAGAIN) also means that there is a listener; only these codes mean that there is none.
    connection.once('error', (error: NodeJS.ErrnoException) =>
      done(!['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(error.code ?? '')),
    );
  });
}
