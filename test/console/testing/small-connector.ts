// A minimal connector whose health response is set by the test.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { functionGroupSpecifications, type FunctionGroupCode, type HealthDto } from '@signetry/contract';
import { afterAll, beforeAll } from 'vitest';

export interface SmallConnector {
  readonly url: () => string;
  /** Health that it returns from now on. */
  health: HealthDto;
  /** Requests received so far, by method and path. */
  readonly asked: string[];
}

/** Offers one kind of a function group; runs for all tests of a group. */
export function smallConnector(code: FunctionGroupCode, kind: string): SmallConnector {
  let server: Server | undefined;
  let port = 0;
  const connector: SmallConnector = {
    url: () => `http://127.0.0.1:${port}`,
    health: { status: 'ok' },
    asked: [],
  };
  const endPoints = functionGroupSpecifications[code].endpoints.map((endpoint) => ({ uuid: '', ...endpoint }));
  const answers: Readonly<Record<string, () => unknown>> = {
    'GET /v1': () => [{ functionGroupCode: code, kinds: [kind], endPoints }],
    'GET /v1/health': () => connector.health,
    [`GET /v1/${code}/${kind}/attributes`]: () => [],
  };
  beforeAll(async () => {
    server = createServer((request, response) => {
      const rule = `${request.method} ${request.url}`;
      connector.asked.push(rule);
      const answer = answers[rule];
      response.writeHead(answer || request.method === 'POST' ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer?.() ?? null));
    });
    const listening = server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    ({ port } = listening.address() as AddressInfo); // A listening TCP server has such an address.
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });
  return connector;
}
