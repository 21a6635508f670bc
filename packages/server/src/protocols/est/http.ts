// The EST server over HTTPS (RFC 7030 §3.2.2): below /.well-known/est, with a profile name as the label or without a
// label, and at the URL families that every protocol has.
import { PLATFORM_BASE_PATH } from '@signetry/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServedEstProfile, ServedEstProfiles } from '../../areas/est-profiles/index.ts';
import { isDirectConnection, type ProxyTrust } from '../../areas/identity/index.ts';
import { RESERVED_NAME, type ServedEndpoint } from '../../areas/protocol-profiles/index.ts';
import type { Actor, RequestContext } from '../../kernel/actor.ts';
import { asAppError, dropUnsendableHeaders, isFault } from '../../platform/http/render-error.ts';
import type { Logger } from '../../platform/logging/logger.ts';
import { withoutLines } from './bodies.ts';
import { connectionOf } from './connection.ts';
import {
  cacerts,
  csrAttributes,
  notOffered,
  simpleEnroll,
  type EstCall,
  type EstParts,
  type EstReply,
} from './operations.ts';
import { recordRejection } from './record-rejection.ts';
import { toEstRejection, EstRejection } from './rejection.ts';
import { serverKeygen } from './server-keys.ts';

const MAX_BODY_BYTES = 64 * 1024;
const PROTOCOL_PREFIX = `${PLATFORM_BASE_PATH}/v1/protocols/est`;
const WELL_KNOWN = '/.well-known/est';
const PKCS10 = 'application/pkcs10';

export interface EstHttpParts extends EstParts {
  readonly profiles: ServedEstProfiles;
  readonly log: Logger;
  readonly proxies: ProxyTrust;
  /** System user that performs protocol requests. */
  readonly actor: () => Promise<Actor>;
}

interface Operation {
  readonly method: 'GET' | 'POST';
  readonly run: (parts: EstParts, call: EstCall) => Promise<EstReply> | EstReply;
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  cacerts: { method: 'GET', run: cacerts },
  csrattrs: { method: 'GET', run: (_parts, call) => csrAttributes(call) },
  simpleenroll: { method: 'POST', run: (parts, call) => simpleEnroll(parts, 'simpleenroll', call) },
  simplereenroll: { method: 'POST', run: (parts, call) => simpleEnroll(parts, 'simplereenroll', call) },
  serverkeygen: { method: 'POST', run: serverKeygen },
};

export function estHttp(parts: EstHttpParts): (server: FastifyInstance) => void {
  return (server) => {
    void server.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(PKCS10, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      scope.setErrorHandler((error, request, reply) => sendRejection(parts, reply, rejectionOf(parts, error, request)));
      for (const path of [`${WELL_KNOWN}/fullcmc`, ...namedPaths('fullcmc').map(([each]) => each)])
        reject(scope, path, 'fullcmc');
      for (const [name, operation] of Object.entries(OPERATIONS)) {
        bind(scope, parts, { ...operation, name, path: `${WELL_KNOWN}/${name}`, place: () => defaultEndpoint(parts) });
        for (const [path, family] of namedPaths(name))
          bind(scope, parts, {
            ...operation,
            name,
            path,
            // The path has this parameter.
            place: async (request) => ({ family, name: (request.params as { name: string }).name }),
          });
      }
    });
  };
}

const namedPaths = (operation: string) =>
  [
    [`${WELL_KNOWN}/:name/${operation}`, 'profile'],
    [`${PROTOCOL_PREFIX}/:name/${operation}`, 'profile'],
    [`${PROTOCOL_PREFIX}/${RESERVED_NAME}/:name/${operation}`, 'raProfile'],
  ] as const;

/** Rejects the request before its body is parsed; otherwise, its media type would be the reason for the rejection. */
function reject(scope: FastifyInstance, url: string, operation: string): void {
  const handler = () => notOffered(operation);
  scope.route({ method: 'POST', url, onRequest: async () => notOffered(operation), handler });
}

async function defaultEndpoint({ profiles }: EstHttpParts): Promise<ServedEndpoint> {
  const name = await profiles.defaultName();
  if (name === undefined)
    throw new EstRejection(
      404,
      'No EST profile is the default. Specify a profile name before the operation in the URL.',
    );
  return { family: 'profile', name };
}

interface BoundOperation extends Operation {
  readonly name: string;
  readonly path: string;
  readonly place: (request: FastifyRequest) => Promise<ServedEndpoint>;
}

