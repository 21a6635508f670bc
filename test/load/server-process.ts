// Runs a platform in a separate process, started as a user would start it, for benchmarks and fault tests.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The launcher replaces itself with the program, so the started process is the platform itself. */
const LAUNCHER = fileURLToPath(new URL('../../packages/cli/bin/signetry', import.meta.url));
const READY_TIMEOUT_MS = 60_000;
const MAX_KEPT_OUTPUT = 1024 * 1024;

export interface ReadyFacts {
  readonly api: string;
  readonly http: string;
  readonly https: string | null;
  readonly pid: number;
  readonly token: string;
  readonly rootCertificate: string;
}

export interface ServerProcess {
  readonly ready: ReadyFacts;
  readonly child: ChildProcess;
  readonly directory: string;
  /** Seconds from the start of the process until it is ready. */
  readonly startSeconds: number;
  readonly stderr: () => string;
  /** Log lines and terminal output. */
  readonly stdout: () => string;
  stop(): Promise<void>;
}

export interface ServerProcessOptions {
  readonly directory: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Core that the server and database are pinned to, if the machine has `taskset`. */
  readonly core?: number;
}

export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const runFile = join(options.directory, 'run.json');
  const started = performance.now();
  const child = launch(options);
  // The platform must not outlive this process.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-20_000);
  });
  let stdout = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout = (stdout + chunk.toString()).slice(-MAX_KEPT_OUTPUT);
  });
  const deadline = started + READY_TIMEOUT_MS;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The platform exited before it was ready (${child.exitCode ?? child.signalCode}).\n${stderr}`);
    const ready = readRunFile(runFile, child.pid);
    if (ready) {
      const startSeconds = (performance.now() - started) / 1000;
      return {
        ready,
        child,
        directory: options.directory,
        startSeconds,
        stderr: () => stderr,
        stdout: () => stdout,
        stop: () => stop(child),
      };
    }
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`The platform was not ready after ${READY_TIMEOUT_MS / 1000} s.\n${stderr}`);
    }
    await delay(10);
  }
}

function launch({ directory, args = [], environment = {}, core }: ServerProcessOptions): ChildProcess {
  const command = [
    LAUNCHER,
    'start',
    '--data',
    directory,
    '--http',
    '127.0.0.1:0',
    '--https',
    '127.0.0.1:0',
    '--log-level',
    'warn',
    ...args,
  ];
  const pinned =
    core !== undefined && existsSync('/usr/bin/taskset')
      ? ['/usr/bin/taskset', '-c', String(core), ...command]
      : command;
  const [program = LAUNCHER, ...rest] = pinned;
  return spawn(program, rest, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Reads the run file of this process; one left by a killed process is ignored. */
function readRunFile(path: string, pid: number | undefined): ReadyFacts | undefined {
  try {
    const facts = JSON.parse(readFileSync(path, 'utf8')) as ReadyFacts; // The platform writes it.
    return facts.pid === pid ? facts : undefined;
  } catch {
    return undefined; // Not written yet.
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const TICKS_PER_SECOND = 100;

/** Returns the CPU seconds that a process and its descendants have used, from /proc. */
export function cpuSeconds(pid: number): number {
  return processTree(pid).reduce((sum, member) => sum + ownCpuSeconds(member), 0);
}

/** Returns the CPU seconds of the descendants that run one program, e.g. `postgres`. */
export function cpuSecondsByProgram(pid: number, program: string): number {
  const members = processTree(pid).filter((member) => programOf(member) === program);
  return members.reduce((sum, member) => sum + ownCpuSeconds(member), 0);
}

function programOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return ''; // The process exited in the meantime.
  }
}

function ownCpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // Fields 14 to 17 of proc(5): the process's own time and that of children already waited for.
    return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) / TICKS_PER_SECOND;
  } catch {
    return 0; // The process exited in the meantime.
  }
}

/** Returns a process and its descendants. */
export function processTree(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]));
    } catch {
      // The process exited in the meantime.
    }
  }
  const tree = [pid];
  for (const member of tree) for (const [child, parent] of parents) if (parent === member) tree.push(child);
  return tree;
}

/** Kills a process and its descendants at the same time, like a power failure. */
export function killTree(pid: number): void {
  for (const member of processTree(pid)) process.kill(member, 'SIGKILL');
}

/** Returns the peak resident memory of a process, in MiB. */
export function peakMemoryMiB(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
}
