// Channel binding (RFC 7030 §3.5): the challenge password in a request is a value known only to the two ends of the
// connection.
import { timingSafeEqual } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { EstRejection } from './rejection.ts';

/** RFC 9266 §2. */
const EXPORTER_LABEL = 'EXPORTER-Channel-Binding';
const EXPORTER_OCTETS = 32;

/** Returns the channel binding in Base64; undefined if TLS ends at a proxy. */
export function bindingOf(socket: Partial<TLSSocket>): string | undefined {
  const octets =
    socket.getProtocol?.() === 'TLSv1.3'
      ? socket.exportKeyingMaterial?.(EXPORTER_OCTETS, EXPORTER_LABEL, Buffer.alloc(0))
      : firstFinished(socket);
  return octets && Buffer.from(octets).toString('base64');
}

/** tls-unique (RFC 5929 §3.1): the client's Finished message in a full handshake, the server's in a resumed session. */
const firstFinished = (socket: Partial<TLSSocket>): Buffer | undefined =>
  socket.isSessionReused?.() ? socket.getFinished?.() : socket.getPeerFinished?.();

const UNLINKABLE =
  'The profile requires channel binding, but this connection ends at a proxy. Connect to the platform directly, or use a profile that does not require it.';
const UNCHECKABLE =
  'Cannot verify the challengePassword of the request: its connection ends at a proxy. Omit it, or connect to the platform directly.';

/**
 * Checks the challenge password if the request contains one; rejects a request without one if the profile requires it.
 */
export function assertLinked(
  challengePassword: string | undefined,
  { binding, isRequired }: { readonly binding: () => string | undefined; readonly isRequired: boolean },
): void {
  if (challengePassword === undefined && !isRequired) return;
  const expected = binding();
  if (expected === undefined) throw new EstRejection(400, challengePassword === undefined ? UNLINKABLE : UNCHECKABLE);
  if (challengePassword === undefined)
    throw new EstRejection(
      400,
      'The request has no challengePassword with the channel binding of its connection (RFC 7030 §3.5).',
    );
  const [one, other] = [Buffer.from(challengePassword), Buffer.from(expected)];
  if (one.length !== other.length || !timingSafeEqual(one, other))
    throw new EstRejection(
      400,
      'The challengePassword of the request does not match the channel binding of this connection.',
    );
}