function bind(scope: FastifyInstance, parts: EstHttpParts, { name, method, path, run, place }: BoundOperation): void {
  scope.route({
    method,
    url: path,
    bodyLimit: MAX_BODY_BYTES,
    handler: async (request, reply) => {
      // Behind a trusted proxy, this is the protocol of the client's connection to the proxy, regardless of the
      // listener.
      if (request.protocol !== 'https') throw new EstRejection(403, 'EST is served only over HTTPS (RFC 7030 §3.3).');
      const profile = await servedProfile(parts, await place(request));
      const { certificate, binding } = connectionOf(request, parts.proxies);
      const answer = await countWrongCredentials(parts, { request, profile }, async () =>
        run(parts, {
          profile,
          body: request.body instanceof Uint8Array ? request.body : new Uint8Array(),
          credentials: { certificate, authorization: request.headers.authorization },
          binding,
          context: contextOf(request, await parts.actor()),
        }),
      );
      return send(reply, answer);
    },
    errorHandler: async (error, request, reply) => {
      const refused = rejectionOf(parts, error, request);
      const { certificate } = connectionOf(request, parts.proxies);
      if (method === 'POST') await recordRejection(parts, refused, { request, operation: name, place, certificate });
      return sendRejection(parts, reply, refused);
    },
  });
}

/**
 * Counts wrong credentials. A wrong one-time password is detected only when its transaction is looked up, so the check
 * covers the whole request.
 */
function countWrongCredentials(
  { enrollments }: EstHttpParts,
  { request, profile }: { readonly request: FastifyRequest; readonly profile: ServedEstProfile },
  run: () => Promise<EstReply>,
): Promise<EstReply> {
  if (request.headers.authorization === undefined) return run();
  const isWrong = (error: unknown) => error instanceof EstRejection && error.status === 401;
  return enrollments.checkCredential({ address: request.ip, profileUuid: profile.uuid, isWrong }, run);
}

async function servedProfile({ profiles }: EstHttpParts, { family, name }: ServedEndpoint): Promise<ServedEstProfile> {
  const profile = await profiles.find(family, name);
  if (!profile) throw new EstRejection(404, `No EST profile is served under the name ${name}.`);
  if (!profile.enabled) throw new EstRejection(404, `The EST profile ${profile.name} is disabled.`);
  if (!profile.raProfile) throw new EstRejection(404, `The EST profile ${profile.name} has no RA profile.`);
  if (!profile.raProfile.enabled) throw new EstRejection(404, `The RA profile ${profile.raProfile.name} is disabled.`);
  return profile;
}

function send(reply: FastifyReply, { status, media, body, headers = {}, isEncoded = true }: EstReply): FastifyReply {
  void reply.status(status).headers({ 'cache-control': 'no-store', ...headers });
  const isNamed = sendsUserAgent(reply.request);
  if (body === undefined || (status === 202 && !isNamed)) return reply.send();
  void reply.type(media ?? 'text/plain; charset=utf-8');
  if (status !== 200 || !isEncoded) return reply.send(body);
  // Not required (RFC 8951 §2.1), but older clients expect it.
  void reply.header('content-transfer-encoding', 'base64');
  return reply.send(isNamed ? body : withoutLines(body));
}

/**
 * Returns whether the client sends a User-Agent. Device libraries do not, and they are less tolerant: strongSwan cannot
 * decode white space, which is optional (RFC 8951 §3.1) but required by OpenSSL-based clients; Bouncy Castle fails if a
 * 202 has a body.
 */
const sendsUserAgent = ({ headers }: FastifyRequest): boolean => headers['user-agent'] !== undefined;

/**
 * Returns whether the client may be Bouncy Castle's, which sends its request again with a password but fails if it has
 * not read the whole 401 before. It sends no User-Agent and closes its connections; a proxy hides the latter.
 */
const mayFailAtBody = (request: FastifyRequest, proxies: ProxyTrust): boolean =>
  !sendsUserAgent(request) &&
  request.headers.authorization === undefined &&
  (request.headers.connection?.toLowerCase() === 'close' || !isDirectConnection(request, proxies));

function rejectionOf({ log }: EstHttpParts, error: unknown, request: FastifyRequest): EstRejection {
  const refused = error instanceof EstRejection ? error : asAppError(error, request);
  if (!(refused instanceof EstRejection) && isFault(refused))
    log.error({ error: refused, requestId: request.id }, 'an EST request failed');
  const rejection = toEstRejection(refused);
  return rejection.status === 415 ? new EstRejection(415, `The media type of the body must be ${PKCS10}.`) : rejection;
}

function sendRejection(
  { proxies }: EstHttpParts,
  reply: FastifyReply,
  { status, message, headers }: EstRejection,
): FastifyReply {
  dropUnsendableHeaders(reply);
  const isEmpty = status === 401 && mayFailAtBody(reply.request, proxies);
  return send(reply, { status, ...(isEmpty ? {} : { body: `${message}\n` }), headers });
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
    path: request.url,
    contentType: request.headers['content-type'] ?? null,
    ipAddress: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
  },
});
