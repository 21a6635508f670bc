// The machine itself, by address and by name.
import { contains, networks } from './networks.ts';

const loopback = networks(['127.0.0.0/8', '::1/128']);

export const isLoopback = (address: string | undefined): boolean => contains(loopback, address);

/** Does this Host name the machine that the client itself runs on? */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(host ?? '');
  const hostname = name?.[1] ?? name?.[2];
  return hostname?.toLowerCase() === 'localhost' || isLoopback(hostname);
}
