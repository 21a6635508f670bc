// Facts about where a request really came from: the socket's peer, never a header that anybody can write.
import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

const loopback = networks(['127.0.0.0/8', '::1/128']);

/** Headers by which proxies say that they pass on a call; a local caller sends none. */
const FORWARDING_HEADERS: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'x-original-host',
]);

/** Addresses (`192.0.2.1`) and networks (`192.0.2.0/24`) to ask an address against. */
export function networks(list: readonly string[]): BlockList {
  const result = new BlockList();
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const prefix = bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits);
    if (isIP(address) === 0 || !Number.isInteger(prefix))
      throw new Error(`${entry} is neither an address nor a network.`);
    result.addSubnet(address, prefix, family);
  }
  return result;
}

/** IPv4 addresses mapped into IPv6 (`::ffff:192.0.2.1`) count as the IPv4 address. */
export function contains(list: BlockList, address: string | undefined): boolean {
  if (address === undefined) return false;
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

export const isLoopback = (address: string | undefined): boolean => contains(loopback, address);

/** Does this Host name the machine that the client itself runs on? */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(host ?? '');
  const hostname = name?.[1] ?? name?.[2];
  return hostname?.toLowerCase() === 'localhost' || isLoopback(hostname);
}

const SAME_SITE: ReadonlySet<string> = new Set(['same-origin', 'none']);

const isForeignOrigin = (origin: string, own: readonly string[]): boolean => !own.includes(origin.toLowerCase());

/**
 * Did a page of another site make this call? Browsers attach cookies and client certificates by themselves, so such calls
 * must not change anything. `Sec-Fetch-Site` says it outright where browsers send it; `Origin` does elsewhere. A call with
 * neither does not come from a page.
 */
export function isCrossSite(request: FastifyRequest, ownOrigins: readonly string[]): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return !SAME_SITE.has(String(site));
  const { origin } = request.headers;
  return origin !== undefined && isForeignOrigin(origin, [originOf(request), ...ownOrigins]);
}

/** Scheme and authority under which the request reached us. */
export const originOf = (request: FastifyRequest): string => `${request.protocol}://${request.host}`.toLowerCase();

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Methods that change nothing (RFC 9110 §9.2.1). */
export const isSafeMethod = (method: string): boolean => SAFE_METHODS.has(method);

/** A call from this machine that no proxy passed on and no page of another site made. */
export function isLocalCall(request: FastifyRequest): boolean {
  const { headers } = request;
  const forwarded = Object.keys(headers).some((name) => name.startsWith('x-forwarded') || FORWARDING_HEADERS.has(name));
  return (
    !forwarded &&
    isLoopback(request.raw.socket.remoteAddress) &&
    isLoopbackHost(headers.host) &&
    !isCrossSite(request, [])
  );
}
