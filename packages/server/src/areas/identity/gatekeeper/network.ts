// Facts about where a request really came from: the socket's peer, never a header that anybody can write.
import type { FastifyRequest } from 'fastify';
import { isLoopback, isLoopbackHost } from '../../../platform/net/loopback.ts';

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

const SAME_SITE: ReadonlySet<string> = new Set(['same-origin', 'none']);

const isForeignOrigin = (origin: string, own: readonly string[]): boolean => !own.includes(origin.toLowerCase());

/**
 * Did a page of another site make this call? Browsers attach cookies and client certificates by themselves, so such
 * calls must not change anything. `Sec-Fetch-Site` says it outright where browsers send it; `Origin` does elsewhere. A
 * call with neither does not come from a page.
 */
export function isCrossSite(request: FastifyRequest, ownOrigins: readonly string[]): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return !SAME_SITE.has(String(site));
  const { origin } = request.headers;
  return origin !== undefined && isForeignOrigin(origin, [originOf(request), ...ownOrigins]);
}

/**
 * Did a page of another site lead here, by a link or a picture? Browsers that do not say so outright name the page they
 * come from.
 */
export function isLedFromElsewhere(request: FastifyRequest, ownOrigins: readonly string[]): boolean {
  if (isCrossSite(request, ownOrigins)) return true;
  const { referer } = request.headers;
  if (referer === undefined || request.headers['sec-fetch-site'] !== undefined) return false;
  return isForeignOrigin(URL.parse(referer)?.origin ?? 'null', [originOf(request), ...ownOrigins]);
}

/** Did a page of our own lead here? For what nobody should be led to by a message or a foreign page. */
export function isLedFromHere(request: FastifyRequest, ownOrigins: readonly string[]): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { referer } = request.headers;
  return (
    referer !== undefined && !isForeignOrigin(URL.parse(referer)?.origin ?? 'null', [originOf(request), ...ownOrigins])
  );
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
