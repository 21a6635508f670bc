// Client data from the connection: the client certificate and the channel binding. If TLS ends at a trusted proxy, the
// certificate is in a header that the proxy adds, and there is no channel binding.
import type { BlockList } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import { forwardedCertificate } from '../../areas/identity/index.ts';
import { isAppError } from '../../kernel/errors.ts';
import { contains } from '../../platform/net/networks.ts';
import { bindingOf } from './linking.ts';
import { unauthenticated } from './rejection.ts';

export interface Connection {
  /** Client certificate in DER; read only if the client must be identified. */
  readonly certificate: () => Uint8Array | undefined;
  /** Channel binding in Base64; undefined if TLS ends at a proxy. */
  readonly binding: () => string | undefined;
}

export function connectionOf(request: FastifyRequest, trustedProxies: BlockList): Connection {
  const { socket } = request.raw;
  // A proxy's connection does not identify the client behind it, even if the proxy presents a certificate.
  if (contains(trustedProxies, socket.remoteAddress))
    return { certificate: () => fromHeader(request), binding: () => undefined };
  const direct = socket as Partial<TLSSocket>; // The HTTPS listener's sockets are TLS sockets.
  return {
    // An empty object if there is none.
    certificate: () => direct.getPeerCertificate?.()?.raw as Uint8Array | undefined,
    binding: () => bindingOf(direct),
  };
}

function fromHeader(request: FastifyRequest): Uint8Array | undefined {
  try {
    return forwardedCertificate(request);
  } catch (error) {
    if (isAppError(error, 'unauthenticated')) throw unauthenticated(error.message);
    throw error;
  }
}
