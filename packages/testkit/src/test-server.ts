// A whole platform for tests: real listeners on free loopback ports, a database of its own, a temporary data directory.
// It runs in the test's process, so that a test can also look behind the interface.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from '@signetry/client';
import { startServer, type RunningServer } from '@signetry/server';
import type { ConnectionFacts } from '@signetry/server/database';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { testDatabaseWithConnection } from './test-database.ts';
import { workerPort } from './worker-port.ts';

/** The addresses of the platform and the credentials of its administrator. */
export interface TestServerFacts {
  /** Base address of the management interface. */
  readonly api: string;
  readonly http: string;
  readonly https: string;
  /** Access token of the administrator. */
  readonly token: string;
  /** One-time sign-in link of the administrator. */
  readonly signIn: string;
  /** Path of the root certificate in PEM. */
  readonly rootCertificate: string;
  /** Directory of the ACME profile `default`. */
  readonly acmeDirectory: string;
}

export interface TestServer {
  /** Calls as the administrator. */
  readonly client: Client;
  readonly ready: TestServerFacts;
  /** Data directory. */
  readonly directory: string;
  /** The platform itself, for what cannot be seen from outside. */
  readonly running: RunningServer;
  /** Calls with another access token, or with none. */
  clientOf(token?: string): Client;
  /** Stops the platform and removes its data, unless they are to be kept. May be called more than once. */
  stop(): Promise<void>;
}

export interface TestServerOptions {
  /** Further arguments of `start`, or how to get them once a test begins; the last value of a repeated flag counts. */
  readonly args?: readonly string[] | (() => Promise<readonly string[]>);
  /** With the console, which is built when there is no build of it yet. */
  readonly console?: boolean;
  /** Pauses before further attempts at an ACME challenge; none, so that tests of failures are quick. */
  readonly acmeRetryDelaysMs?: readonly number[];
  /** How long a rotation of the sealing key waits for what was sealed before. */
  readonly keySettleMs?: number;
  /** Data directory of an earlier platform; without it a new one is made. It holds the database, as people have it. */
  readonly directory?: string;
  /** Leaves the data directory behind; the test removes it. */
  readonly keepData?: boolean;
}

/** Starts a platform that ends with the test it is started in. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await start(options);
  onTestFinished(() => server.stop());
  return server;
}

/**
 * One platform for all tests of a file: started before the first, ended after the last. Call it at the top of the file;
 * what it answers can be used from `beforeAll` on. Nothing is started while the file is merely read: vitest runs no
 * hooks when reading fails, and the platform would be left behind.
 */
export function sharedTestServer(options: TestServerOptions = {}): TestServer {
  let started: TestServer | undefined;
  beforeAll(async () => {
    started = await start(options);
  });
  afterAll(() => started?.stop());
  const server = (): TestServer => started ?? expect.unreachable('the platform is there from beforeAll on');
  return {
    get client() {
      return server().client;
    },
    get ready() {
      return server().ready;
    },
    get directory() {
      return server().directory;
    },
    get running() {
      return server().running;
    },
    clientOf: (token) => server().clientOf(token),
    stop: () => server().stop(),
  };
}

async function start(options: TestServerOptions): Promise<TestServer> {
  const { console = false } = options;
  const given = typeof options.args === 'function' ? await options.args() : (options.args ?? []);
  const args = console ? [`--http=127.0.0.1:${await workerPort()}`, ...given] : given;
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'signetry-e2e-')));
  const removeData = async (): Promise<void> => {
    if (!options.keepData) await rm(directory, { recursive: true, force: true });
  };
  const running = await startServer({
    // A developer's own settings must not reach a test.
    environment: {},
    args: [...usualArguments(directory), ...args],
    acmeRetryDelaysMs: options.acmeRetryDelaysMs ?? [],
    keySettleMs: options.keySettleMs ?? 0,
    out: () => undefined,
    checkReplies: true,
    withoutConsole: !console,
    connection: await connectionFor(options, args),
  }).catch(async (error: unknown) => {
    await removeData();
    throw error;
  });
  const ready = await readFacts(directory, running);
  const clientOf = (token?: string): Client =>
    createClient({ baseUrl: ready.api, ...(token === undefined ? {} : { token }) });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= running.stop().finally(removeData));
  return { client: clientOf(ready.token), ready, directory, running, clientOf, stop };
}

/**
 * A clone in the PostgreSQL of the run, which is there in a tenth of the time of a server of its own. Whoever names a
 * data directory wants the embedded one in it.
 */
async function connectionFor(
  { directory }: TestServerOptions,
  args: readonly string[],
): Promise<ConnectionFacts | undefined> {
  if (directory !== undefined || args.some((argument) => argument.startsWith('--database-url'))) return undefined;
  return (await testDatabaseWithConnection()).connection;
}

/** Set it to see why a platform under test answered 500. */
const LOG_LEVEL_VARIABLE = 'SIGNETRY_TEST_LOG';

const usualArguments = (directory: string): readonly string[] => [
  `--data=${directory}`,
  '--http=127.0.0.1:0',
  '--https=127.0.0.1:0',
  '--shutdown-delay-ms=0',
  `--log-level=${process.env[LOG_LEVEL_VARIABLE] ?? 'silent'}`,
];

/** What the platform told the command line of this machine. */
async function readFacts(directory: string, { announcement }: RunningServer): Promise<TestServerFacts> {
  const { api, http, https, rootCertificate, signIn, acmeDirectory } = announcement;
  // written by the platform
  const run = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as { token: string | null };
  return {
    api,
    http: http ?? '',
    https: https ?? '',
    token: run.token ?? '',
    signIn: signIn ?? '',
    rootCertificate,
    acmeDirectory: acmeDirectory ?? '',
  };
}
