// Detects whether an address leads back to this process. A listener on all interfaces covers only this machine's
// addresses: a different host with the same port is an ordinary target.
import { networkInterfaces } from 'node:os';
import { isAny, isLoopback, type ListenAddress } from './listeners.ts';

/** `machine` returns this machine's addresses. */
export function isOwnListener(
  own: readonly (ListenAddress | undefined)[],
  target: { readonly address: string; readonly port: number },
  machine: () => readonly string[] = machineAddresses,
): boolean {
  return own.some((listener) => {
    if (listener?.port !== target.port) return false;
    if (isLoopback(target.address)) return isAny(listener.host) || isLoopback(listener.host);
    return isAny(listener.host) ? machine().includes(target.address) : listener.host === target.address;
  });
}

const machineAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address));
