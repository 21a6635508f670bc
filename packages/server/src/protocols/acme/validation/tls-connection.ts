// TLS to validation targets, from TLS 1.2 on (RFC 8737 §4). Certificates are not validated here: a target is about to
// get its first one, and what a challenge proves does not rest on them.
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { ValidationFailure } from './challenge.ts';
import { connectTo } from './connection.ts';
import type { Attempt } from './attempt.ts';
import type { Target } from './reachable-addresses.ts';

export interface TlsOptions {
  readonly attempt: Attempt;
  /** Server name to ask for (RFC 6066 §3); without one none is sent. */
  readonly serverName: string | undefined;
  readonly protocols: readonly string[];
}

let sharedContext: SecureContext | undefined;
/** One for all: without the system's roots, which nothing here is checked against and which take long to load. */
const context = (): SecureContext => (sharedContext ??= createSecureContext({ ca: [], minVersion: 'TLSv1.2' }));

/** A connection whose handshake is done. The caller destroys it. Throws `ValidationFailure`. */
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
  const secured = socket as TLSSocket; // opened just above
  await handshake(secured, target);
  return secured;
}

function handshake(socket: TLSSocket, { shownAs, port }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('close', () => {
      const detail = `${shownAs}, port ${port}: the TLS handshake failed; check that a TLS server with the protocol of the challenge listens there.`;
      reject(new ValidationFailure({ type: 'tls', detail, mayChange: true }));
    });
  });
}

/** What is left to send is a few octets; whoever does not take them within this time gets no more. */
const CLOSE_MS = 1_000;

/**
 * Closes after the handshake, of which our last message may still be on its way (RFC 8737 §4: immediately, but
 * completed).
 */
export function closeTls(socket: TLSSocket): void {
  const timer = setTimeout(() => socket.destroy(), CLOSE_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.destroySoon();
}
