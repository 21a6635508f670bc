// Programs of others that a benchmark runs beside the platform.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const TASKSET = '/usr/bin/taskset';
const START_TIMEOUT_MS = 20_000;
/** Characters that tell why a program ended. */
const KEPT_OUTPUT = 2_000;

/** Path of a program in a folder, or where commands are looked for; refuses with how to get it. */
export function findProgram(
  name: string,
  { folder, module }: { readonly folder?: string | undefined; readonly module: string },
): string {
  const folders = folder === undefined ? (process.env['PATH'] ?? '').split(delimiter) : [folder];
  const found = folders.map((each) => join(each, name)).find(isProgram);
  if (found) return found;
  throw new Error(
    `${name} is not there. Build it with \`CGO_ENABLED=0 GOBIN=FOLDER go install ${module}@latest\` and name the ` +
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

/** Runs until it is stopped, or this process ends. */
export async function runProgram(
  command: readonly string[],
  options: {
    readonly directory: string;
    readonly core?: number | undefined;
    readonly environment?: Readonly<Record<string, string>>;
    /** Resolves once it serves. */
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
    if (child.exitCode !== null) throw new Error(`${command[0]} ended with ${child.exitCode}.\n${said}`);
    if (performance.now() > until) throw new Error(`${command[0]} does not answer.\n${said}`);
    await delay(50);
  }
  return {
    // taskset becomes the program that it starts.
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** A port of loopback that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number }; // a port of TCP
  server.close();
  await once(server, 'close');
  return port;
}
