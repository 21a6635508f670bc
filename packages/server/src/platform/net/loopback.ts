// The local machine, by address and by name.
import { contains, networks } from './networks.ts';

const loopback = networks(['127.0.0.0/8', '::1/128']);

export const isLoopback = (address: string | undefined): boolean => contains(loopback, address);

/** Returns whether the host refers to the client's own machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(host ?? '');
  const hostname = name?.[1] ?? name?.[2];
  return hostname?.toLowerCase() === 'localhost' || isLoopback(hostname);
}
