// Runs the PostgreSQL programs as the server's user. Their environment starts empty, because the platform's may contain
// secrets, and PG* or locale variables would change the programs' behavior.

import { spawn } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';

import { spawnUser } from './identity.ts';
import type { ServerIdentity } from './identity.ts';

/** Maximum amount of program output that is stored, which is enough for any initdb error. */
const REMEMBERED_OUTPUT_CHARS = 64 * 1024;

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly identity: ServerIdentity;
  /** Directory in which the loader finds libraries that are missing from the program's own directory. */
  readonly libraryFolder?: string | undefined;
}

export interface CommandResult {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly output: string;
}

export function commandOptions({ identity, libraryFolder }: Command): SpawnOptions {
  return {
    ...spawnUser(identity),
    // The server's user may not have access to the current working directory.
    cwd: '/',
    env: {
      PATH: '/usr/bin:/bin',
      LC_ALL: 'C',
      TZ: 'UTC',
      ...(libraryFolder === undefined ? {} : { LD_LIBRARY_PATH: libraryFolder }),
    },
  };
}

/** Runs a program to completion with extra descriptors and input text. Rejects only if it could not be started. */
export async function runToEnd(
  command: Command,
  run: { descriptors?: readonly number[]; input?: string; signal?: AbortSignal | undefined } = {},
): Promise<CommandResult> {
  run.signal?.throwIfAborted();
  return await new Promise((resolve, reject) => {
    const child = spawn(command.program, [...command.args], {
      ...commandOptions(command),
      stdio: [run.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(run.descriptors ?? [])],
    });
    let output = '';
    const remember = (chunk: string): void => {
      if (output.length < REMEMBERED_OUTPUT_CHARS) output += chunk;
    };
    child.stdout?.setEncoding('utf8').on('data', remember);
    child.stderr?.setEncoding('utf8').on('data', remember);
    // A program that ends before reading its input is judged by its exit code, not by EPIPE.
    child.stdin?.on('error', () => {});
    child.stdin?.end(run.input);
    const abort = (): void => void child.kill('SIGINT');
    run.signal?.addEventListener('abort', abort, { once: true });
    child.once('error', (error) => {
      run.signal?.removeEventListener('abort', abort);
      reject(error);
    });
    child.once('close', (code, killedBy) => {
      run.signal?.removeEventListener('abort', abort);
      if (run.signal?.aborted === true) reject(run.signal.reason);
      else resolve({ code, killedBy, output: output.trim() });
    });
  });
}
