// Starts the platform: data directory, database, areas, first objects, listeners; and stops it in the reverse order.
import { acquireDirectoryLock } from '../platform/database/embedded/index.ts';
import { Events } from '../platform/events/outbox.ts';
import { bindRoutes } from '../platform/http/binder.ts';
import { createConnectionLimit } from '../platform/http/connection-limit.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import { createLogger, type Logger } from '../platform/logging/logger.ts';
import { createRateLimits } from '../platform/limits/rate-limits.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { createEgressGate } from '../platform/net/egress.ts';
import { networks } from '../platform/net/networks.ts';
import type { Platform } from '../platform/platform.ts';
import { systemClock } from '../kernel/clock.ts';
import { killingFaultPoints, noFaults } from '../kernel/fault-points.ts';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAreas, type Areas } from './areas.ts';
import { announce, writeReadyFile, writeRunFile, type Announcement } from './announce.ts';
import { readConfiguration, type Configuration } from './configuration.ts';
import { noConsole, prepareConsole, type ConsoleBuild } from './console-build.ts';
import { createConsolePages } from './console-pages.ts';
import { openDataDirectory, readNodeId, type DataDirectory } from './data-directory.ts';
import { bringUpBuiltIns, ensureFirstObjects, type DefaultProfile } from './first-start.ts';
import { ensureHttpsCertificate, keepHttpsCertificate } from './https-certificate.ts';
import {
  assertFree,
  closed,
  drain,
  isLoopback,
  listenerUrl,
  listenHttp,
  listenHttps,
  parseAddress,
  servedHosts,
  type Address,
} from './listeners.ts';
import { openDatabase } from './open-database.ts';
import { isOwnListener } from './own-listeners.ts';
import { ratesOf } from './rate-settings.ts';
import { openKeys, witnessColumn } from './sealing-key.ts';
import { createSidePages, type SidePages } from './side-pages.ts';
import { createStopGrace, type StopGrace } from './stop-grace.ts';
import { serveRootCertificate, writeRootCertificate } from './root-certificate.ts';
import type { FastifyInstance } from 'fastify';

/** Builds of the console are kept here, beside the compiled sources, or in the data directory when the clone is not ours to write to. */
const CONSOLE_CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/signetry-console', import.meta.url));

export interface StartOptions {
  /** Command-line arguments after `start`. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the lines for people go. */
  readonly out: (line: string) => void;
  /** Answers are checked against the contract; for tests. */
  readonly checkReplies?: boolean;
  /** Leaves the console out; for tests that need none. */
  readonly withoutConsole?: boolean;
  /** Pauses before further attempts at an ACME challenge; for tests, which need not wait for targets to change. */
  readonly acmeRetryDelaysMs?: readonly number[];
  /**
   * How long a rotation of the sealing key waits for what was sealed before; for tests, which have nothing under way.
   */
  readonly keySettleMs?: number;
}

