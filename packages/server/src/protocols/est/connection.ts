// What the connection says of a client: its certificate and its channel binding. Where TLS ends at a trusted proxy,
// the certificate is in a header of that proxy, and there is no channel binding.
import type { BlockList } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import { passedOnCertificate } from '../../areas/identity/index.ts';
import { isAppError } from '../../kernel/errors.ts';
import { contains } from '../../platform/net/networks.ts';
import { bindingOf } from './linking.ts';
import { unauthenticated } from './refusal.ts';

export interface Connection {
  /** DER of the client's certificate; asked for only where somebody has to be identified. */
  readonly certificate: () => Uint8Array | undefined;
  /** Channel binding in Base64; undefined where the connection ends at a proxy. */
  readonly binding: () => string | undefined;
}

export function connectionOf(request: FastifyRequest, trustedProxies: BlockList): Connection {
  const { socket } = request.raw;
  // The connection of a proxy says nothing about the client behind it, not even with a certificate of the proxy.
  if (contains(trustedProxies, socket.remoteAddress))
    return { certificate: () => fromHeader(request), binding: () => undefined };
  const direct = socket as Partial<TLSSocket>; // the HTTPS listener's sockets are TLS sockets
  return {
    certificate: () => direct.getPeerCertificate?.()?.raw as Uint8Array | undefined, // an empty object without one
    binding: () => bindingOf(direct),
  };
}

function fromHeader(request: FastifyRequest): Uint8Array | undefined {
  try {
    return passedOnCertificate(request);
  } catch (error) {
    if (isAppError(error, 'unauthenticated')) throw unauthenticated(error.message);
    throw error;
  }
}
