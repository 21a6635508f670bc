// Third-party programs that a benchmark runs in addition to the platform.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const TASKSET = '/usr/bin/taskset';
const START_TIMEOUT_MS = 20_000;
/** Number of output characters kept to explain why a program exited. */
const KEPT_OUTPUT = 2_000;

/** Returns the path of a program in a folder or on the PATH. Throws an error that explains how to install it. */
export function findProgram(
  name: string,
  { folder, module }: { readonly folder?: string | undefined; readonly module: string },
): string {
  const folders = folder === undefined ? (process.env['PATH'] ?? '').split(delimiter) : [folder];
  const found = folders.map((each) => join(each, name)).find(isProgram);
  if (found) return found;
  throw new Error(
    `${name} not found. Build it with \`CGO_ENABLED=0 GOBIN=FOLDER go install ${module}@latest\` and specify the ` +
      'folder with --programs=FOLDER.',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface RunningProgram {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Runs a program until it is stopped or this process exits. */
export async function runProgram(
  command: readonly string[],
  options: {
    readonly directory: string;
    readonly core?: number | undefined;
    readonly environment?: Readonly<Record<string, string>>;
    /** Returns whether the program is ready for requests. */
    readonly isReady: () => Promise<boolean>;
  },
): Promise<RunningProgram> {
  const { core, directory, environment = {}, isReady } = options;
  const pinned = core !== undefined && existsSync(TASKSET) ? [TASKSET, '-c', String(core), ...command] : command;
  const [program = '', ...args] = pinned;
  const child = spawn(program, args, {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-KEPT_OUTPUT)));
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const until = performance.now() + START_TIMEOUT_MS;
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${command[0]} exited with ${child.exitCode}.\n${said}`);
    if (performance.now() > until) throw new Error(`${command[0]} did not respond.\n${said}`);
    await delay(50);
  }
  return {
    // taskset replaces itself with the program, so this is the program's PID.
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Returns a loopback port that is currently free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number }; // A TCP address.
  server.close();
  await once(server, 'close');
  return port;
}
