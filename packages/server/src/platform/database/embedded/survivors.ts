// Servers at work on a cluster, ours or of an earlier run: finds them, ends them, clears what dead ones left behind.
// Found by their working directory or by the folder's mark in their process titles, not by postmaster.pid: that file
// may name a zombie, a pid that was used again, or a postmaster whose backends still write. Call this only while
// holding the directory's lock.

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
/** A fast shutdown with 128 MB of buffers takes below a second; ended harder, it costs a recovery but no commits. */
const FAST_SHUTDOWN_MS = 2500;
/** After that only a process that is stuck in the kernel takes longer than a moment. */
const FORCED_END_MS = 5000;

const SOCKET = `.s.PGSQL.${PORT}`;

export interface Survivors {
  readonly all: readonly ProcessEntry[];
  /** Absent when it died and only its backends are left. */
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
 * The mark of a cluster's servers: PostgreSQL shows its `cluster_name` in the title of each of its processes, which
 * everybody may read. The path would not do: the server is told a descriptor, and folders can be moved.
 */
export function clusterMark(cluster: OpenFolder): string {
  const { dev, ino } = statSync(cluster.path, { bigint: true });
  return `signetry [${dev.toString(16)}:${ino.toString(16)}]`;
}

/** A shell may have the folder as its working directory too; it is not ours to end. */
function serversIn(cluster: OpenFolder): ProcessEntry[] {
  const folder = statSync(cluster.path, { bigint: true });
  const mark = clusterMark(cluster);
  return processesNamed('postgres')
    .filter(({ pid }) => belongsTo(pid, folder.uid))
    .filter(({ pid }) => standsIn(pid, folder) || commandLine(pid).includes(mark));
}

/** Without /proc there is only the pid file; the command line guards against a pid that was used again. */
function serverNamed(pid: number | undefined, cluster: OpenFolder): ProcessEntry[] {
  const entry = pid === undefined ? undefined : findProcess(pid);
  return entry !== undefined && commandLine(entry.pid).includes(clusterMark(cluster)) ? [entry] : [];
}

/**
 * Ends every server on the cluster: in order, then at once, then by force. Returns whether all ended in order. SIGINT
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
    `The database server on ${cluster.realPath} does not end, even after SIGKILL (process ${pids.join(', ')}). ` +
      'It probably waits for a disk that does not respond; a new server can start only after it is gone.',
    { directory: cluster.realPath },
  );
}

function send(entry: ProcessEntry, signal: NodeJS.Signals): void {
  if (!isSameProcess(entry)) return;
  try {
    process.kill(entry.pid, signal);
  } catch {
    // It ended in this very moment; the wait that follows notices.
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

/** With every visible server gone, removes the lock files that would make PostgreSQL believe in a dead one. */
export async function clearRemains(cluster: OpenFolder, run: OpenFolder): Promise<void> {
  const socket = join(run.path, SOCKET);
  // A server in another container is invisible in /proc, but its socket on the shared volume answers.
  if (await answers(socket)) {
    throw new EmbeddedPostgresError(
      'survivor',
      `A database server that this process cannot see still serves ${cluster.realPath}, ` +
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
    // A full queue (EAGAIN) has an owner as well; only these say that nobody listens.
    connection.once('error', (error: NodeJS.ErrnoException) =>
      done(!['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(error.code ?? '')),
    );
  });
}
