// The platform's HTTP server: the API, the protocols, the console and the other pages, on one router. It does not
// listen yet.
import type { Server } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TLSSocket } from 'node:tls';
import { namedObjects } from '../areas/audit/index.ts';
import { isAllowed, type Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import { bindRoutes } from '../platform/http/binder.ts';
import { createConnectionLimit } from '../platform/http/connection-limit.ts';
import { createRecentClients, type RecentClients } from '../platform/http/recent-clients.ts';
import { createHttpServer, opensPage } from '../platform/http/server.ts';
import { networks } from '../platform/net/networks.ts';
import type { Platform } from '../platform/platform.ts';
import type { OpenListeners } from './public-urls.ts';
import type { Areas } from './areas.ts';
import type { ConsoleBuild } from './console-build.ts';
import { createConsolePages } from './console-pages.ts';
import type { DataDirectory } from './data-directory.ts';
import { listenerUrl } from './listeners.ts';
import { serveRootCertificate } from './root-certificate.ts';
import type { Settings } from './settings.ts';
import { createSidePages, type SidePages } from './side-pages.ts';

export interface ServerParts {
  readonly values: Settings;
  readonly platform: Platform;
  readonly areas: Areas;
  readonly directory: DataDirectory;
  /** Updated as listeners are opened. */
  readonly listeners: Readonly<OpenListeners>;
  readonly isServedHost: (host: string) => boolean;
  readonly isLeaving: () => boolean;
  readonly console: ConsoleBuild;
  readonly checkReplies: boolean;
}

export interface PlatformServer {
  readonly server: FastifyInstance;
  /** Serves only SCEP; undefined if it has no listener of its own. */
  readonly scepServer: FastifyInstance | undefined;
  readonly sidePages: SidePages;
  readonly recentClients: Pick<RecentClients, 'count'>;
  /** Applies the per-address connection limit to a listener. */
  readonly limitConnections: (server: Server) => void;
}

export function createServer(parts: ServerParts): PlatformServer {
  const { values, platform } = parts;
  const limitConnections = createConnectionLimit({
    max: values.limitConnections,
    exempt: networks(values.trustedProxies),
    onRejected: () => platform.metrics.refusedConnections.inc(),
  });
  const sidePages = createSidePages({
    places: { metrics: values.metrics, docs: values.docs },
    metrics: platform.metrics,
    publicUrl: values.publicUrl,
    limitConnections,
    onFault: createFaultLogger(platform),
  });
  const recentClients = createRecentClients();
  const server = createRouter(parts, { sidePages, recentClients });
  limitConnections(server.server);
  const scepServer = parts.listeners.scepHttps && createScepRouter(parts, recentClients);
  return { server, scepServer, sidePages, recentClients, limitConnections };
}

function createScepRouter(
  { values, platform, areas, isServedHost, isLeaving }: ServerParts,
  recentClients: RecentClients,
): FastifyInstance {
  const { trustedProxies } = values;
  const server = createHttpServer({ isServedHost, isLeaving, trustedProxies, onFault: createFaultLogger(platform) });
  observeRequests(server, { metrics: platform.metrics, recentClients });
  areas.scep.http?.(server);
  return server;
}

function createRouter(
  parts: ServerParts,
  { sidePages, recentClients }: Pick<PlatformServer, 'sidePages'> & { readonly recentClients: RecentClients },
): FastifyInstance {
  const { platform, areas, directory, console, isServedHost, isLeaving, checkReplies } = parts;
  const { trustedProxies, publicUrl } = parts.values;
  const onFault = createFaultLogger(platform);
  const consolePages = createConsolePages(console, { linksDocs: sidePages.isOnOrdinaryListeners('docs') });
  const server = createHttpServer({
    isServedHost,
    isLeaving,
    trustedProxies,
    onFault,
    page: consolePages.page,
    strictTransportHost: publicUrl?.startsWith('https:') ? new URL(publicUrl).hostname : undefined,
  });
  observeRequests(server, { metrics: platform.metrics, recentClients });
  if (parts.values.httpServes === 'revocation') serveRevocationOnly(server, (host) => httpsBase(parts, host));
  sidePages.serve(server, async (request) => {
    const actor = await areas.identity.gatekeeper.authenticate(request);
    assertMayReadMetrics(actor);
  });
  consolePages.serve(server);
  serveRootCertificate(server, directory);
  for (const area of areas.all) area.http?.(server);
  const routes = areas.all.flatMap((area) => area.routes ?? []);
  bindRoutes(server, routes, {
    gatekeeper: areas.identity.gatekeeper,
    onRead: ({ context, operation, answer }) =>
      areas.audit.recordRead(context, () => namedObjects(operation, context.parameters, answer)),
    onRefusal: ({ context, operation, error }) =>
      areas.audit.recordRefusal(context, {
        message: error.message,
        objects: namedObjects(operation, context.parameters),
      }),
    onFault,
    checkReplies,
  });
  return server;
}

/** Metrics reveal issuance volumes and connection targets, as the settings do, so they require the same permission. */
function assertMayReadMetrics({ type, permissions }: Actor): void {
  if (type === 'anonymous')
    throw new AppError('unauthenticated', { reason: 'metrics require a token (setting metrics)' });
  if (!isAllowed(permissions, 'settings', 'detail', []))
    throw new AppError('access_denied', { resource: 'settings', action: 'detail' });
}

/** Returns the public URL, or the HTTPS listener's URL under the requested host name. */
function httpsBase({ values: { publicUrl }, listeners: { https } }: ServerParts, host: string): string {
  if (publicUrl?.startsWith('https:')) return publicUrl;
  return listenerUrl('https', { host: host.replace(/^\[(.*)\]$/, '$1'), port: https?.port ?? 443 });
}

function observeRequests(
  server: FastifyInstance,
  { metrics, recentClients }: Pick<Platform, 'metrics'> & { readonly recentClients: RecentClients },
): void {
  server.addHook('onRequest', (request, _reply, done) => {
    recentClients.note(request.raw.socket);
    done();
  });
  server.addHook('onResponse', async (request, reply) => {
    metrics.httpRequests.observe(
      { operation: request.routeOptions.config.operation ?? 'other', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
}

const createFaultLogger =
  ({ log }: Platform) =>
  (error: Error, where: { requestId: string; operation: string }): void =>
    log.error({ error, ...where }, 'a request failed');

// The plain HTTP listener in revocation mode. It serves only node health for load balancers, and content that must be
// fetched without TLS: CRLs, OCSP and CA certificates. Everything else requires the HTTPS listener.

/** Patterns of the served routes, as declared. */
const SERVED = /^\/(?:crl|ocsp|ca|health)\//;

/** Redirects browsers to HTTPS and rejects all other requests. `httpsBase` receives the requested host name. */
function serveRevocationOnly(server: FastifyInstance, httpsBase: (host: string) => string): void {
  server.addHook('onRequest', async (request, reply) => {
    if (request.raw.socket instanceof TLSSocket || SERVED.test(request.routeOptions.url ?? '')) return;
    const base = httpsBase(request.hostname);
    if (!isPageRequest(request)) throw new AppError('https_only', { url: base });
    // Not cached: the listener may serve everything again later.
    return reply.header('cache-control', 'no-store').redirect(`${base}${request.originalUrl}`, 307);
  });
}

/**
 * Returns whether the request is a browser opening a page. API clients are rejected instead of redirected, because a
 * redirect would hide the fact that each call first sends its credentials without TLS.
 */
const isPageRequest = (request: FastifyRequest): boolean =>
  opensPage(request) && request.headers.authorization === undefined;
