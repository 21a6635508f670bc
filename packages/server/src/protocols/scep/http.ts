// HTTP transport for SCEP: both URL families, and messages in a GET query or a POST body.
import { PLATFORM_BASE_PATH, scepProfileFamily, scepRaProfileFamily, type Operation } from '@signetry/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ProfileFamily } from '../../areas/protocol-profiles/index.ts';
import type { Actor, RequestContext } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import type { ScepReply, ScepRequest } from './server.ts';

/** Requests are a few kilobytes long; chains from device manufacturers add a few more. */
const MAX_BODY_BYTES = 256 * 1024;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

export interface ScepHttpParts {
  readonly serve: (request: ScepRequest, context: RequestContext) => Promise<ScepReply>;
  /** System user that performs protocol requests. */
  readonly actor: () => Promise<Actor>;
}

export function scepHttp(parts: ScepHttpParts): (server: FastifyInstance) => void {
  const families = [
    { family: 'profile', operations: scepProfileFamily },
    { family: 'raProfile', operations: scepRaProfileFamily },
  ] as const;
  return (server) => {
    void server.register(async (scope) => {
      // Clients may send any media type.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      for (const { family, operations } of families)
        for (const operation of Object.values<Operation>(operations)) bind(scope, { family, operation, parts });
    });
  };
}

function bind(
  scope: FastifyInstance,
  {
    family,
    operation,
    parts,
  }: { readonly family: ProfileFamily; readonly operation: Operation; readonly parts: ScepHttpParts },
): void {
  scope.route({
    method: operation.method,
    url: `${PLATFORM_BASE_PATH}${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    exposeHeadRoute: false,
    bodyLimit: MAX_BODY_BYTES,
    config: { operation: operation.id },
    handler: async (request, reply) => {
      const [name = ''] = Object.values(request.params as Record<string, string>); // The path has one parameter.
      const query = request.query as Record<string, unknown>; // Strings, or arrays of strings.
      const asked = { family, name, operation: textOf(query.operation), message: messageOf(request, query) };
      const { media, body } = await parts.serve(asked, contextOf(request, await parts.actor()));
      return reply.header('cache-control', 'no-store').type(media).send(body);
    },
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads the message of PKIOperation. In other operations, GET contains a CA identifier, which is ignored. */
function messageOf(request: FastifyRequest, query: Readonly<Record<string, unknown>>): Uint8Array {
  if (request.body instanceof Uint8Array) return request.body;
  if (query.operation !== 'PKIOperation') return new Uint8Array();
  // Old clients do not escape the plus sign, which is then decoded as a space.
  const text = textOf(query.message).replaceAll(' ', '+');
  if (BASE64.test(text)) return Buffer.from(text, 'base64');
  throw new AppError('malformed_request', { problem: 'the query parameter message is not Base64' });
}

/** Work is not aborted when the client disconnects: the client gets the result when it tries again. */
const NEVER = new AbortController().signal;

const contextOf = (request: FastifyRequest, actor: Actor): RequestContext => ({
  actor,
  requestId: request.id,
  audit: undefined,
  signal: NEVER,
  origin: `${request.protocol}://${request.host}`,
  source: {
    method: request.method,
    // Without the query, which contains the message.
    path: request.url.replace(/\?.*$/, ''),
    contentType: request.headers['content-type'] ?? null,
    ipAddress: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
  },
});
