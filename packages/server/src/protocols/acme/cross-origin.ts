// Lets pages of every origin use the resources of ACME (the CORS protocol of the Fetch standard), so that clients can
// run in browsers. Other clients get none of these headers: some look for `Location` in whatever they are sent.
// Requests are authenticated by their signatures alone, never by a cookie or a header that a browser adds by itself,
// and so a page can do nothing that another program on the same machine could not do.
import type { FastifyInstance } from 'fastify';

const FOR_PAGES = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Link, Location, Replay-Nonce, Retry-After',
};

const ON_PREFLIGHTS = {
  'access-control-allow-methods': 'GET, HEAD, POST',
  // `application/jose+json` is no type that forms can send.
  'access-control-allow-headers': 'Content-Type',
  'access-control-max-age': '86400',
  'cache-control': 'no-store',
};

/** For the routes of a scope and no others of the server. */
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
