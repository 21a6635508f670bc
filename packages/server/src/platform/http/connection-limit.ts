// Limits the number of open connections per IP address, so that a single client cannot use up all of the process's
// connections.
import type { BlockList, Server, Socket } from 'node:net';
import { networkOf } from '../limits/network-of.ts';
import { contains } from '../net/networks.ts';

export interface ConnectionLimit {
  /** Maximum open connections per IP address, across all servers that share the limit. */
  readonly max: number;
  /** Reverse proxies, whose connections carry requests from many clients. */
  readonly exempt: BlockList;
  readonly onRejected: () => void;
}

/**
 * Returns a function that applies the limit to a server; servers to which the same function was applied share the
 * limit.
 */
export function createConnectionLimit({ max, exempt, onRejected }: ConnectionLimit): (server: Server) => void {
  const open = new Map<string, number>();

  function admit(socket: Socket): void {
    const { remoteAddress } = socket;
    // If there is no address, the connection is already closed.
    if (remoteAddress === undefined || contains(exempt, remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    if (count > max) {
      // Nothing is read or sent: rejecting a connection must cost less than serving it.
      socket.destroy();
      onRejected();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  }

  return (server) => void server.prependListener('connection', admit);
}
