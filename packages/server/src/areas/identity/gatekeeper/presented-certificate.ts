// The client certificate of a request: from the TLS connection, or passed on by a trusted proxy in a header. TLS proves
// possession of the key. Device protocols use the same function, so that a certificate identifies the same client
// everywhere.
import type { TLSSocket } from 'node:tls';
import type { BlockList } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../kernel/errors.ts';
import type { Logger } from '../../../platform/logging/logger.ts';
import { contains } from '../../../platform/net/networks.ts';
import { certificateOctets, fingerprintOf } from '../users/user-certificate.ts';

export interface ProxyTrust {
  /** Reverse proxies whose headers are trusted. */
  readonly addresses: BlockList;
  /** Fingerprints of the certificates with which proxies connect to the platform; they identify no client. */
  readonly certificates: ReadonlySet<string>;
  readonly log: Pick<Logger, 'info'>;
}

/**
 * Headers in which proxies pass on a certificate. A proxy must set or remove both, regardless of what the client sent.
 */
const CERTIFICATE_HEADERS = ['ssl-client-cert', 'x-app-certificate'] as const;
/** Headers of forwarded requests, also with a certificate in a form that is not read (RFC 7239, RFC 9110, RFC 9440). */
const FORWARDING_HEADER =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-real-ip|x-client-ip|x-app-certificate|client-cert(?:-.+)?|(?:x-)?ssl-client-.+|x-client-cert(?:-.+)?)$/;
/**
 * The largest certificates in use (post-quantum keys and signatures) are about 8 KiB; encoding them as URL-encoded PEM
 * adds half of that.
 */
const MAX_HEADER_CHARS = 24 * 1024;

interface PeerCertificate {
  readonly der: Uint8Array;
  readonly fingerprint: string;
}

/** The peer of a TLS connection never changes, so its certificate is read only once. */
const peers = new WeakMap<object, PeerCertificate | null>();
/** Connections whose unused certificate has been logged. */
const reported = new WeakSet<object>();

/**
 * Returns whether the request's connection is the client's own. A connection from a trusted proxy's address is the
 * client's own only if the request carries no header of a proxy and the certificate is not the proxy's own.
 */
export function isDirectConnection(request: FastifyRequest, trust: ProxyTrust): boolean {
  const { socket } = request.raw;
  if (!contains(trust.addresses, socket.remoteAddress)) return true;
  const peer = peerOf(socket);
  const header = Object.keys(request.headers).find((name) => FORWARDING_HEADER.test(name));
  const reason = reasonAgainst(peer, { header, trust });
  if (reason === undefined) return true;
  if (peer && !reported.has(socket)) {
    reported.add(socket);
    const { remoteAddress: address } = socket;
    trust.log.info({ address, fingerprint: peer.fingerprint, reason }, 'the client certificate is not used');
  }
  return false;
}

function reasonAgainst(
  peer: PeerCertificate | undefined,
  { header, trust }: { readonly header: string | undefined; readonly trust: ProxyTrust },
): string | undefined {
  if (header !== undefined)
    return `the connection comes from a trusted proxy and the request has the header ${header}, so only a certificate in a header counts`;
  if (peer && trust.certificates.has(peer.fingerprint))
    return "it is a trusted proxy's own certificate (setting proxyCertificates)";
  return undefined;
}

/** Returns the DER encoding of the client's certificate, from the source that can be trusted. */
export const presentedCertificate = (request: FastifyRequest, trust: ProxyTrust): Uint8Array | undefined =>
  isDirectConnection(request, trust) ? peerOf(request.raw.socket)?.der : forwardedCertificate(request);

/** As `presentedCertificate`, but returns the certificate's fingerprint. */
export function presentedFingerprint(request: FastifyRequest, trust: ProxyTrust): string | undefined {
  if (isDirectConnection(request, trust)) return peerOf(request.raw.socket)?.fingerprint;
  const der = forwardedCertificate(request);
  return der && fingerprintOf(der);
}

function peerOf(socket: object): PeerCertificate | undefined {
  const known = peers.get(socket);
  if (known !== undefined) return known ?? undefined;
  // Sockets of the HTTPS listener are TLS sockets. The result is an empty object if the client sent no certificate.
  const der = (socket as Partial<TLSSocket>).getPeerCertificate?.()?.raw as Uint8Array | undefined;
  const peer = der && { der, fingerprint: fingerprintOf(der) };
  peers.set(socket, peer ?? null);
  return peer;
}

/** Returns the DER encoding of the certificate in a request's headers. The request must come from a trusted proxy. */
function forwardedCertificate(request: FastifyRequest): Uint8Array | undefined {
  const sent = CERTIFICATE_HEADERS.map((name) => request.headers[name]).filter(
    (value) => typeof value === 'string' && value.trim() !== '',
  );
  const certificates = new Map(
    sent.map((value) => headerOctets(String(value))).map((der) => [fingerprintOf(der), der]),
  );
  // A proxy that sets one header and lets the client send the other cannot be trusted.
  if (certificates.size > 1)
    throw new AppError('unauthenticated', { reason: 'the certificate headers contradict each other' });
  const [der] = certificates.values();
  return der;
}

/** Decodes URL-encoded PEM, or DER in Base64. */
function headerOctets(value: string): Uint8Array {
  try {
    if (value.length > MAX_HEADER_CHARS) throw new Error('longer than any certificate');
    return certificateOctets(value.includes('%') ? decodeURIComponent(value) : value);
  } catch (cause) {
    throw new AppError(
      'unauthenticated',
      { reason: 'the certificate header does not contain a certificate' },
      { cause },
    );
  }
}
