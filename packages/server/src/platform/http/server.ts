// The HTTP server around all routes: limits, host check, request ids, and the answers for what no route takes.
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { anonymous } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import { JSON_BODY_LIMIT_BYTES } from './json-body.ts';
import { asAppError, isFault, renderRestError } from './render-error.ts';

/** Slow clients are cut off: 10 s for the headers, 30 s for the whole request. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 75_000;
const MAX_HEADER_BYTES = 32 * 1024;
const MAX_PATH_PARAMETER_CHARS = 512;

export interface HttpServerOptions {
  /** Does this server answer for that Host? Guards against DNS rebinding. */
  readonly isServedHost: (host: string) => boolean;
  /** Is a stop under way? Then clients are told to come back over another connection, which leads elsewhere. */
  readonly isLeaving?: () => boolean;
  /** Addresses of reverse proxies whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[];
  readonly onFault: (error: AppError, facts: { requestId: string; operation: string }) => void;
  /** Answers a browser that opens an address which no route takes. */
  readonly page?: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

/** Builds a server without routes; the caller binds them and listens. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const server = Fastify({
    bodyLimit: JSON_BODY_LIMIT_BYTES,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    genReqId: () => randomUUID(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // What still arrives on open connections is served as ever and told to come back on another one: no client sees a node stop.
    return503OnClosing: false,
    logger: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER_CHARS },
    // A repeated slash at the start is sent by real clients; `new URL` would read the next part as a host.
    rewriteUrl: (request) => (request.url ?? '/').replace(/^\/{2,}/, '/').replace(/^(\/api)\/{2,}/, '$1/'),
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS },
    frameworkErrors: refusePath,
  });
  server.decorateRequest('actor', null as unknown as typeof anonymous); // set in onRequest, before any handler
  server.addHook('onRequest', async (request, reply) => {
    request.actor = anonymous;
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (options.isLeaving?.()) reply.header('connection', 'close');
    if (!options.isServedHost(request.host))
      throw new AppError('host_not_served', { host: request.host.slice(0, 255) });
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      throw new AppError('unsupported_media_type', { received: `${encoding} encoded` });
  });
  server.setErrorHandler(async (cause, request, reply) => {
    const error = asAppError(cause, request.id);
    if (isFault(error))
      options.onFault(error, {
        requestId: request.id,
        operation: request.routeOptions.config.operation ?? request.url,
      });
    const { status, headers, body } = renderRestError(error, undefined);
    await reply.status(status).headers(headers).send(JSON.stringify(body));
  });
  server.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? request.url;
    const allowed = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (method) => server.findRoute({ method, url: path }) || server.hasRoute({ method, url: path }),
    );
    if (allowed.length > 0) throw new AppError('method_not_allowed', { method: request.method, path, allowed });
    if (options.page && opensPage(request)) return options.page(request, reply.status(200));
    throw new AppError('route_not_found', { method: request.method, path });
  });
  return server;
}

/** Programs take JSON or whatever there is; who wants to see a page says so. */
const opensPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');

/** Paths that the router cannot read reach no hook and no error handler; they are answered in the usual form all the same. */
function refusePath(cause: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const problem =
    cause.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? `a part of its path is longer than ${MAX_PATH_PARAMETER_CHARS} characters`
      : 'its path has escapes that stand for no text';
  const { status, headers, body } = renderRestError(
    new AppError('malformed_request', { problem }, { cause }),
    undefined,
  );
  void reply
    .status(status)
    .headers({ ...headers, 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
    .send(JSON.stringify(body));
}
