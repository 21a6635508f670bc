// A complete platform for tests: real listeners on free loopback ports, a separate database, a temporary data
// directory. It runs in the test's process, so that a test can also inspect its internals.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from '@signetry/client';
import { startServer, type RunningServer } from '@signetry/server';
import type { ConnectionFacts } from '@signetry/server/database';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { testDatabaseWithConnection } from './test-database.ts';
import { workerPort } from './worker-port.ts';

/** URLs of the platform and credentials of its administrator. */
export interface TestServerFacts {
  /** Base URL of the management API. */
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
  /** API client that acts as the administrator. */
  readonly client: Client;
  readonly ready: TestServerFacts;
  /** Data directory. */
  readonly directory: string;
  /** The platform itself, for state that is not visible from outside. */
  readonly running: RunningServer;
  /** Returns an API client with a different access token, or with none. */
  clientOf(token?: string): Client;
  /** Stops the platform and removes its data, unless `keepData` is set. Can be called more than once. */
  stop(): Promise<void>;
}

export interface TestServerOptions {
  /**
   * Further arguments of `start`, or a function that returns them once a test begins; the last value of a repeated flag
   * wins.
   */
  readonly args?: readonly string[] | (() => Promise<readonly string[]>);
  /** Serves the console, which is built if there is no build yet. */
  readonly console?: boolean;
  /** Delays before further attempts at an ACME challenge; none by default, so that tests of failures are fast. */
  readonly acmeRetryDelaysMs?: readonly number[];
  /** How long a sealing key rotation waits until values sealed with the previous key are stored. */
  readonly keySettleMs?: number;
  /** Data directory of an earlier platform, including its embedded database, as in production. Default: a new one. */
  readonly directory?: string;
  /** Keeps the data directory; the test removes it. */
  readonly keepData?: boolean;
}

/** Starts a platform that stops at the end of the current test. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await start(options);
  onTestFinished(() => server.stop());
  return server;
}

/**
 * Starts one platform for all tests of a file, before the first test, and stops it after the last. Call it at the top
 * of the file; the returned server can be used from `beforeAll` on. Nothing is started while the file is only being
 * loaded: vitest runs no hooks if loading fails, and the platform would be left running.
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
 * Clones a database in the shared PostgreSQL server, which takes a tenth of the time of starting a separate server. A
 * test that specifies a data directory uses the embedded database in it.
 */
async function connectionFor(
  { directory }: TestServerOptions,
  args: readonly string[],
): Promise<ConnectionFacts | undefined> {
  if (directory !== undefined || args.some((argument) => argument.startsWith('--database-url'))) return undefined;
  return (await testDatabaseWithConnection()).connection;
}

/** Set this variable to see why a platform under test returned 500. */
const LOG_LEVEL_VARIABLE = 'SIGNETRY_TEST_LOG';

const usualArguments = (directory: string): readonly string[] => [
  `--data=${directory}`,
  '--http=127.0.0.1:0',
  '--https=127.0.0.1:0',
  '--shutdown-delay-ms=0',
  `--log-level=${process.env[LOG_LEVEL_VARIABLE] ?? 'silent'}`,
];

/** Returns the facts that the platform provides to the local command line. */
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
