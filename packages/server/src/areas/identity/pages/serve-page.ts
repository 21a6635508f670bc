// How the pages of this area and what their scripts call are registered.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface ServedPage {
  /**
   * The operation in logs and metrics. They have no address beside it: addresses of these pages may hold a secret.
   */
  readonly operation: string;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/** Pages that are fetched, and forms without fields. */
const BARE_LIMIT_BYTES = 1024;

/** Registers pages on a server, none of which takes a larger body than `bodyLimit`, in bytes. */
export const pageServer =
  (server: FastifyInstance, bodyLimit = BARE_LIMIT_BYTES) =>
  (method: 'GET' | 'POST', url: string, { operation, handler }: ServedPage): void => {
    server.route({ method, url, bodyLimit, config: { operation }, handler });
  };
