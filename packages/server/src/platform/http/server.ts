// The HTTP server around all routes: limits, host check, request IDs, and the responses to unknown paths and methods.
import { randomUUID } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { anonymous } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import { deferBodyRequests, connectionOptions, rejectConnection, TIME_LIMITS, type TimeLimits } from './connections.ts';
import { JSON_BODY_LIMIT_BYTES } from './json-body.ts';
import { acceptedMedia, asAppError, dropUnsendableHeaders, isFault, renderRestError } from './render-error.ts';
import { assertOneHost, routedPath } from './request-target.ts';
import { useTitleCase, writeTitleCaseHeaders } from './title-case-headers.ts';
import { handleUnreadBodies } from './unread-body.ts';

/** One year, during which browsers that have received the header use only HTTPS for this host (RFC 6797). */
const STRICT_TRANSPORT = 'max-age=31536000';
const MAX_PATH_PARAMETER_CHARS = 512;

export interface HttpServerOptions {
  /** Whether this server serves the host. Guards against DNS rebinding. */
  readonly isServedHost: (host: string) => boolean;
  /**
   * Whether the server is stopping. If so, responses ask clients to close the connection, so that their next connection
   * reaches a different node.
   */
  readonly isLeaving?: () => boolean;
  /** IP addresses of reverse proxies whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  readonly onFault: (error: AppError, facts: { requestId: string; operation: string }) => void;
  /** Responds to a browser that requests a path without a route. */
  readonly page?: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /**
   * Host name for which browsers must use only HTTPS. On TLS connections to this process, all other names belong to its
   * own HTTPS listener and are treated in the same way.
   */
  readonly strictTransportHost?: string | undefined;
  readonly timeLimits?: TimeLimits;
}

/** Builds a server without routes; the caller binds the routes and starts listening. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const limits = options.timeLimits ?? TIME_LIMITS;
  const connections = connectionOptions(limits);
  const server = Fastify({
    bodyLimit: JSON_BODY_LIMIT_BYTES,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    genReqId: () => randomUUID(),
    requestTimeout: connections.requestTimeout,
    keepAliveTimeout: connections.keepAliveTimeout,
    forceCloseConnections: 'idle',
    // Requests on open connections are still served, and their responses close the connection, so that clients do not
    // notice that a node is stopping.
    return503OnClosing: false,
    logger: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER_CHARS },
    rewriteUrl: routedPath,
    http: connections,
    clientErrorHandler: (cause, socket) => rejectConnection(cause, socket, limits),
    frameworkErrors: rejectPath,
  });
  deferBodyRequests(server.server);
  server.decorateRequest('actor', null as unknown as typeof anonymous); // Set in onRequest, before any handler runs.
  writeTitleCaseHeaders(server);
  server.addHook('onRequest', async (request, reply) => {
    request.actor = anonymous;
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (isStrictTransport(request, options.strictTransportHost))
      reply.header('strict-transport-security', STRICT_TRANSPORT);
    assertOneHost(request.raw);
    if (options.isLeaving?.()) reply.header('connection', 'close');
    if (!options.isServedHost(request.host))
      throw new AppError('host_not_served', { host: request.host.slice(0, 255) });
    rejectNul(request);
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      throw new AppError('unsupported_media_type', {
        received: `${encoding} encoded`,
        accepted: acceptedMedia(request),
      });
    // Requests without a route are rejected before their body is read.
    if (request.is404 && !isBodyless(request.method)) throw noRoute(server, request);
  });
  handleUnreadBodies(server);
  server.setErrorHandler(async (cause, request, reply) => {
    const error = asAppError(cause, request);
    if (isFault(error))
      options.onFault(error, {
        requestId: request.id,
        operation: request.routeOptions.config.operation ?? request.url,
      });
    const { status, headers, body } = renderRestError(error, undefined);
    dropUnsendableHeaders(reply);
    await reply
      .status(status)
      .headers({ 'cache-control': 'no-store', ...headers })
      .send(JSON.stringify(body));
  });
  server.setNotFoundHandler(async (request, reply) => {
    const refusal = noRoute(server, request);
    if (refusal.code === 'route_not_found' && options.page && opensPage(request))
      return options.page(request, reply.status(200));
    throw refusal;
  });
  return server;
}

/**
 * Whether to send the HSTS header, which is never sent over plain HTTP (RFC 6797 §7.2). A proxy that terminates TLS
 * also serves names other than ours.
 */
function isStrictTransport({ hostname, protocol, raw }: FastifyRequest, publicHost: string | undefined): boolean {
  if (publicHost === undefined) return false;
  return raw.socket instanceof TLSSocket || (hostname === publicHost && protocol === 'https');
}

/**
 * Rejects U+0000. The database cannot store it, so no object has it in its name, and it is neither looked up nor
 * recorded.
 */
function rejectNul(request: FastifyRequest): void {
  if (!request.url.includes('%00')) return;
  const [path = '', query = ''] = request.url.split('?', 2);
  request.params = {};
  request.query = {};
  if (path.includes('%00')) throw new AppError('route_not_found', { method: request.method, path });
  if (query.includes('%00'))
    throw new AppError('malformed_request', { problem: 'its query contains the character U+0000' });
}

/**
 * Returns an error with the reason why no route matches: the path does not exist, or it does not support the method.
 */
export function noRoute(server: FastifyInstance, { method, url }: FastifyRequest): AppError {
  const path = url.split('?', 1)[0] ?? url;
  const allowed = (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
    (candidate) =>
      server.findRoute({ method: candidate, url: path }) || server.hasRoute({ method: candidate, url: path }),
  );
  return allowed.length > 0
    ? new AppError('method_not_allowed', { method, path, allowed })
    : new AppError('route_not_found', { method, path });
}

/** Whether the method is one for which Fastify does not read a body. */
const isBodyless = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Returns whether a browser opens a page. API clients accept JSON or any media type; browsers explicitly ask for HTML.
 */
export const opensPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');

/**
 * Paths that the router cannot parse reach no hook and no error handler, so this handler returns the usual error for
 * them.
 */
function rejectPath(cause: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const problem =
    cause.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? `a path segment is longer than ${MAX_PATH_PARAMETER_CHARS} characters`
      : 'its path has invalid percent-encoding';
  useTitleCase(request.raw, reply.raw);
  const { status, headers, body } = renderRestError(
    new AppError('malformed_request', { problem }, { cause }),
    undefined,
  );
  void reply
    .status(status)
    .headers({
      ...headers,
      'cache-control': 'no-store',
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
    })
    .send(JSON.stringify(body));
}
