// Starts the platform: data directory, database, areas, listeners, background work, initial objects, announcement.
// Stops it in reverse order.
import type { Server as HttpsServer } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { acquireDirectoryLock, type DirectoryLock } from '../platform/database/embedded/index.ts';
import type { ConnectionFacts } from '../platform/database/database.ts';
import { createLogger, type Logger } from '../platform/logging/logger.ts';
import type { Platform } from '../platform/platform.ts';
import { testModeWarning } from './acme-test-mode.ts';
import { revocationUrlProblem, type OpenListeners } from './public-urls.ts';
import { announce, writeReadyFile, writeRunFile, type Announcement } from './announce.ts';
import { areaOptions } from './area-options.ts';
import { createAreas, type Areas } from './areas.ts';
import { configurationRows, readConfiguration, type Configuration } from './configuration.ts';
import { createPlatform } from './create-platform.ts';
import { noConsole, prepareConsole } from './console-build.ts';
import { createServer, type PlatformServer } from './create-server.ts';
import { openDataDirectory, type DataDirectory } from './data-directory.ts';
import { registerBuiltIns, ensureFirstObjects, type DefaultProfile } from './first-start.ts';
import { ensureHttpsCertificate, maintainHttpsCertificate } from './https-certificate.ts';
import {
  assertFree,
  closeServer,
  drain,
  listenHttp,
  listenHttps,
  parseAddress,
  servedHosts,
  type ListenAddress,
  type TlsOptions,
} from './listeners.ts';
import { openDatabase, type OpenDatabase } from './open-database.ts';
import { writeRootCertificate } from './root-certificate.ts';
import { openKeys } from './sealing-key.ts';
import type { Settings } from './settings.ts';
import { openStartingListener, type StartingListener } from './starting-listener.ts';
import { createStopGrace, type StopGrace } from './stop-grace.ts';
import { readWeakKeyLists, type WeakKeyLists } from '../areas/certificates/index.ts';
import { ConfigurationError } from './configuration-errors.ts';

export interface StartOptions {
  /** Command-line arguments after `start`. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives lines for the terminal. */
  readonly out: (line: string) => void;
  /** Validates responses against the contract; for tests. */
  readonly checkReplies?: boolean;
  /** Omits the console; for tests that do not need it. */
  readonly withoutConsole?: boolean;
  /** Delays between attempts at an ACME challenge; for tests, which need not wait for targets to change. */
  readonly acmeRetryDelaysMs?: readonly number[];
  /** How long a sealing key rotation waits for values sealed before it; for tests, which have no work in progress. */
  readonly keySettleMs?: number;
  /** Used instead of an embedded database; for tests, which share one server. It has no other effect. */
  readonly connection?: ConnectionFacts | undefined;
}

export interface RunningServer {
  /** URLs, sign-in link and other content of the ready file. */
  readonly announcement: Announcement;
  /** For tests and tools in this process. */
  readonly platform: Platform;
  readonly areas: Areas;
  /** Rejects new work, lets running work finish, closes the database. Can be called more than once. */
  stop(): Promise<void>;
}

