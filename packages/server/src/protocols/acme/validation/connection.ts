// Connections to validation targets: to one checked address after the other, bounded in time, destroyed whatever
// happens.
import type { Socket } from 'node:net';
import { ValidationFailure } from './challenge.ts';
import { reachableAddresses, type Target } from './reachable-addresses.ts';
import { TimeIsUp } from './time-limit.ts';
import type { Attempt } from './attempt.ts';

/** Starts to connect to an address, and to nothing else. */
export type OpenSocket = (to: { readonly host: string; readonly port: number }) => Socket;

const TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused; check that a server listens there',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host is not reachable from here',
  ENETUNREACH: 'its network is not reachable from here',
};

/**
 * A connection to the first of the target's addresses that accepts one; IPv6 comes first. The caller destroys it; the
 * end of the attempt does so in any case. Throws `ValidationFailure`.
 */
export async function connectTo(
  target: Target,
  { attempt, open }: { readonly attempt: Attempt; readonly open: OpenSocket },
): Promise<Socket> {
  let failure: unknown;
  for (const address of await reachableAddresses(target, attempt)) {
    if (attempt.signal.aborted) break;
    attempt.targets.push(`${address} port ${target.port}`);
    try {
      return await connected(open({ host: address, port: target.port }), attempt);
    } catch (error) {
      failure = error;
    }
  }
  throw connectionFailure(target, failureText(failure));
}

function failureText(failure: unknown): string {
  if (failure === undefined || failure instanceof TimeIsUp) return 'no connection could be made in time';
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : '';
  return TEXTS[code] ?? 'no connection could be made';
}

export const connectionFailure = ({ shownAs, port }: Target, text: string): ValidationFailure =>
  new ValidationFailure({ type: 'connection', detail: `${shownAs}, port ${port}: ${text}.`, mayChange: true });

function connected(socket: Socket, { signal, connectTimeoutMs }: Attempt): Promise<Socket> {
  const giveUp = (): void => void socket.destroy(new TimeIsUp());
  const timer = setTimeout(giveUp, connectTimeoutMs);
  signal.addEventListener('abort', giveUp, { once: true });
  socket.once('close', () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  });
  return new Promise((resolve, reject) => {
    // Stays for the life of the connection: faults after this point are told by its close.
    socket.on('error', reject);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}
