// A proxy between the platform and a connector that can lose responses: the connector has done the work, but the
// platform does not learn of it. Lost responses are recorded, so that a test can tell what the connector did.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SwallowingProxy {
  readonly url: string;
  /** Bodies of the lost responses. */
  readonly swallowed: string[];
  /** Calls whose path ends with this are forwarded, and the connection breaks instead of the response. */
  swallow(pathEnd: string | undefined): void;
  close(): Promise<void>;
}

export async function startSwallowingProxy(target: string): Promise<SwallowingProxy> {
  const swallowed: string[] = [];
  let pathEnd: string | undefined;
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // a request without encoding yields buffers
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    const key = request.headers['idempotency-key'];
    if (typeof key === 'string') headers['idempotency-key'] = key;
    const body = Buffer.concat(chunks);
    const answer = await fetch(target + url, { method, headers, ...(body.length > 0 ? { body } : {}) });
    const text = await answer.text();
    if (pathEnd !== undefined && url.endsWith(pathEnd)) {
      swallowed.push(text);
      request.socket.resetAndDestroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
    response.end(text);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a listening TCP server has such an address
    swallowed,
    swallow: (end) => {
      pathEnd = end;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
