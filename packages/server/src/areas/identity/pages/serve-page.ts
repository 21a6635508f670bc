// Registration of this area's pages and of the endpoints that their scripts call.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface ServedPage {
  /** Operation in logs and metrics. The URL is omitted, because URLs of these pages can contain a secret. */
  readonly operation: string;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/** For pages that are only fetched, and for forms without fields. */
const BARE_LIMIT_BYTES = 1024;

/** Registers pages on a server. `bodyLimit` is the maximum body size in bytes. */
export const pageServer =
  (server: FastifyInstance, bodyLimit = BARE_LIMIT_BYTES) =>
  (method: 'GET' | 'POST', url: string, { operation, handler }: ServedPage): void => {
    server.route({ method, url, bodyLimit, config: { operation }, handler });
  };
