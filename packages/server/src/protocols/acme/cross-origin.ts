// Allows web pages from any origin to use the ACME resources (CORS, Fetch standard), so that clients can run in
// browsers. Other clients do not get these headers, because some search all headers for `Location`. Requests are
// authenticated only by their signatures, never by a cookie or a header that the browser adds, so a page cannot do
// anything that a different program on the same machine could not do.
import type { FastifyInstance } from 'fastify';

const FOR_PAGES = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Link, Location, Replay-Nonce, Retry-After',
};

const ON_PREFLIGHTS = {
  'access-control-allow-methods': 'GET, HEAD, POST',
  // HTML forms cannot send `application/jose+json`.
  'access-control-allow-headers': 'Content-Type',
  'access-control-max-age': '86400',
  'cache-control': 'no-store',
};

/** Applies only to the routes in this scope, not to the server's other routes. */
export function allowEveryOrigin(scope: FastifyInstance, paths: readonly string[]): void {
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    if (request.headers.origin !== undefined) reply.headers(FOR_PAGES);
  });
  for (const url of new Set(paths))
    scope.route({
      method: 'OPTIONS',
      url,
      handler: async (_request, reply) => reply.status(204).headers(ON_PREFLIGHTS).send(),
    });
}