export interface RunningServer {
  /** Addresses, sign-in link and the rest of what the ready file holds. */
  readonly announcement: Announcement;
  /** For tests and tools that run in this process. */
  readonly platform: Platform;
  readonly areas: Areas;
  /** Ends new work, lets work under way finish, closes the database. May be called more than once. */
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

interface Bound {
  http: Address | undefined;
  https: Address | undefined;
  /** Of pages that have one of their own. */
  side: readonly Address[];
}

interface Starting {
  readonly configuration: Configuration;
  /** What was opened so far; closed in reverse order. */
  readonly stack: AsyncDisposableStack;
}

async function start(options: StartOptions, { configuration, stack }: Starting): Promise<Omit<RunningServer, 'stop'>> {
  const { values } = configuration;
  const log = createLogger({ level: values.logLevel });
  const directory = await openDataDirectory(values.data);
  const lock = await acquireDirectoryLock(directory.root);
  stack.defer(() => void lock.release());
  const grace = createStopGrace(values.stopGraceMs);
  stack.defer(() => grace.end());
  const httpAddress = parseAddress(values.http);
  const httpsAddress = parseAddress(values.https);
  if (httpAddress) await assertFree(httpAddress, '--http');
  if (httpsAddress) await assertFree(httpsAddress, '--https');
  const opened = await openDatabase({
    directory: directory.root,
    databaseUrl: values.databaseUrl,
    postgresSettings: values.postgresSettings,
    lock,
    log,
  });
  stack.defer(() => opened.close());

  const addresses = [httpAddress, httpsAddress].filter((address) => address !== undefined);
  /** Listeners with the ports that are really open; requested ports until then. */
  const bound: Bound = { http: httpAddress, https: httpsAddress, side: [] };
  const state = { ready: false, leaving: false };
  const keys = await openKeys({ directory, file: values.sealingKeyFile, database: opened.database });
  const platform = await createPlatform({
    configuration,
    sealer: keys.ring,
    directory,
    log,
    database: opened.database,
    bound,
    environment: options.environment,
    grace,
  });
  stack.defer(() => void platform.metrics.stop());
  opened.health.probe(platform.database, platform.nodeId);
  const areas = createAreas(platform, {
    issueWaitMs: values.issueWaitMs,
    isReady: () => state.ready && opened.isUp(),
    acceptedClock: values.acceptClock,
    keys: { ...keys, columns: [witnessColumn], settleMs: options.keySettleMs },
    trustedProxies: values.trustedProxies,
    audit: {
      endFile: values.auditEndFile,
      endWebhook: values.auditEndWebhook,
      endIntervalMs: values.auditEndMinutes * 60_000,
    },
    acme: {
      directoryBase: () => values.publicUrl ?? securedUrl(bound),
      linkOrigin: (requestOrigin) => values.publicUrl ?? requestOrigin,
      settings: {
        resolver: values.acmeDns,
        http01Port: values.acmeHttp01Port,
        tlsAlpn01Port: values.acmeTlsAlpn01Port,
        // Whoever can ask for such a certificate is on this machine, too.
        allowLoopback: addresses.every(({ host }) => isLoopback(host)),
        retryDelaysMs: options.acmeRetryDelaysMs,
        maxOpenOrders: values.limitAcmePendingOrders,
      },
    },
  });

  const hosts = servedHosts(addresses, values.publicUrl);
  const console = options.withoutConsole
    ? noConsole
    : prepareConsole({ directories: [CONSOLE_CACHE, join(directory.root, 'console')], log });
  stack.defer(() => console.stop());
  const limitConnections = createConnectionLimit({
    max: values.limitConnections,
    exempt: networks(values.trustedProxies),
    onRefused: () => platform.metrics.refusedConnections.inc(),
  });
  const sidePages = createSidePages({
    places: { metrics: values.metrics, docs: values.docs },
    metrics: platform.metrics,
    publicUrl: values.publicUrl,
    limitConnections,
    onFault: faultLog(platform),
  });
  const server = createServer({
    options,
    configuration,
    platform,
    areas,
    isServedHost: hosts.isServed,
    isLeaving: () => state.leaving,
    directory,
    console,
    sidePages,
  });
  // Requests and jobs use the areas, requests wake jobs: what is used ends after those who use it, whatever began first.
  const startedAreas = stack.use(new AsyncDisposableStack());
  const work = stack.use(new AsyncDisposableStack());
  const doors = stack.use(new AsyncDisposableStack());
  const drained = (listener: Parameters<typeof drain>[0], close: () => Promise<unknown>): Promise<void> => {
    grace.begin();
    return drain(listener, close);
  };
  doors.defer(() => drained(server.server, () => server.close()));
  limitConnections(server.server);
  const connectorUuid = await bringUpBuiltIns(areas);
  if (httpAddress) bound.http = await listenHttp(server, httpAddress);
  else await server.ready();

  await startBackgroundWork(platform, areas, { startedAreas, work });
  const profile = await ensureFirstObjects(platform, areas, connectorUuid);
  if (httpsAddress && profile) {
    const certificate = { platform, areas, directory, profile, names: certificateNames(hosts.names, values.publicUrl) };
    const https = await listenHttps(server, httpsAddress, await ensureHttpsCertificate(certificate));
    limitConnections(https.server);
    bound.https = https.address;
    const keeper = keepHttpsCertificate(https.server, certificate);
    doors.defer(() => drained(https.server, () => closed(https.server)));
    doors.defer(() => keeper.stop());
  } else if (httpsAddress)
    log.warn('no HTTPS listener: there is no RA profile `default` that could issue its certificate');
  if (profile) await writeRootCertificate(areas, { profile, directory });
  if (values.publicUrl === undefined)
    log.warn(
      `certificates name ${platform.publicUrl()} for CRL, OCSP and issuer download; set --public-url to an address that clients reach`,
    );

  if (profile) await prepareRevocation(platform, areas, profile);
  await sidePages.open(doors);
  bound.side = sidePages.addresses();
  state.ready = true;
  const announcement = await announce({
    areas,
    directory,
    http: bound.http,
    https: bound.https,
    publicUrl: values.publicUrl,
    sidePages,
    out: options.out,
  });
  await writeRunFile(directory, { announcement, areas, now: platform.clock.now() });
  doors.defer(() => announcement.removeRunFile());
  // First of all: who was told to come here is told otherwise, and gets the time to hear it.
  doors.defer(async () => {
    Object.assign(state, { ready: false, leaving: true });
    await delay(values.shutdownDelayMs ?? shutdownDelayMs(values.databaseUrl));
  });
  if (values.readyFile !== undefined) await writeReadyFile(values.readyFile, announcement);
  return { announcement, platform, areas };
}

/**
 * Nodes that share a database stand behind a load balancer, which asks for readiness every few seconds; others stand
 * alone.
 */
const shutdownDelayMs = (databaseUrl: string | undefined): number => (databaseUrl === undefined ? 300 : 5_000);

/** Makes the OCSP responder now, so that the first client does not wait for it. Nothing else depends on it. */
async function prepareRevocation(platform: Platform, areas: Areas, { authorityUuid }: DefaultProfile): Promise<void> {
  try {
    await areas.revocation.revocation.ensureResponder(authorityUuid);
  } catch (error) {
    platform.log.warn({ error }, 'the OCSP responder could not be prepared; it is made when it is asked for');
  }
}

async function createPlatform(facts: {
  readonly configuration: Configuration;
  readonly sealer: Platform['sealer'];
  readonly directory: DataDirectory;
  readonly log: Logger;
  readonly database: Platform['database'];
  readonly bound: Readonly<Bound>;
  readonly environment: StartOptions['environment'];
  readonly grace: StopGrace;
}): Promise<Platform> {
  const { configuration, sealer, directory, log, database, bound, environment, grace } = facts;
  const { values } = configuration;
  const jobs = new Jobs({ database, log });
  const metrics = createMetrics();
  const fault = environment['SIGNETRY_FAULT_POINT'];
  return {
    database,
    jobs,
    events: new Events({ database, jobs, log }),
    sealer,
    limits: createRateLimits({ database, sealer, rates: ratesOf(values) }),
    clock: systemClock,
    log,
    metrics,
    egress: createEgressGate({
      allowLoopback: false,
      allowedHosts: values.egressAllowedHosts,
      onlyHosts: values.egressOnlyHosts,
      onRefused: (reason) => metrics.egressRefusals.inc({ reason }),
      isOwnListener: (address, port) => isOwnListener([bound.http, bound.https, ...bound.side], { address, port }),
    }),
    nodeId: await readNodeId(directory),
    publicUrl: () => values.publicUrl ?? ownUrl(bound),
    giveUp: grace.signal,
    faultPoint: fault === undefined ? noFaults : killingFaultPoints(fault),
  };
}

/** Without a public URL, the plain listener: CRL and OCSP are fetched by clients that trust nothing yet. */
const ownUrl = (bound: { readonly http: Address | undefined; readonly https: Address | undefined }): string =>
  bound.http ? listenerUrl('http', bound.http) : listenerUrl('https', bound.https ?? { host: '127.0.0.1', port: 443 });

/** Clients of ACME speak HTTPS (RFC 8555 §6.1); without that listener a proxy in front of the plain one does. */
const securedUrl = (bound: { readonly http: Address | undefined; readonly https: Address | undefined }): string =>
  bound.https ? listenerUrl('https', bound.https) : ownUrl(bound);

const faultLog =
  ({ log }: Platform) =>
  (error: Error, where: { requestId: string; operation: string }): void =>
    log.error({ error, ...where }, 'a request failed');

function createServer(facts: {
  readonly options: StartOptions;
  readonly configuration: Configuration;
  readonly platform: Platform;
  readonly areas: Areas;
  readonly isServedHost: (host: string) => boolean;
  readonly isLeaving: () => boolean;
  readonly directory: DataDirectory;
  readonly console: ConsoleBuild;
  readonly sidePages: SidePages;
}): FastifyInstance {
  const { options, configuration, platform, areas, isServedHost, isLeaving, directory, sidePages } = facts;
  const { metrics } = platform;
  const onFault = faultLog(platform);
  const { trustedProxies, publicUrl } = configuration.values;
  const consolePages = createConsolePages(facts.console, { linksDocs: sidePages.isOnOrdinaryListeners('docs') });
  const server = createHttpServer({
    isServedHost,
    isLeaving,
    trustedProxies,
    onFault,
    page: consolePages.page,
    strictTransportHost: publicUrl?.startsWith('https:') ? new URL(publicUrl).hostname : undefined,
  });
  server.addHook('onResponse', async (request, reply) => {
    metrics.httpRequests.observe(
      { operation: request.routeOptions.config.operation ?? 'other', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
  sidePages.serve(server);
  consolePages.serve(server);
  serveRootCertificate(server, directory);
  for (const area of areas.all) area.http?.(server);
  bindRoutes(
    server,
    areas.all.flatMap((area) => area.routes ?? []),
    {
      basePath: '/api',
      gatekeeper: areas.identity.gatekeeper,
      onRefusal: (context, error) => areas.audit.recordRefusal(context, error),
      onFault,
      checkReplies: options.checkReplies ?? false,
    },
  );
  return server;
}

async function startBackgroundWork(
  platform: Platform,
  areas: Areas,
  stacks: { readonly startedAreas: AsyncDisposableStack; readonly work: AsyncDisposableStack },
): Promise<void> {
  const { startedAreas, work } = stacks;
  await platform.jobs.start();
  work.defer(() => platform.jobs.stop());
  platform.events.start();
  work.defer(() => platform.events.stop());
  for (const area of areas.all) {
    if (area.stop) startedAreas.defer(() => area.stop?.());
    await area.start?.();
  }
}

/** The public name first, then the listeners' names. */
function certificateNames(served: readonly string[], publicUrl: string | undefined): readonly string[] {
  const publicName = publicUrl === undefined ? [] : [new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1')];
  return [...new Set([...publicName, ...served])];
}
