// A running postmaster, started by us or found: who it is and when it ends. Ending it is done by survivors.ts.

import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

import { commandOptions } from './command.ts';
import type { Command } from './command.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { isSameProcess } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';

/** How soon the end of an adopted server is noticed; our own children are reported by the kernel. */
const ADOPTED_POLL_MS = 250;

export interface ServerEnd {
  /** Unknown for an adopted server. */
  readonly code?: number;
  readonly signal?: NodeJS.Signals;
}

export interface ServerProcess {
  readonly pid: number;
  readonly ended: Promise<ServerEnd>;
  hasEnded(): boolean;
  /** Stops watching. For our own child, which must have been ended before, waits until the kernel has reported it. */
  finish(): Promise<void>;
}

/**
 * Starts the postmaster in a process group of its own, so that Ctrl-C reaches only us and the database ends last.
 * It does not keep our event loop alive.
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
  if (pid === undefined) throw new EmbeddedPostgresError('start-failed', 'The database server has no process id.');
  const finish = async (): Promise<void> => {
    // Without the reference, nothing would keep the loop alive until the report arrives.
    child.ref();
    await ended;
  };
  return { pid, ended, hasEnded: () => end !== undefined, finish };
}

/** Watches a postmaster that is not a child of ours. */
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
