// The HTTP side of CMP (RFC 9811): in both families of addresses, one media type, and an answer of CMP to everything
// that is a message at all.
import { cmpProfileFamily, cmpRaProfileFamily, PLATFORM_BASE_PATH, type Operation } from '@signetry/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServedPlace } from '../../areas/protocol-profiles/index.ts';
import type { Actor, RequestContext } from '../../kernel/actor.ts';
import { CmpRefusal } from './refusal.ts';

const PREFIX = `${PLATFORM_BASE_PATH}/v1/protocols/cmp`;
const MEDIA_TYPE = 'application/pkixcmp';
const MAX_MESSAGE = 1024 * 1024;

export interface CmpHttpParts {
  readonly serve: (received: { place: ServedPlace; der: Uint8Array }, context: RequestContext) => Promise<Uint8Array>;
  readonly refuse: (refusal: CmpRefusal) => Promise<Uint8Array>;
  /** The system user that requests of the protocol act as. */
  readonly actor: () => Promise<Actor>;
}

export function cmpHttp(parts: CmpHttpParts): (server: FastifyInstance) => void {
  const families = [
    { family: 'profile', table: cmpProfileFamily },
    { family: 'raProfile', table: cmpRaProfileFamily },
  ] as const;
  return (server) => {
    void server.register(
      async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser(MEDIA_TYPE, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
        for (const { family, table } of families)
          for (const operation of Object.values<Operation>(table)) bind(scope, { family, operation, parts });
      },
      { prefix: PREFIX },
    );
  };
}

function bind(
  scope: FastifyInstance,
  facts: {
    readonly family: ServedPlace['family'];
    readonly operation: Operation;
    readonly parts: CmpHttpParts;
  },
): void {
  const { family, operation, parts } = facts;
  scope.route({
    method: operation.method,
    url: operation.path.slice('/v1/protocols/cmp'.length).replaceAll(/\{(\w+)\}/g, ':name'),
    bodyLimit: MAX_MESSAGE,
    config: { operation: operation.id },
    handler: async (request, reply) => {
      const { name } = request.params as { name: string }; // the path has it
      const answer =
        operation.method === 'GET'
          ? await parts.refuse(new CmpRefusal('badRequest', 'Messages of CMP are sent by POST (RFC 9811).'))
          : await parts.serve(
              { place: { family, name }, der: octetsOf(request) },
              contextOf(request, await parts.actor()),
            );
      return reply.type(MEDIA_TYPE).header('cache-control', 'no-store').send(Buffer.from(answer));
    },
  });
}

const octetsOf = ({ body }: FastifyRequest): Uint8Array => (body instanceof Uint8Array ? body : new Uint8Array());

/** Work is not aborted when its client disconnects: the client finds the result when it polls. */
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
