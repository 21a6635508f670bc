// Operations of the published interface that this version does not serve: they are refused as such, before the body is
// read, and never taken for a neighbour whose pattern fits their path.
import { operationsNotServed } from '@signetry/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../kernel/errors.ts';
import { BASE_PATH, routedUrl } from './routes.ts';

const patterns = new Map<string, RegExp[]>();
for (const { method, path } of operationsNotServed) {
  const pattern = new RegExp(`^${BASE_PATH}${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  patterns.set(method, [...(patterns.get(method) ?? []), pattern]);
}

/** Binds a refusal to each of them. */
export function bindNotServed(server: FastifyInstance): void {
  for (const { method, path } of operationsNotServed) {
    server.route({
      method,
      url: routedUrl(path),
      onRequest: () => {
        throw new AppError('operation_not_served', { method, path: BASE_PATH + path });
      },
      handler: () => undefined,
    });
  }
}

/** Would the above refuse a request of this method and path? */
export const isNotServed = (method: string, path: string): boolean =>
  patterns.get(method)?.some((pattern) => pattern.test(path)) ?? false;
