// The plain HTTP listener where it serves only what has to be fetched without TLS: CRLs, OCSP, CA certificates, and the
// health of the node for load balancers. Everything else is for the HTTPS listener.
import { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../kernel/errors.ts';
import { opensPage } from '../platform/http/server.ts';

/** Routes, as they are declared. */
const SERVED = /^\/(?:crl|ocsp|ca|health)\//;

/** Sends browsers to HTTPS and refuses all else. `httpsBase` gets the host name that the request asked for. */
export function serveRevocationOnly(server: FastifyInstance, httpsBase: (host: string) => string): void {
  server.addHook('onRequest', async (request, reply) => {
    if (request.raw.socket instanceof TLSSocket || SERVED.test(request.routeOptions.url ?? '')) return;
    const base = httpsBase(request.hostname);
    if (!isHarmless(request)) throw new AppError('https_only', { url: base });
    // not kept: the listener may serve everything again
    return reply.header('cache-control', 'no-store').redirect(`${base}${request.originalUrl}`, 307);
  });
}

/**
 * A browser that opens a page. Programs are refused instead: a redirect would hide that each of their calls first sends
 * its credentials without TLS.
 */
const isHarmless = (request: FastifyRequest): boolean =>
  opensPage(request) && request.headers.authorization === undefined;
