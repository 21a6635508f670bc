// The built console. If there is no current build, a separate process builds the console from its sources. The build is
// stored for later starts.
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../platform/logging/logger.ts';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
const CONSOLE = join(packages, 'console');
/** All console sources. */
const SOURCES = [
  'console/src',
  'console/public',
  'console/index.html',
  'console/build.ts',
  'console/build-plugins.ts',
  'contract/src',
  'client/src',
  'connector-sdk/src/pattern',
  'pki/src',
];
const MAX_ERROR_TEXT = 4_000;

export type ConsoleState =
  | { readonly status: 'building' }
  | { readonly status: 'ready'; readonly directory: string }
  | { readonly status: 'failed'; readonly problem: string };

export interface ConsoleBuild {
  readonly state: () => ConsoleState;
  /** Resolves when the build has finished, successfully or not. */
  readonly ended: Promise<void>;
  stop(): void;
}

export const noConsole: ConsoleBuild = {
  state: () => ({ status: 'failed', problem: 'This platform was started without the console.' }),
  ended: Promise.resolve(),
  stop: () => undefined,
};

/** Prepares the build in the first writable one of `directories`. */
export function prepareConsole(options: {
  readonly directories: readonly string[];
  readonly log: Logger;
}): ConsoleBuild {
  const { log } = options;
  const stopping = new AbortController();
  let state: ConsoleState = { status: 'building' };
  const ended = prepare(options.directories, stopping.signal).then(
    (directory) => {
      state = { status: 'ready', directory };
    },
    (error: unknown) => {
      if (stopping.signal.aborted) return;
      state = { status: 'failed', problem: error instanceof Error ? error.message : String(error) };
      log.error({ error }, 'cannot build the console; everything else works');
    },
  );
  return { state: () => state, ended, stop: () => stopping.abort() };
}

async function prepare(directories: readonly string[], signal: AbortSignal): Promise<string> {
  const key = await sourceKey();
  for (const directory of directories) {
    const built = join(directory, key);
    if (await exists(join(built, 'index.html'))) return built;
  }
  const parent = await firstWritable(directories);
  const built = join(parent, key);
  // The build has a temporary name until it is complete, because two platforms may start from one clone.
  const unfinished = join(parent, `unfinished-${process.pid}`);
  try {
    await runBuild(unfinished, signal);
    await rename(unfinished, built).catch(async (error: unknown) => {
      if (!(await exists(join(built, 'index.html')))) throw error;
    });
    await removeOldBuilds(parent, key);
    return built;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Returns a hash of the sources' names, sizes and times; any change yields a different key. */
async function sourceKey(): Promise<string> {
  const digest = createHash('sha256');
  for (const source of SOURCES) {
    const path = join(packages, source);
    const files = (await stat(path)).isDirectory()
      ? (await readdir(path, { recursive: true })).map((name) => join(path, name)).toSorted()
      : [path];
    for (const file of files) {
      const facts = await stat(file);
      if (facts.isFile()) digest.update(`${file} ${facts.size} ${facts.mtimeMs}\n`);
    }
  }
  return digest.digest('hex').slice(0, 16);
}

function runBuild(out: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(CONSOLE, 'build.ts'), '--out', out], {
      signal,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-MAX_ERROR_TEXT);
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The console build exited with ${code}: ${text.trim()}`)),
    );
  });
}

async function firstWritable(directories: readonly string[]): Promise<string> {
  for (const directory of directories) {
    try {
      await mkdir(directory, { recursive: true });
      await access(directory, constants.W_OK);
      return directory;
    } catch {
      // The clone belongs to a different user: the next directory is ours.
    }
  }
  throw new Error(`None of these directories is writable: ${directories.join(', ')}`);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Deletes builds of older sources. A platform that is serving one of them is not affected, because it holds the files
 * in memory.
 */
async function removeOldBuilds(parent: string, key: string): Promise<void> {
  for (const name of await readdir(parent))
    if (name !== key && /^[0-9a-f]{16}$/.test(name)) await rm(join(parent, name), { recursive: true, force: true });
}
