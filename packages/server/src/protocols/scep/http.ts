// HTTP transport for SCEP: both URL families with any path after the name, and messages in a GET query or a POST body.
import {
  PLATFORM_BASE_PATH,
  SCEP_MESSAGE,
  scepProfileFamily,
  scepRaProfileFamily,
  type Operation,
} from '@signetry/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RESERVED_NAME, type ServedEndpoint } from '../../areas/protocol-profiles/index.ts';
import type { Actor, RequestContext } from '../../kernel/actor.ts';
import type { ScepReply, ScepRequest } from './server.ts';

/** Requests are a few kilobytes long; chains from device manufacturers add a few more. */
const MAX_BODY_BYTES = 256 * 1024;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

export interface ScepHttpParts {
  readonly serve: (request: ScepRequest, context: RequestContext) => Promise<ScepReply>;
  /** System user that performs protocol requests. */
  readonly actor: () => Promise<Actor>;
}

/** The two URL path prefixes under which devices request the operations. */
const SCEP_PATH = `${PLATFORM_BASE_PATH}/v1/protocols/scep`;

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
        for (const operation of Object.values<Operation>(operations)) {
          const url = `${PLATFORM_BASE_PATH}${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
          // The path has one parameter.
          const place = ({ params }: FastifyRequest): ServedEndpoint => ({
            family,
            name: Object.values(params as Record<string, string>)[0] ?? '',
          });
          bind(scope, { operation, url, place, parts });
        }
      for (const operation of Object.values<Operation>(scepProfileFamily))
        bind(scope, { operation, url: `${SCEP_PATH}/*`, place: ({ url }) => endpointOf(url), parts });
    });
  };
}

/**
 * Returns the profile in a path that does not end in `/pkiclient.exe` after the name. Devices append a program of their
 * own, none, or `/pkiclient.exe` to a URL that already ends in it.
 */
function endpointOf(url: string): ServedEndpoint {
  const path = url.slice(SCEP_PATH.length + 1).replace(/\?.*$/s, '');
  // The router has rejected invalid percent-encoding.
  const [first = '', second = ''] = path.split('/').map(decodeURIComponent);
  if (first === RESERVED_NAME && second !== '') return { family: 'raProfile', name: second };
  return { family: 'profile', name: first };
}

function bind(
  scope: FastifyInstance,
  {
    operation,
    url,
    place,
    parts,
  }: {
    readonly operation: Operation;
    readonly url: string;
    readonly place: (request: FastifyRequest) => ServedEndpoint;
    readonly parts: ScepHttpParts;
  },
): void {
  scope.route({
    method: operation.method,
    url,
    exposeHeadRoute: false,
    bodyLimit: MAX_BODY_BYTES,
    config: { operation: operation.id, accepts: SCEP_MESSAGE },
    handler: async (request, reply) => {
      const query = request.query as Record<string, unknown>; // Strings, or arrays of strings.
      const asked = { ...place(request), operation: textOf(query.operation), ...messageOf(request, query) };
      const { media, body } = await parts.serve(asked, contextOf(request, await parts.actor()));
      return reply.header('cache-control', 'no-store').type(media).send(body);
    },
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads the message of PKIOperation. In other operations, GET contains a CA identifier, which is ignored. */
function messageOf(
  request: FastifyRequest,
  query: Readonly<Record<string, unknown>>,
): Pick<ScepRequest, 'message' | 'problem'> {
  if (request.body instanceof Uint8Array) return { message: request.body };
  const message = new Uint8Array();
  if (query.operation !== 'PKIOperation') return { message };
  // Old clients do not escape the plus sign, which is then decoded as a space.
  const text = textOf(query.message).replaceAll(' ', '+');
  if (BASE64.test(text)) return { message: Buffer.from(text, 'base64') };
  return { message, problem: 'The query parameter message is not Base64.' };
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
