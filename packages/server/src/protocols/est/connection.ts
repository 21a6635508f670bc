// Client data from the connection: the client certificate and the channel binding. If TLS ends at a trusted proxy, the
// certificate is in a header that the proxy adds, and there is no channel binding.
import type { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import { isDirectConnection, presentedCertificate, type ProxyTrust } from '../../areas/identity/index.ts';
import { isAppError } from '../../kernel/errors.ts';
import { bindingOf } from './linking.ts';
import { unauthenticated } from './rejection.ts';

export interface Connection {
  /** Client certificate in DER; read only if the client must be identified. */
  readonly certificate: () => Uint8Array | undefined;
  /** Channel binding in Base64; undefined if TLS ends at a proxy. */
  readonly binding: () => string | undefined;
}

export const connectionOf = (request: FastifyRequest, proxies: ProxyTrust): Connection => ({
  certificate: () => readCertificate(request, proxies),
  // The HTTPS listener's sockets are TLS sockets.
  binding: () =>
    isDirectConnection(request, proxies) ? bindingOf(request.raw.socket as Partial<TLSSocket>) : undefined,
});

function readCertificate(request: FastifyRequest, proxies: ProxyTrust): Uint8Array | undefined {
  try {
    return presentedCertificate(request, proxies);
  } catch (error) {
    if (isAppError(error, 'unauthenticated')) throw unauthenticated(error.message);
    throw error;
  }
}
