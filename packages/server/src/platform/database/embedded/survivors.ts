// Running servers of a cluster, from this or an earlier run: finds them, ends them, and removes what dead ones left
// behind. Servers are found by their working directory or by the cluster mark in their process titles, not by
// postmaster.pid: that file may name a zombie, a reused pid, or a postmaster whose backends are still writing. Call
// this only while holding the directory's lock.

import { rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { EmbeddedPostgresError } from './errors.ts';
import type { OpenFolder } from './folders.ts';
import { PID_FILE, readPidFile } from './pid-file.ts';
import { belongsTo, commandLine, findProcess, isSameProcess, processesNamed, standsIn } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';
import { PORT } from './settings.ts';

const POLL_MS = 10;
/**
 * A fast shutdown with 128 MB of buffers takes less than a second; a forced one requires recovery but loses no commits.
 */
const FAST_SHUTDOWN_MS = 2500;
/** After a forced end, only a process stuck in the kernel takes longer than this. */
const FORCED_END_MS = 5000;

const SOCKET = `.s.PGSQL.${PORT}`;

export interface Survivors {
  readonly all: readonly ProcessEntry[];
  /** Absent if it has died and only its backends remain. */
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
 * Returns the mark of a cluster's servers: PostgreSQL shows its `cluster_name` in the title of each process, which is
 * world-readable. The path is not suitable: the server receives a descriptor, and directories can be moved.
 */
export function clusterMark(cluster: OpenFolder): string {
  const { dev, ino } = statSync(cluster.path, { bigint: true });
  return `signetry [${dev.toString(16)}:${ino.toString(16)}]`;
}

/** A shell may also use the directory as its working directory; it must not be ended. */
function serversIn(cluster: OpenFolder): ProcessEntry[] {
  const folder = statSync(cluster.path, { bigint: true });
  const mark = clusterMark(cluster);
  return processesNamed('postgres')
    .filter(({ pid }) => belongsTo(pid, folder.uid))
    .filter(({ pid }) => standsIn(pid, folder) || commandLine(pid).includes(mark));
}

/** Without /proc only the pid file is available; the command line guards against a reused pid. */
function serverNamed(pid: number | undefined, cluster: OpenFolder): ProcessEntry[] {
  const entry = pid === undefined ? undefined : findProcess(pid);
  return entry !== undefined && commandLine(entry.pid).includes(clusterMark(cluster)) ? [entry] : [];
}

/**
 * Ends every server of the cluster: cleanly, then immediately, then by force. Returns whether all ended cleanly. SIGINT
 * is the fast shutdown (no new connections, transactions rolled back, checkpoint), SIGQUIT the immediate one.
 */
export async function endServers(cluster: OpenFolder): Promise<boolean> {
  const { all, postmaster } = findSurvivors(cluster);
  if (all.length === 0) return true;
  if (postmaster !== undefined) {
    send(postmaster, 'SIGINT');
    if (await allEnded(cluster, FAST_SHUTDOWN_MS)) return true;
  }
  for (const force of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const entry of findSurvivors(cluster).all) send(entry, force);
    if (await allEnded(cluster, FORCED_END_MS)) return false;
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

async function allEnded(cluster: OpenFolder, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (findSurvivors(cluster).all.length > 0) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/**
 * Once all visible servers have ended, removes the lock files that would make PostgreSQL assume a server is still
 * running.
 */
export async function clearRemains(cluster: OpenFolder, run: OpenFolder): Promise<void> {
  const socket = join(run.path, SOCKET);
  // A server in another container is not visible in /proc, but its socket on the shared volume accepts connections.
  if (await answers(socket)) {
    throw new EmbeddedPostgresError(
      'survivor',
      `A database server that is not visible to this process is still serving ${cluster.realPath}, ` +
        'probably in another container that shares the volume. Stop that container first.',
      { directory: cluster.realPath },
    );
  }
  for (const file of [join(cluster.path, PID_FILE), socket, `${socket}.lock`]) rmSync(file, { force: true });
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const done = (answer: boolean): void => {
      connection.destroy();
      resolve(answer);
    };
    connection.once('connect', () => done(true));
    // A full queue (EAGAIN) also has a listener; only these codes mean that there is none.
    connection.once('error', (error: NodeJS.ErrnoException) =>
      done(!['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(error.code ?? '')),
    );
  });
}
