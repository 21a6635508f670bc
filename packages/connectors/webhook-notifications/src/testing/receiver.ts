// Webhook receiver on loopback.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly headers: IncomingMessage['headers'];
  readonly url: string;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  close(): Promise<void>;
}

type Responder = (response: ServerResponse, request: ReceivedRequest) => void;

const ACCEPT: Responder = (response) => response.writeHead(204).end();

export async function startReceiver(
  answer: Responder = ACCEPT,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const receive = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    // No encoding is set, so chunks are buffers.
    const parts = await Array.fromAsync(incoming as AsyncIterable<Buffer>);
    const request = { headers: incoming.headers, url: incoming.url ?? '', body: Buffer.concat(parts).toString('utf8') };
    requests.push(request);
    answer(response, request);
  };
  const server = tls
    ? createHttpsServer(tls, (request, response) => void receive(request, response))
    : createHttpServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // TCP
  return {
    url: `${tls ? 'https' : 'http'}://localhost:${port}/hook`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
