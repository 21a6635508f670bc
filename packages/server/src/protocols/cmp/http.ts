// HTTP transport of CMP (RFC 9811): both URL families and /.well-known/cmp, one media type, and a CMP response to every
// message.
import { cmpProfileFamily, cmpRaProfileFamily, PLATFORM_BASE_PATH, type Operation } from '@signetry/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServedEndpoint } from '../../areas/protocol-profiles/index.ts';
import type { Actor, RequestContext } from '../../kernel/actor.ts';
import { CmpRejection } from './rejection.ts';

/** Profiles by name, below `p` (RFC 9811 §3.3). An operation label can follow; the message determines the operation. */
const WELL_KNOWN = '/.well-known/cmp';
const MEDIA_TYPE = 'application/pkixcmp';
const MAX_MESSAGE = 1024 * 1024;

export interface CmpHttpParts {
  readonly serve: (
    received: { place: ServedEndpoint; der: Uint8Array },
    context: RequestContext,
  ) => Promise<Uint8Array>;
  readonly refuse: (refusal: CmpRejection) => Promise<Uint8Array>;
  /** System user that performs protocol requests. */
  readonly actor: () => Promise<Actor>;
}

export function cmpHttp(parts: CmpHttpParts): (server: FastifyInstance) => void {
  const families = [
    { family: 'profile', table: cmpProfileFamily },
    { family: 'raProfile', table: cmpRaProfileFamily },
  ] as const;
  return (server) => {
    void server.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(MEDIA_TYPE, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      for (const { family, table } of families)
        for (const operation of Object.values<Operation>(table)) bind(scope, { family, operation, parts });
      bindWellKnown(scope, parts);
    });
  };
}

function bind(
  scope: FastifyInstance,
  facts: {
    readonly family: ServedEndpoint['family'];
    readonly operation: Operation;
    readonly parts: CmpHttpParts;
  },
): void {
  const { family, operation, parts } = facts;
  scope.route({
    method: operation.method,
    url: PLATFORM_BASE_PATH + operation.path.replaceAll(/\{(\w+)\}/g, ':name'),
    bodyLimit: MAX_MESSAGE,
    config: { operation: operation.id, accepts: MEDIA_TYPE },
    handler: async (request, reply) =>
      operation.method === 'GET'
        ? send(
            reply,
            await parts.refuse(new CmpRejection('badRequest', 'CMP messages must be sent with POST (RFC 9811).')),
          )
        : serveAt(parts, family, { request, reply }),
  });
}

function bindWellKnown(scope: FastifyInstance, parts: CmpHttpParts): void {
  const route = { method: 'POST', bodyLimit: MAX_MESSAGE, config: { accepts: MEDIA_TYPE } } as const;
  for (const url of [`${WELL_KNOWN}/p/:name`, `${WELL_KNOWN}/p/:name/:operation`])
    scope.route({ ...route, url, handler: (request, reply) => serveAt(parts, 'profile', { request, reply }) });
  const nameless = new CmpRejection('badRequest', `Specify the CMP profile in the URL: ${WELL_KNOWN}/p/NAME.`);
  for (const url of [WELL_KNOWN, `${WELL_KNOWN}/:operation`])
    scope.route({ ...route, url, handler: async (_request, reply) => send(reply, await parts.refuse(nameless)) });
}

async function serveAt(
  parts: CmpHttpParts,
  family: ServedEndpoint['family'],
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  const { name } = request.params as { name: string }; // The path has this parameter.
  const context = contextOf(request, await parts.actor());
  return send(reply, await parts.serve({ place: { family, name }, der: octetsOf(request) }, context));
}

const send = (reply: FastifyReply, message: Uint8Array): FastifyReply =>
  reply.type(MEDIA_TYPE).header('cache-control', 'no-store').send(Buffer.from(message));

const octetsOf = ({ body }: FastifyRequest): Uint8Array => (body instanceof Uint8Array ? body : new Uint8Array());

/** Work is not aborted when the client disconnects: the client gets the result when it polls. */
const NEVER = new AbortController().signal;

const contextOf = (request: FastifyRequest, actor: Actor): RequestContext => ({
  actor,
  requestId: request.id,
  audit: undefined,
  signal: NEVER,
  origin: `${request.protocol}://${request.host}`,
  source: {
    method: request.method,
    path: request.url,
    contentType: request.headers['content-type'] ?? null,
    ipAddress: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
  },
});