export async function startServer(options: StartOptions): Promise<RunningServer> {
  const configuration = readConfiguration(options);
  const stack = new AsyncDisposableStack();
  try {
    const running = await start(options, { configuration, stack });
    let stopping: Promise<void> | undefined;
    return { ...running, stop: () => (stopping ??= stack.disposeAsync()) };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

interface StartContext {
  readonly configuration: Configuration;
  /** Opened resources; closed in reverse order. */
  readonly stack: AsyncDisposableStack;
}

/**
 * Statements are gathered only in this range: with fewer clients, each gets a faster response without waiting for
 * others; with more, enough statements coincide anyway.
 */
const isConcurrentLoad = (clients: number): boolean => clients >= 4 && clients <= 24;

async function start(
  options: StartOptions,
  { configuration, stack }: StartContext,
): Promise<Omit<RunningServer, 'stop'>> {
  const { values } = configuration;
  const log = createLogger({ level: values.logLevel });
  const weakKeys = await openWeakKeyLists(values.weakKeyLists, log);
  const { directory, lock } = await claimDataDirectory({ configuration, stack });
  const grace = stack.adopt(createStopGrace(values.stopGraceMs), (each) => each.end());
  const listeners: OpenListeners = {
    http: parseAddress(values.http),
    https: parseAddress(values.https),
    scepHttps: parseAddress(values.scepHttps),
    side: [],
  };
  const starting = await bindStartingListener(listeners, stack);
  const { connection } = options;
  const onProgress = (what: string): void => starting?.describe(what);
  const opened = await openPlatformDatabase({ configuration, stack }, { directory, lock, log, connection, onProgress });
  const keys = await openKeys({ directory, file: values.sealingKeyFile, database: opened.database });
  const platform = await createPlatform({
    values,
    environment: options.environment,
    directory,
    listeners,
    database: opened.database,
    sealer: keys.ring,
    log,
    giveUp: grace.signal,
  });
  stack.defer(() => void platform.metrics.stop());
  opened.health.probe(platform.database, platform.nodeId);

  const phase = { ready: false, leaving: false };
  const isReady = (): boolean => phase.ready && opened.isUp();
  const { keySettleMs, acmeRetryDelaysMs } = options;
  const areas = createAreas(
    platform,
    areaOptions({ values, listeners, keys, weakKeys, isReady, keySettleMs, acmeRetryDelaysMs }),
  );
  const hosts = servedHosts(addressesOf(listeners), [values.publicUrl, values.revocationUrl, values.scepUrl]);
  const console = options.withoutConsole ? noConsole : prepareConsole({ directories: consoleCaches(directory), log });
  stack.defer(() => console.stop());
  const web = createServer({
    values,
    platform,
    areas,
    directory,
    listeners,
    console,
    isServedHost: hosts.isServed,
    isLeaving: () => phase.leaving,
    checkReplies: options.checkReplies ?? false,
  });

  opened.database.gatherWhen(() => isConcurrentLoad(web.recentClients.count()));

  const stacks = stopOrder(stack);
  const { warnings } = opened;
  const running: RunningPlatform = { values, platform, areas, directory, listeners, web, stacks, grace, warnings };

  const connectorUuid = await registerBuiltIns(areas);
  await starting?.close();
  await openHttp(running);
  await startBackgroundWork(running);
  const profile = await ensureFirstObjects(platform, areas, connectorUuid);
  await openHttps(running, { profile, names: certificateNames(hosts.names, values.publicUrl) });
  if (profile) await publishRoot(running, profile);
  await web.sidePages.open(stacks.listeners);
  listeners.side = web.sidePages.addresses();
  phase.ready = true;
  const announcement = await announceStart(running, { phase, out: options.out, configuration });
  return { announcement, platform, areas };
}

/** Console builds are stored next to the compiled sources, or in the data directory if that folder is not writable. */
const consoleCaches = ({ root }: DataDirectory): readonly string[] => [
  fileURLToPath(new URL('../../../../node_modules/.cache/signetry-console', import.meta.url)),
  join(root, 'console'),
];

/** Context of the later startup steps. */
interface RunningPlatform {
  readonly values: Settings;
  readonly platform: Platform;
  readonly areas: Areas;
  readonly directory: DataDirectory;
  /** Updated as listeners are opened. */
  readonly listeners: OpenListeners;
  readonly web: PlatformServer;
  readonly stacks: ReturnType<typeof stopOrder>;
  readonly grace: StopGrace;
  /** Database server warnings. */
  readonly warnings: readonly string[];
}

async function claimDataDirectory({
  configuration: { values },
  stack,
}: StartContext): Promise<{ directory: DataDirectory; lock: DirectoryLock }> {
  const directory = await openDataDirectory(values.data);
  const lock = await acquireDirectoryLock(directory.root);
  stack.defer(() => void lock.release());
  return { directory, lock };
}

/**
 * Binds the HTTP address before the start creates anything that would affect a corrected start. This is not needed for
 * port 0, because clients cannot know a port that has not been chosen yet.
 */
async function bindStartingListener(
  { http, https, scepHttps }: Readonly<OpenListeners>,
  stack: AsyncDisposableStack,
): Promise<StartingListener | undefined> {
  if (https) await assertFree(https, '--https');
  if (scepHttps) await assertFree(scepHttps, '--scep-https');
  if (http?.port === 0) await assertFree(http, '--http');
  if (!http || http.port === 0) return undefined;
  return stack.adopt(await openStartingListener(http), (each) => each.close());
}

async function openPlatformDatabase(
  { configuration: { values }, stack }: StartContext,
  given: {
    readonly directory: DataDirectory;
    readonly lock: DirectoryLock;
    readonly log: Logger;
    readonly connection: ConnectionFacts | undefined;
    readonly onProgress: (what: string) => void;
  },
): Promise<OpenDatabase> {
  const { directory, lock, log, connection, onProgress } = given;
  const { databaseUrl } = values;
  const opened = await openDatabase({
    directory: directory.root,
    databaseUrl,
    connection: databaseUrl === undefined ? connection : undefined,
    postgresSettings: values.postgresSettings,
    lock,
    log,
    onProgress,
  });
  stack.defer(() => opened.close());
  return opened;
}

const addressesOf = ({ http, https, scepHttps }: Readonly<OpenListeners>) =>
  [http, https, scepHttps].filter((address) => address !== undefined);

/**
 * Requests and jobs use the areas, and requests wake jobs: each is stopped after its users, regardless of the start
 * order. A stack created later is disposed earlier.
 */
const stopOrder = (stack: AsyncDisposableStack) => ({
  areas: stack.use(new AsyncDisposableStack()),
  work: stack.use(new AsyncDisposableStack()),
  listeners: stack.use(new AsyncDisposableStack()),
});

async function openHttp({ web: { server }, listeners, stacks, grace }: RunningPlatform): Promise<void> {
  stacks.listeners.defer(() => {
    grace.begin();
    return drain(server.server, () => server.close());
  });
  if (listeners.http) listeners.http = await listenHttp(server, listeners.http);
  else await server.ready();
}

async function startBackgroundWork({ platform, areas, stacks }: RunningPlatform): Promise<void> {
  await platform.jobs.start();
  stacks.work.defer(() => platform.jobs.stop());
  await platform.events.start();
  stacks.work.defer(() => platform.events.stop());
  for (const area of areas.all) {
    if (area.stop) stacks.areas.defer(() => area.stop?.());
    await area.start?.();
  }
}

/** Runs after the initial objects have been created, because the platform itself issues the listeners' certificate. */
async function openHttps(
  { platform, areas, directory, listeners, web, stacks, grace }: RunningPlatform,
  { profile, names }: { readonly profile: DefaultProfile | undefined; readonly names: readonly string[] },
): Promise<void> {
  if (!listeners.https && !listeners.scepHttps) return;
  if (!profile) {
    platform.log.warn('no HTTPS listener: there is no RA profile `default` to issue its certificate');
    return;
  }
  const certificate = { platform, areas, directory, profile, names };
  const material = await ensureHttpsCertificate(certificate);
  const opened: HttpsServer[] = [];
  const open = async (router: FastifyInstance, address: ListenAddress, options: Partial<TlsOptions> = {}) => {
    await router.ready();
    const https = await listenHttps(router, address, { ...material, ...options });
    web.limitConnections(https.server);
    opened.push(https.server);
    stacks.listeners.defer(() => {
      grace.begin();
      return drain(https.server, () => closeServer(https.server));
    });
    return https.address;
  };
  if (listeners.https) listeners.https = await open(web.server, listeners.https);
  if (listeners.scepHttps && web.scepServer)
    listeners.scepHttps = await open(web.scepServer, listeners.scepHttps, { flag: '--scep-https', requestCert: false });
  const keeper = maintainHttpsCertificate(opened, certificate);
  stacks.listeners.defer(() => keeper.stop());
}

/** Returns the public name first, then the listeners' names. */
function certificateNames(served: readonly string[], publicUrl: string | undefined): readonly string[] {
  const publicName = publicUrl === undefined ? [] : [new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1')];
  return [...new Set([...publicName, ...served])];
}

/**
 * Writes the root certificate to the data directory and prepares the OCSP responder, so that the first client does not
 * wait for it.
 */
async function publishRoot({ platform, areas, directory }: RunningPlatform, profile: DefaultProfile): Promise<void> {
  await writeRootCertificate(areas, { profile, directory });
  try {
    await areas.revocation.revocation.ensureResponder(profile.authorityUuid);
  } catch (error) {
    platform.log.warn({ error }, 'cannot prepare the OCSP responder; it is created on the first request');
  }
}

async function announceStart(
  { values, platform, areas, directory, listeners, web, stacks, warnings }: RunningPlatform,
  start: Pick<StartOptions, 'out'> &
    Pick<StartContext, 'configuration'> & { phase: { ready: boolean; leaving: boolean } },
): Promise<Announcement> {
  const { phase, out, configuration } = start;
  const problem = revocationUrlProblem(platform.revocationUrl());
  if (problem !== undefined) platform.log.warn(problem);
  const warning = testModeWarning(values);
  if (warning !== undefined) platform.log.warn(warning);
  const { sidePages } = web;
  const announcement = await announce({ values, areas, directory, listeners, sidePages, warning, out });
  const settings = configurationRows(configuration);
  await writeRunFile(directory, { announcement, areas, settings, warnings, now: platform.clock.now() });
  stacks.listeners.defer(() => announcement.removeRunFile());
  // First shutdown step: load balancers detect that this node is leaving, and have time to switch to other nodes.
  stacks.listeners.defer(async () => {
    Object.assign(phase, { ready: false, leaving: true });
    await delay(values.shutdownDelayMs ?? shutdownDelayMs(values.databaseUrl));
    for (const area of areas.all) area.leave?.();
  });
  if (values.readyFile !== undefined) await writeReadyFile(values.readyFile, announcement);
  return announcement;
}

/**
 * Nodes that share a database are behind a load balancer, which checks readiness every few seconds; other nodes are
 * not.
 */
const shutdownDelayMs = (databaseUrl: string | undefined): number => (databaseUrl === undefined ? 300 : 5_000);

/** An unreadable list aborts the start: the operator relies on it. */
async function openWeakKeyLists(folder: string | undefined, log: Logger): Promise<WeakKeyLists | undefined> {
  if (folder === undefined) return undefined;
  try {
    const lists = await readWeakKeyLists(folder);
    log.info({ folder, keys: lists.size }, 'loaded the weak key lists');
    return lists;
  } catch (error) {
    throw new ConfigurationError(`--weak-key-lists: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
