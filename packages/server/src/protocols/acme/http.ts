// HTTP layer of the ACME server: serves its operations under both URL families, with its own media types and error
// format.
import {
  acmeProfileFamily,
  acmeRaProfileFamily,
  PLATFORM_BASE_PATH,
  type AcmeOperationName,
  type Operation,
} from '@signetry/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, RequestContext } from '../../kernel/actor.ts';
import type { AppError } from '../../kernel/errors.ts';
import { linkTo } from '../../platform/http/header-url.ts';
import { asAppError, dropUnsendableHeaders } from '../../platform/http/render-error.ts';
import { noRoute } from '../../platform/http/server.ts';
import { allowEveryOrigin } from './cross-origin.ts';
import { toRejection, presentRejection, rejection } from './model/problems.ts';
import { directoryUrl } from '../../areas/acme-profiles/index.ts';
import {
  RESERVED_NAME,
  isNameInUrls,
  type ProfileFamily,
  type ServedEndpoint,
} from '../../areas/protocol-profiles/index.ts';
import { MAX_BODY_BYTES } from './requests/authenticate.ts';
import type { AcmeReply } from './requests/call.ts';
import type { Nonces } from './requests/nonces.ts';
import type { AcmeOperation, Serve } from './requests/serve.ts';

const PREFIX = `${PLATFORM_BASE_PATH}/v1/protocols/acme`;
const JOSE = 'application/jose+json';

export interface AcmeHttpParts {
  readonly operations: Readonly<Record<AcmeOperationName, AcmeOperation>>;
  readonly serve: Serve;
  readonly nonces: Nonces;
  /** System user on whose behalf protocol requests run. */
  readonly actor: () => Promise<Actor>;
  /** Returns scheme and authority for URLs, derived from those of the request. */
  readonly linkOrigin: (requestOrigin: string) => string;
}

export function acmeHttp(parts: AcmeHttpParts): (server: FastifyInstance) => void {
  const families = [
    { family: 'profile', table: acmeProfileFamily },
    { family: 'raProfile', table: acmeRaProfileFamily },
  ] as const;
  return (server) => {
    void server.register(
      async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser(JOSE, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
        scope.setErrorHandler((error, request, reply) =>
          sendRejection(asAppError(error, request), { request, reply, parts }),
        );
        scope.setNotFoundHandler((request, reply) => sendRejection(noRoute(scope, request), { request, reply, parts }));
        allowEveryOrigin(
          scope,
          families.flatMap(({ table }) => Object.values<Operation>(table).map(routedPath)),
        );
        for (const { family, table } of families) {
          for (const [name, operation] of Object.entries(table) as [AcmeOperationName, Operation][])
            // The cast is safe because the keys are those of the table.
            bind(scope, { family, operation, implementation: parts.operations[name], parts });
        }
      },
      { prefix: PREFIX },
    );
  };
}

/** Path below the prefix, in the router's syntax. */
const routedPath = ({ path }: Operation): string =>
  path.slice('/v1/protocols/acme'.length).replaceAll(/\{(\w+)\}/g, ':$1');

function bind(
  scope: FastifyInstance,
  facts: {
    readonly family: ProfileFamily;
    readonly operation: Operation;
    readonly implementation: AcmeOperation;
    readonly parts: AcmeHttpParts;
  },
): void {
  const { family, operation, implementation, parts } = facts;
  const path = routedPath(operation);
  const [nameParameter = '', idParameter = ''] = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  scope.route({
    method: operation.method,
    url: path,
    // Every resource that supports GET also supports HEAD (RFC 9110 §9.1); the nonce resource has a separate operation
    // for HEAD.
    exposeHeadRoute: operation.method === 'GET' && !operation.path.endsWith('/new-nonce'),
    bodyLimit: MAX_BODY_BYTES,
    config: { operation: operation.id },
    handler: async (request, reply) => {
      const params = request.params as Record<string, string>; // The path has these parameters.
      const requestOrigin = `${request.protocol}://${request.host}`;
      const origin = parts.linkOrigin(requestOrigin);
      const answer = await parts.serve(implementation, {
        family,
        name: params[nameParameter] ?? '',
        id: params[idParameter] ?? '',
        // Values are strings; arrays are not valid cursors and are rejected.
        query: request.query as Record<string, string | undefined>,
        origin,
        envelope:
          operation.method === 'POST'
            ? { body: bodyOf(request), signedUrls: [`${origin}${request.originalUrl}`, `${origin}${request.url}`] }
            : undefined,
        context: contextOf(request, { actor: await parts.actor(), origin }),
        url: `${origin}${request.url}`,
      });
      return send(reply, answer);
    },
  });
}

/** Returns an empty array if there is no body. Such a request has no media type to reject. */
const bodyOf = (request: FastifyRequest): Uint8Array =>
  request.body instanceof Uint8Array ? request.body : new Uint8Array();

function send(reply: FastifyReply, { status, body, media, headers }: AcmeReply): FastifyReply {
  // Fastify does not modify the arrays.
  void reply.status(status).headers((headers ?? {}) as Record<string, string | string[]>);
  if (body === undefined) return reply.send();
  return media === undefined ? reply.type('application/json').send(JSON.stringify(body)) : reply.type(media).send(body);
}

/** Sends errors that occur before a request reaches its operation: body too large, wrong media type, unknown URL. */
function sendRejection(
  error: AppError,
  {
    request,
    reply,
    parts,
  }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly parts: AcmeHttpParts },
): FastifyReply {
  const refused =
    error.code === 'unsupported_media_type'
      ? rejection('malformed', `Signed requests must have the media type ${JOSE} (RFC 8555 §6.2).`, { status: 415 })
      : toRejection(error);
  dropUnsendableHeaders(reply);
  const origin = parts.linkOrigin(`${request.protocol}://${request.host}`);
  const directory = error.code === 'host_not_served' ? undefined : directoryAbove(request.url);
  return send(reply, {
    status: refused.status,
    media: 'application/problem+json',
    body: JSON.stringify(presentRejection(refused, `${origin}${request.url}`)),
    headers: {
      ...refused.facts.headers,
      ...('allowed' in error.parameters ? { allow: error.parameters.allowed.join(', ') } : {}),
      ...(directory ? { link: [linkTo(directoryUrl(origin, directory), 'index')] } : {}),
      'replay-nonce': parts.nonces.create(),
      'cache-control': 'no-store',
    },
  });
}

/** Returns the directory above a path, even if the path itself does not exist. */
function directoryAbove(path: string): ServedEndpoint | undefined {
  const [first = '', second = ''] = path.slice(PREFIX.length + 1).split(/[/?]/);
  const [family, name] = first === RESERVED_NAME ? (['raProfile', second] as const) : (['profile', first] as const);
  return isNameInUrls(name) ? { family, name } : undefined;
}

/** Work continues if the client disconnects; the client finds the result when it reconnects. */
const NEVER = new AbortController().signal;

const contextOf = (
  request: FastifyRequest,
  facts: { readonly actor: Actor; readonly origin: string },
): RequestContext => ({
  actor: facts.actor,
  requestId: request.id,
  audit: undefined,
  signal: NEVER,
  origin: facts.origin,
  source: {
    method: request.method,
    path: request.url,
    contentType: request.headers['content-type'] ?? null,
    ipAddress: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
  },
});
