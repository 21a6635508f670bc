// For tests of this area only: the area behind a real HTTP server on loopback, and a client that can send any header.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createServer, request as httpsRequest, type RequestOptions, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { bindRoutes } from '../../../platform/http/binder.ts';
import { createHttpServer } from '../../../platform/http/server.ts';
import type { IdentityFixture } from './identity-fixture.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** TLS options of the client; the request is sent to the HTTPS listener. */
  readonly tls?: Pick<RequestOptions, 'cert' | 'key'>;
}

export interface HttpFixture {
  send(path: string, call?: Call): Promise<Reply>;
  readonly origin: string;
  close(): Promise<void>;
}

export async function serve(
  fixture: IdentityFixture,
  options: { trustedProxies?: readonly string[]; tls?: Pick<ServerOptions, 'cert' | 'key'> } = {},
): Promise<HttpFixture> {
  const server: FastifyInstance = createHttpServer({
    isServedHost: (host) => !host.startsWith('evil'),
    trustedProxies: options.trustedProxies ?? [],
    onFault: (error) => {
      throw error;
    },
  });
  await server.register(async (scope) => {
    bindRoutes(scope, fixture.area.routes ?? [], {
      gatekeeper: fixture.area.gatekeeper,
      onRefusal: async () => undefined,
      onFault: (error) => {
        throw error;
      },
      checkReplies: true,
    });
  });
  fixture.area.http?.(server);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo; // The server listens on TCP.
  const tlsServer =
    options.tls &&
    createServer({ ...options.tls, requestCert: true, rejectUnauthorized: false }, (request, reply) =>
      server.routing(request, reply),
    );
  if (tlsServer) await new Promise<void>((resolve) => tlsServer.listen(0, '127.0.0.1', resolve));
  const tlsPort = tlsServer ? (tlsServer.address() as AddressInfo).port : 0;

  const send = (path: string, call: Call = {}): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const { method = 'GET', headers = {}, body, tls } = call;
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const facts = {
        host: '127.0.0.1',
        port: tls ? tlsPort : port,
        path,
        method,
        headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      };
      const request = tls
        ? httpsRequest({ ...facts, ...tls, rejectUnauthorized: false, agent: false })
        : httpRequest({ ...facts, agent: false });
      request.on('error', reject);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = /json/.test(response.headers['content-type'] ?? '') && text !== '';
          const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>; // Tests check individual members.
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
        });
      });
      request.end(payload);
    });

  return {
    send,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      tlsServer?.close();
      tlsServer?.closeAllConnections();
      await server.close();
    },
  };
}
