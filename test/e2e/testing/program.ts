// The platform as a separate process, for effects visible only from outside: exit codes, output, leftover files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient, type Client } from '@signetry/client';
import { afterAll, onTestFinished } from 'vitest';
import { startServerProcess, type ServerProcess, type ServerProcessOptions } from '../../load/server-process.ts';

const MAIN = fileURLToPath(new URL('../../../packages/cli/src/main.cjs', import.meta.url));
/** Every run ends without a signal, most within a second. */
const RUN_TIMEOUT_MS = 30_000;

/** Creates a folder that is deleted after the test file. Call at the top of a file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signetry-e2e-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface StartedProgram extends ServerProcess {
  readonly client: Client;
}

/** Starts a platform that is stopped after the test, regardless of its outcome. */
export async function startProgram(options: ServerProcessOptions): Promise<StartedProgram> {
  const started = await startServerProcess(options);
  onTestFinished(() => started.stop());
  return { ...started, client: createClient({ baseUrl: started.ready.api, token: started.ready.token }) };
}

export interface EndedProgram {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line until it exits. */
export async function runProgram(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<EndedProgram> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), RUN_TIMEOUT_MS);
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, ...printed };
}

/**
 * Returns the PID of a data directory's embedded database, from the first line of its PID file, or undefined if there
 * is none.
 */
export function databasePid(directory: string): number | undefined {
  const file = join(directory, 'database', 'pg', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

/** Returns true if a process with this PID is running. Zombie processes do not count. */
export function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
