// Connections to validation targets: tries checked IP addresses one by one within a time limit, and always destroys the
// socket.
import type { Socket } from 'node:net';
import { ValidationFailure } from './challenge.ts';
import { reachableAddresses, type Target } from './reachable-addresses.ts';
import { TimeLimitExceeded } from './time-limit.ts';
import type { Attempt } from './attempt.ts';

/** Starts connecting to the given address only. */
export type OpenSocket = (to: { readonly host: string; readonly port: number }) => Socket;

const TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused; check that a server is listening',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host is not reachable from the ACME server',
  ENETUNREACH: 'the network is not reachable from the ACME server',
};

/**
 * Connects to the first of the target's addresses that accepts a connection, IPv6 first. The caller destroys the
 * socket; it is also destroyed when the attempt ends. Throws `ValidationFailure`.
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
      return await waitUntilConnected(open({ host: address, port: target.port }), attempt);
    } catch (error) {
      failure = error;
    }
  }
  throw connectionFailure(target, failureText(failure));
}

function failureText(failure: unknown): string {
  if (failure === undefined || failure instanceof TimeLimitExceeded)
    return 'the connection could not be established in time';
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : '';
  return TEXTS[code] ?? 'the connection could not be established';
}

export const connectionFailure = ({ shownAs, port }: Target, text: string): ValidationFailure =>
  new ValidationFailure({ type: 'connection', detail: `${shownAs}, port ${port}: ${text}.`, mayChange: true });

function waitUntilConnected(socket: Socket, { signal, connectTimeoutMs }: Attempt): Promise<Socket> {
  const destroySocket = (): void => void socket.destroy(new TimeLimitExceeded());
  const timer = setTimeout(destroySocket, connectTimeoutMs);
  signal.addEventListener('abort', destroySocket, { once: true });
  socket.once('close', () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', destroySocket);
  });
  return new Promise((resolve, reject) => {
    // This listener remains for the life of the connection; the close event reports later errors.
    socket.on('error', reject);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}
