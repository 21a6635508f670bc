// Client certificates: from the TLS connection, or passed on by a trusted proxy in a header. TLS proves possession of
// the key; the inventory decides whose certificate it is and whether it is still valid.
import type { TLSSocket } from 'node:tls';
import type { BlockList } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../kernel/errors.ts';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import { contains } from '../../../platform/net/networks.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { UserCertificates } from '../ports.ts';
import { rejectionOfCertificate } from '../users/user-rules.ts';
import { certificateOctets, fingerprintOf } from '../users/user-certificate.ts';
import * as users from '../users/store.ts';

/**
 * Headers in which proxies pass on a certificate. A proxy must set or remove both, regardless of what the client sent.
 */
const CERTIFICATE_HEADERS = ['ssl-client-cert', 'x-app-certificate'] as const;
/**
 * The largest certificates in use (post-quantum keys and signatures) are about 8 KiB; encoding them as URL-encoded PEM
 * adds half of that.
 */
const MAX_HEADER_CHARS = 24 * 1024;

/** The peer of a TLS connection never changes, so its certificate is read only once. */
const peers = new WeakMap<object, string | null>();

/** Returns the fingerprint of the request's certificate, from the source that can be trusted. */
export function presentedFingerprint(request: FastifyRequest, trustedProxies: BlockList): string | undefined {
  const { socket } = request.raw;
  // The certificate on the proxy's own connection does not identify the client behind the proxy.
  if (contains(trustedProxies, socket.remoteAddress)) return headerFingerprint(request);
  const known = peers.get(socket);
  if (known !== undefined) return known ?? undefined;
  const fingerprint = peerFingerprint(socket as Partial<TLSSocket>); // Sockets of the HTTPS listener are TLS sockets.
  peers.set(socket, fingerprint ?? null);
  return fingerprint;
}

function peerFingerprint(socket: Partial<TLSSocket>): string | undefined {
  // Returns an empty object if the client sent no certificate.
  const raw = socket.getPeerCertificate?.()?.raw as Uint8Array | undefined;
  return raw ? fingerprintOf(raw) : undefined;
}

function headerFingerprint(request: FastifyRequest): string | undefined {
  const der = forwardedCertificate(request);
  return der && fingerprintOf(der);
}

/** Returns the DER encoding of the certificate in a request's headers. The request must come from a trusted proxy. */
export function forwardedCertificate(request: FastifyRequest): Uint8Array | undefined {
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

export type ClientCertificates = ReturnType<typeof createClientCertificates>;

export function createClientCertificates(
  { database, clock }: Platform,
  parts: { readonly userCertificates: () => UserCertificates },
) {
  const known = createExpiringCache({ clock, load: findBinding });

  async function findBinding(fingerprint: string) {
    const user = await users.findByFingerprint(database.executor, fingerprint);
    const certificate = user && (await parts.userCertificates().findByFingerprint(database.executor, fingerprint));
    return certificate && { userUuid: user.uuid, certificate };
  }

  /** Returns this certificate's user; rejects certificates that belong to no user or are no longer valid. */
  async function userOf(fingerprint: string): Promise<string> {
    const binding = await known.get(fingerprint);
    const refusal = binding
      ? rejectionOfCertificate(binding.certificate, clock.now())
      : 'the client certificate belongs to no user';
    if (!binding || refusal !== undefined) throw new AppError('unauthenticated', { reason: refusal ?? '' });
    return binding.userUuid;
  }

  return { userOf, forget: () => known.invalidate() };
}
