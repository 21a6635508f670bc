// Third-party programs that run with the platform: detects whether they are installed, and stops them with their test.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';

/** Returns the version that the program prints, or undefined if it is not installed. */
export function versionOf(program: string, flag = '--version'): string | undefined {
  try {
    return execFileSync(program, [flag], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch {
    return undefined;
  }
}

/** Appended to the name of a test group to explain why it is skipped. */
export const skipNote = (program: string, version: string | undefined): string =>
  version === undefined ? ` (skipped: no ${program} on PATH)` : '';

export interface ForeignRun {
  readonly folder: string;
  /** In addition to PATH; the developer's own settings do not reach the program. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface EndedRun {
  readonly code: number | null;
  /** Combined standard output and error. */
  readonly output: string;
}

/** Generous because shell and Python programs are slow on a busy machine. */
const TIMEOUT_MS = 60_000;
/** For a test that runs several of them, one after the other. */
export const STORY_TIMEOUT_MS = 120_000;

/** Runs a program until it ends or times out. Its child processes end with it. */
export async function runForeign(
  program: string,
  args: readonly string[],
  { folder, environment = {} }: ForeignRun,
): Promise<EndedRun> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C.UTF-8', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, which can be killed as a whole.
    detached: true,
  });
  const end = () => endGroup(child.pid);
  const timer = setTimeout(end, TIMEOUT_MS);
  process.once('exit', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  } finally {
    clearTimeout(timer);
    process.off('exit', end);
    end();
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group no longer exists.
  }
}

/** Runs a program that must succeed, and returns its output. */
export async function succeed(program: string, args: readonly string[], run: ForeignRun): Promise<string> {
  const { code, output } = await runForeign(program, args, run);
  expect(code, `${program} ${args.join(' ')}\n${output}`).toBe(0);
  return output;
}
