// Links requests to their connection (RFC 7030 §3.5): their challenge password is a value that only the two ends of the
// connection know.
import { timingSafeEqual } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { EstRefusal } from './refusal.ts';

/** RFC 9266 §2. */
const EXPORTER_LABEL = 'EXPORTER-Channel-Binding';
const EXPORTER_OCTETS = 32;

/** Base64 of the channel binding; undefined where the connection ends at a proxy. */
export function bindingOf(socket: Partial<TLSSocket>): string | undefined {
  const octets =
    socket.getProtocol?.() === 'TLSv1.3'
      ? socket.exportKeyingMaterial?.(EXPORTER_OCTETS, EXPORTER_LABEL, Buffer.alloc(0))
      : firstFinished(socket);
  return octets && Buffer.from(octets).toString('base64');
}

/** tls-unique (RFC 5929 §3.1): the client's in a full handshake, the server's in one that resumes a session. */
const firstFinished = (socket: Partial<TLSSocket>): Buffer | undefined =>
  socket.isSessionReused?.() ? socket.getFinished?.() : socket.getPeerFinished?.();

const UNLINKABLE =
  'The profile requires requests to be linked to their connection, and this one ends at a proxy. Ask the platform directly, or use a profile that does not require it.';
const UNCHECKABLE =
  'The challengePassword of the request cannot be compared, because its connection ends at a proxy. Leave it out, or ask the platform directly.';

/** Checked wherever a request has a challenge password, and required where the profile says so. */
export function assertLinked(
  challengePassword: string | undefined,
  { binding, isRequired }: { readonly binding: () => string | undefined; readonly isRequired: boolean },
): void {
  if (challengePassword === undefined && !isRequired) return;
  const expected = binding();
  if (expected === undefined) throw new EstRefusal(400, challengePassword === undefined ? UNLINKABLE : UNCHECKABLE);
  if (challengePassword === undefined)
    throw new EstRefusal(400, 'The request has no challengePassword that links it to its connection (RFC 7030 §3.5).');
  const [one, other] = [Buffer.from(challengePassword), Buffer.from(expected)];
  if (one.length !== other.length || !timingSafeEqual(one, other))
    throw new EstRefusal(400, 'The challengePassword of the request does not link it to this connection.');
}
