// Bounds the open connections of one address, so that one client cannot take all that the process may have open.
import type { BlockList, Server, Socket } from 'node:net';
import { networkOf } from '../limits/network-of.ts';
import { contains } from '../net/networks.ts';

export interface ConnectionLimit {
  /** Open connections of one address, over all servers that share the limit. */
  readonly max: number;
  /** Reverse proxies carry the connections of many clients. */
  readonly exempt: BlockList;
  readonly onRefused: () => void;
}

/** Returns the function that bounds a server; servers bounded by the same function share the limit. */
export function createConnectionLimit({ max, exempt, onRefused }: ConnectionLimit): (server: Server) => void {
  const open = new Map<string, number>();

  function admit(socket: Socket): void {
    const { remoteAddress } = socket;
    // Without an address the connection is closed already.
    if (remoteAddress === undefined || contains(exempt, remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    if (count > max) {
      // Nothing is read and no response is sent: refusing must cost less than serving.
      socket.destroy();
      onRefused();
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
