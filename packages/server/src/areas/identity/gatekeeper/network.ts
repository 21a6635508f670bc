// Determines where a request really came from, based on the socket's peer rather than on headers that anyone can set.
import type { FastifyRequest } from 'fastify';
import { isLoopback, isLoopbackHost } from '../../../platform/net/loopback.ts';

/** Headers by which proxies indicate that they forward a request; a local caller sends none. */
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
 * Returns whether a different site's page made this request. Browsers attach cookies and client certificates
 * automatically, so such requests must not change anything. `Sec-Fetch-Site` states this explicitly if the browser
 * sends it; otherwise, `Origin` is used. A request with neither header does not come from a page.
 */
export function isCrossSite(request: FastifyRequest, ownOrigins: readonly string[]): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return !SAME_SITE.has(String(site));
  const { origin } = request.headers;
  return origin !== undefined && isForeignOrigin(origin, [originOf(request), ...ownOrigins]);
}

/**
 * Returns whether a different site's page led here, through a link or an image. If the browser does not state this
 * explicitly, the page in `Referer` is used.
 */
export function isCrossSiteNavigation(request: FastifyRequest, ownOrigins: readonly string[]): boolean {
  if (isCrossSite(request, ownOrigins)) return true;
  const { referer } = request.headers;
  if (referer === undefined || request.headers['sec-fetch-site'] !== undefined) return false;
  return isForeignOrigin(URL.parse(referer)?.origin ?? 'null', [originOf(request), ...ownOrigins]);
}

/**
 * Returns whether one of our own pages led here. For actions that must not be triggered by a link in a message or on a
 * different site's page.
 */
export function isSameSiteNavigation(request: FastifyRequest, ownOrigins: readonly string[]): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { referer } = request.headers;
  return (
    referer !== undefined && !isForeignOrigin(URL.parse(referer)?.origin ?? 'null', [originOf(request), ...ownOrigins])
  );
}

/** Returns the origin (scheme and authority) at which the request reached us. */
export const originOf = (request: FastifyRequest): string => `${request.protocol}://${request.host}`.toLowerCase();

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns whether the method changes nothing (RFC 9110 §9.2.1). */
export const isSafeMethod = (method: string): boolean => SAFE_METHODS.has(method);

/**
 * Returns whether the request comes from this machine, was not forwarded by a proxy and was not made by a page of a
 * different site.
 */
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
