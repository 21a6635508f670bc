// Writes header names with the capitalization that the RFCs use, on the paths of the device protocols. Names are
// case-insensitive (RFC 9110 §5.1), but some device libraries compare them byte by byte.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Names that are not simply capitalized word by word. */
const SPECIAL: Readonly<Record<string, string>> = { 'www-authenticate': 'WWW-Authenticate', etag: 'ETag' };

export const titleCase = (name: string): string =>
  SPECIAL[name.toLowerCase()] ?? name.replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());

/** Paths of ACME, CMP, EST and SCEP, also those without a route. */
const DEVICE_PATH = /^\/(?:api\/v1\/protocols|\.well-known\/(?:cmp|est))(?:[/?]|$)/;

/**
 * Must be registered before all other hooks, so that it also covers their rejections. Errors that are raised before any
 * hook runs require `useTitleCase`.
 */
export function writeTitleCaseHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    useTitleCase(request.raw, reply.raw);
    done();
  });
}

/** Rewrites the header names of the response if the request is on the path of a device protocol. */
export function useTitleCase({ url = '' }: Pick<IncomingMessage, 'url'>, response: ServerResponse): void {
  if (!DEVICE_PATH.test(url)) return;
  const writeHead = response.writeHead.bind(response) as (...facts: readonly unknown[]) => typeof response;
  response.writeHead = (...facts: readonly unknown[]) => writeHead(...facts.map(toTitleCase));
}

/** Rewrites the headers among the arguments of `writeHead`: a status, an optional reason, and headers. */
const toTitleCase = (fact: unknown): unknown =>
  typeof fact === 'object' && fact !== null && !Array.isArray(fact)
    ? Object.fromEntries(Object.entries(fact as OutgoingHttpHeaders).map(([name, value]) => [titleCase(name), value]))
    : fact;
