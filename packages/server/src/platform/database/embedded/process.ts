// A running postmaster that this process has started or found: its identity, and when it ends. survivors.ts ends it.

import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

import { commandOptions } from './command.ts';
import type { Command } from './command.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { isSameProcess } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';

/** Polling interval for detecting the end of an adopted server. For child processes, the kernel reports the end. */
const ADOPTED_POLL_MS = 250;

export interface ServerEnd {
  /** Undefined for an adopted server, whose exit code is unknown. */
  readonly code?: number;
  readonly signal?: NodeJS.Signals;
}

export interface ServerProcess {
  readonly pid: number;
  readonly ended: Promise<ServerEnd>;
  hasEnded(): boolean;
  /** Stops watching. A child process must have been ended first; waits until the kernel has reported its exit. */
  finish(): Promise<void>;
}

/**
 * Starts the postmaster in its own process group, so that Ctrl-C reaches only this process and the database ends last.
 * The postmaster does not keep the event loop alive.
 */
export async function spawnServer(
  command: Command,
  { descriptors, logDescriptor }: { descriptors: readonly number[]; logDescriptor: number },
): Promise<ServerProcess> {
  const child = spawn(command.program, [...command.args], {
    ...commandOptions(command),
    detached: true,
    stdio: ['ignore', logDescriptor, logDescriptor, ...descriptors],
  });
  let end: ServerEnd | undefined;
  const ended = new Promise<ServerEnd>((resolve) => {
    child.once('exit', (code, signal) => {
      end = { ...(code === null ? {} : { code }), ...(signal === null ? {} : { signal }) };
      resolve(end);
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
  const { pid } = child;
  if (pid === undefined) throw new EmbeddedPostgresError('start-failed', 'The database server has no process ID.');
  const finish = async (): Promise<void> => {
    // Without the reference, nothing would keep the event loop alive until the exit is reported.
    child.ref();
    await ended;
  };
  return { pid, ended, hasEnded: () => end !== undefined, finish };
}

/** Watches a postmaster that is not a child of this process. */
export function watchServer(entry: ProcessEntry): ServerProcess {
  const released = new AbortController();
  const watch = async (): Promise<ServerEnd> => {
    while (isSameProcess(entry)) await delay(ADOPTED_POLL_MS, undefined, { ref: false, signal: released.signal });
    return {};
  };
  return {
    pid: entry.pid,
    ended: watch().catch(() => new Promise<never>(() => {})),
    hasEnded: () => !isSameProcess(entry),
    finish: async () => released.abort(),
  };
}
