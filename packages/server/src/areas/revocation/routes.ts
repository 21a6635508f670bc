// Public downloads that are not part of the API specification: CRLs, OCSP responses, CA certificates. They require no
// authentication, and their URLs are in certificates.
import { crlShardOf } from '@signetry/contract';
import { ocspRequestFromPath, PEM_LABELS, PkiError, writePem } from '@signetry/pki';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/clock.ts';
import { cachingHeaders, entityTag, isNotModified, UNCACHED, type Freshness } from './caching.ts';
import type { CrlServer } from './crl/serve-crl.ts';
import {
  CA_CERTIFICATE_MAX_AGE_S,
  MAX_OCSP_REQUEST_BYTES,
  SHARED_CACHE_MAX_AGE_S,
  shardKind,
  type CrlKind,
} from './publication-times.ts';
import type { Issuers } from './issuers.ts';
import type { OcspDownload, OcspResponder } from './ocsp/respond.ts';

const OCSP_REQUEST = 'application/ocsp-request';
const OCSP_RESPONSE = 'application/ocsp-response';

export interface DownloadParts {
  readonly clock: Clock;
  readonly issuers: Issuers;
  readonly serveCrl: CrlServer;
  readonly respond: OcspResponder;
}

export function registerDownloads(server: FastifyInstance, parts: DownloadParts): void {
  registerCrls(server, parts);
  registerCaCertificates(server, parts);
  registerOcsp(server, parts);
}

function registerCrls(server: FastifyInstance, { clock, serveCrl }: DownloadParts): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/crl/:file',
    config: { operation: 'crl' },
    handler: async (request, reply) => {
      const { uuid, ending } = readFileName(request, /^(.+?)(|-delta|-shard-\d+)\.crl$/i);
      const { der, facts } = await serveCrl({ authorityUuid: uuid, kind: readKind(request, ending) });
      return send(request, reply, {
        body: der,
        type: 'application/pkix-crl',
        nowMs: clock.now().getTime(),
        freshness: {
          lastModifiedMs: facts.this_update.getTime(),
          endsAtMs: facts.next_update.getTime(),
          maxAgeS: SHARED_CACHE_MAX_AGE_S,
          etag: facts.sha256.slice(0, 32),
        },
      });
    },
  });
}

function registerCaCertificates(server: FastifyInstance, { clock, issuers }: DownloadParts): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/ca/:file',
    config: { operation: 'caCertificate' },
    handler: async (request, reply) => {
      const { uuid, ending } = readFileName(request, /^(.+)\.(crt|cer|pem)$/i);
      const { certificate } = await issuers.currentOf(uuid);
      const isPem = ending === 'pem';
      const body = isPem
        ? Buffer.from(writePem(PEM_LABELS.certificate[0], certificate.der))
        : Buffer.from(certificate.der);
      return send(request, reply, {
        body,
        type: isPem ? 'application/x-pem-file' : 'application/pkix-cert',
        nowMs: clock.now().getTime(),
        freshness: {
          lastModifiedMs: certificate.notBeforeMs,
          maxAgeS: CA_CERTIFICATE_MAX_AGE_S,
          etag: entityTag(body),
        },
      });
    },
  });
}

function registerOcsp(server: FastifyInstance, { clock, respond }: DownloadParts): void {
  server.route({
    method: 'GET',
    url: '/ocsp/:uuid/*',
    config: { operation: 'ocsp' },
    handler: async (request, reply) => {
      const uuid = readUuid(request);
      return sendOcsp(request, reply, { answer: await respond(uuid, requestOfPath(request)), clock });
    },
  });

  // The route is registered in its own scope, because the rest of the server does not accept this media type.
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(OCSP_REQUEST, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.route({
      method: 'POST',
      url: '/ocsp/:uuid',
      bodyLimit: MAX_OCSP_REQUEST_BYTES,
      config: { operation: 'ocsp', accepts: OCSP_REQUEST },
      handler: async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        return sendOcsp(request, reply, { answer: await respond(readUuid(request), body), clock });
      },
    });
  });
}

function sendOcsp(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, clock }: { readonly answer: OcspDownload; readonly clock: Clock },
): FastifyReply {
  const { der, freshness } = answer;
  const body = Buffer.from(der.buffer, der.byteOffset, der.length);
  if (!freshness) return reply.headers(UNCACHED).type(OCSP_RESPONSE).send(body);
  return send(request, reply, {
    body,
    type: OCSP_RESPONSE,
    nowMs: clock.now().getTime(),
    freshness: {
      lastModifiedMs: freshness.thisUpdateMs,
      endsAtMs: freshness.nextUpdateMs,
      maxAgeS: SHARED_CACHE_MAX_AGE_S,
      etag: entityTag(der),
    },
  });
}

interface Download {
  readonly body: Buffer;
  readonly type: string;
  readonly freshness: Freshness;
  readonly nowMs: number;
}

function send(request: FastifyRequest, reply: FastifyReply, download: Download): FastifyReply {
  reply.headers(cachingHeaders(download.freshness, download.nowMs));
  // Clients can cache only responses to GET requests; the response to a POST request is specific to that request.
  if (request.method !== 'POST' && isNotModified(request.headers, download.freshness)) return reply.status(304).send();
  return reply.type(download.type).send(download.body);
}

/** Returns the CRL kind for a file name suffix. Partition numbers have no leading zeros. */
function readKind(request: FastifyRequest, ending: string): CrlKind {
  if (ending === '') return 'full';
  if (ending === '-delta') return 'delta';
  const shard = crlShardOf(`${ending}.crl`);
  if (shard === undefined) throw noSuchPath(request);
  return shardKind(shard);
}

/** Parses a download's file name, which has the form `<uuid><ending>`. */
function readFileName(request: FastifyRequest, form: RegExp): { readonly uuid: string; readonly ending: string } {
  const { file = '' } = request.params as { file?: string }; // Path parameters are strings.
  const [, uuid = '', ending = ''] = form.exec(file) ?? [];
  if (!isUuid(uuid)) throw noSuchPath(request);
  return { uuid: uuid.toLowerCase(), ending: ending.toLowerCase() };
}

function readUuid(request: FastifyRequest): string {
  const { uuid = '' } = request.params as { uuid?: string }; // Path parameters are strings.
  if (!isUuid(uuid)) throw noSuchPath(request);
  return uuid.toLowerCase();
}

/** Extracts the request from the undecoded path, because routers decode `%2F` and `+`. */
function requestOfPath(request: FastifyRequest): Uint8Array {
  const path = (request.raw.url ?? '').split('?', 1)[0] ?? '';
  const segment = path.split('/').slice(3).join('/');
  try {
    return ocspRequestFromPath(segment);
  } catch (error) {
    // This is treated as an empty request, which results in the OCSP status malformedRequest.
    if (error instanceof PkiError) return new Uint8Array();
    throw error;
  }
}

const noSuchPath = (request: FastifyRequest): AppError =>
  new AppError('route_not_found', { method: request.method, path: request.url.slice(0, 200) });
