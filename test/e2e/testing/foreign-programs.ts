// Third-party programs that run with the platform: whether they are installed, and how they end with their test.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';

/** The version that the program prints; undefined if it is not installed. */
export function versionOf(program: string, flag = '--version'): string | undefined {
  try {
    return execFileSync(program, [flag], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch {
    return undefined;
  }
}

/** Appended to the name of a test group, to say why one is skipped. */
export const skipNote = (program: string, version: string | undefined): string =>
  version === undefined ? ` (skipped: no ${program} on PATH)` : '';

export interface ForeignRun {
  readonly folder: string;
  /** Beside PATH; nothing of the developer's own settings reaches the program. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface EndedRun {
  readonly code: number | null;
  /** Standard output and error together. */
  readonly output: string;
}

/** Generous, because shell and Python programs are slow on a busy machine. */
const TIMEOUT_MS = 60_000;
/** For a test that runs several of them, one after the other. */
export const STORY_TIMEOUT_MS = 120_000;

/** Runs a program to its end, or to that of its time. Whatever it started itself ends with it. */
export async function runForeign(
  program: string,
  args: readonly string[],
  { folder, environment = {} }: ForeignRun,
): Promise<EndedRun> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C.UTF-8', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, which can be ended as a whole.
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
    // nothing of it is left
  }
}

/** Runs a program that must succeed; answers what it printed. */
export async function succeed(program: string, args: readonly string[], run: ForeignRun): Promise<string> {
  const { code, output } = await runForeign(program, args, run);
  expect(code, `${program} ${args.join(' ')}\n${output}`).toBe(0);
  return output;
}
