// TLS connections to validation targets, version 1.2 or later (RFC 8737 §4). Certificates are not validated here: the
// target is about to obtain its first certificate, and the proof does not depend on certificate validation.
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { ValidationFailure } from './challenge.ts';
import { connectTo } from './connection.ts';
import type { Attempt } from './attempt.ts';
import type { Target } from './reachable-addresses.ts';

export interface TlsOptions {
  readonly attempt: Attempt;
  /** Server name to send (RFC 6066 §3); if undefined, no name is sent. */
  readonly serverName: string | undefined;
  readonly protocols: readonly string[];
}

let sharedContext: SecureContext | undefined;
/**
 * Returns a context that all connections share. It is created without the system's root certificates, which are not
 * used here and take a long time to load.
 */
const context = (): SecureContext => (sharedContext ??= createSecureContext({ ca: [], minVersion: 'TLSv1.2' }));

/** Returns a connection whose handshake is complete; the caller destroys it. Throws `ValidationFailure`. */
export async function connectTls(target: Target, options: TlsOptions): Promise<TLSSocket> {
  const { attempt, serverName, protocols } = options;
  const socket = await connectTo(target, {
    attempt,
    open: (to) =>
      connect({
        ...to,
        ...(serverName !== undefined && { servername: serverName }),
        ALPNProtocols: [...protocols],
        secureContext: context(),
        rejectUnauthorized: false,
      }),
  });
  const secured = socket as TLSSocket; // The socket that `open` created.
  await handshake(secured, target);
  return secured;
}

function handshake(socket: TLSSocket, { shownAs, port }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('close', () => {
      const detail = `${shownAs}, port ${port}: the TLS handshake failed; check that a TLS server that supports the protocol of the challenge listens there.`;
      reject(new ValidationFailure({ type: 'tls', detail, mayChange: true }));
    });
  });
}

/** Only a few bytes remain to be sent; a peer that does not read them within this time does not get them. */
const CLOSE_MS = 1_000;

/**
 * Closes the connection after the handshake, whose last message may still be in transit. RFC 8737 §4 requires closing
 * immediately, but only after the handshake is complete.
 */
export function closeTls(socket: TLSSocket): void {
  const timer = setTimeout(() => socket.destroy(), CLOSE_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.destroySoon();
}
