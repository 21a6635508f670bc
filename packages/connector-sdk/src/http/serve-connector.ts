// Serves a connector on its own port over plain HTTP. TLS is left to a reverse proxy; `authorize` decides who can call.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectorOperations } from '@signetry/contract';
import { isConnectorError, type ConnectorError } from '../connector-error.ts';
import type { Connector, ConnectorContext, ConnectorLog, RunningConnector } from '../connector.ts';
import { invoke, type InvokeOptions } from '../invoke.ts';
import { startConnector } from '../start-connector.ts';
import { BodyError, readJsonBody } from './json-body.ts';
import { jsonText } from './json-text.ts';
import { createRouteTable, type FindOperation, type Match } from './route-table.ts';

export interface ServeOptions extends InvokeOptions {
  readonly context: ConnectorContext;
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port?: number;
  /** Authorizes each request before its body is read; without it, anyone who can reach the port can call. */
  readonly authorize?: (request: CallerFacts) => boolean | Promise<boolean>;
}

export interface CallerFacts {
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string | undefined;
}

export interface ServedConnector {
  readonly url: string;
  readonly running: RunningConnector;
  /** Waits for running requests, then stops the connector. */
  close(): Promise<void>;
}

/** Maximum time to receive a request; a slow sender must not hold a connection forever. */
const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;

export async function serveConnector(connector: Connector, options: ServeOptions): Promise<ServedConnector> {
  const running = await startConnector(connector, options.context);
  const operations = Object.values(running.handlers).map((implementation) => implementation.operation);
  // Includes operations that the connector does not offer, so that the error can name them.
  const find = createRouteTable([...operations, ...Object.values(connectorOperations)]);
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS, maxHeaderSize: MAX_HEADER_BYTES },
    (request, response) => void respond(request, response, { ...options, running, find }),
  );
  const host = options.host ?? '127.0.0.1';
  const port = await listen(server, { host, port: options.port ?? 0 });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    running,
    close: async () => {
      await closeServer(server);
      await running.stop?.();
    },
  };
}

interface ServeContext extends ServeOptions {
  readonly running: RunningConnector;
  readonly find: FindOperation;
}

async function respond(request: IncomingMessage, response: ServerResponse, serving: ServeContext): Promise<void> {
  const aborted = new AbortController();
  response.on('close', () => {
    if (!response.writableEnded) aborted.abort();
  });
  try {
    await carryOut(request, response, { ...serving, signal: aborted.signal });
  } catch (error) {
    sendError(response, error, serving.context.log);
  }
}

async function carryOut(
  request: IncomingMessage,
  response: ServerResponse,
  serving: ServeContext & { readonly signal: AbortSignal },
): Promise<void> {
  const caller = { headers: request.headers, remoteAddress: request.socket.remoteAddress };
  if (serving.authorize && !(await serving.authorize(caller))) {
    return send(response, 401, { message: 'The caller is not authorized.' });
  }
  const { path, search } = splitTarget(request.url ?? '/');
  const match = serving.find(request.method ?? '', path);
  if (match === 'unknown-path') return send(response, 404, { message: `Path ${path.slice(0, 200)} does not exist.` });
  if (match === 'other-method') return send(response, 405, { message: `${request.method} is not supported here.` });
  const call = {
    params: match.params,
    query: queryOf(search),
    body: await bodyOf(request, match),
    idempotencyKey: headerOf(request, 'idempotency-key'),
    signal: serving.signal,
  };
  const result = await invoke(serving.running, match.operation, call, serving);
  send(response, match.operation.success.status, result);
}

const bodyOf = async (request: IncomingMessage, { operation }: Match): Promise<unknown> =>
  operation.body ? readJsonBody(request) : undefined;

/**
 * Splits a request target into path and query; a URL parser would interpret two leading slashes as the start of a host.
 */
function splitTarget(target: string): { readonly path: string; readonly search: URLSearchParams } {
  const mark = target.indexOf('?');
  if (mark === -1) return { path: target, search: new URLSearchParams() };
  return { path: target.slice(0, mark), search: new URLSearchParams(target.slice(mark + 1)) };
}

function queryOf(search: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    query[name] = values.length === 1 && values[0] !== undefined ? values[0] : values;
  }
  return query;
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function sendError(response: ServerResponse, error: unknown, log: ConnectorLog): void {
  if (response.headersSent || response.destroyed) return;
  if (error instanceof BodyError) {
    // The rest of the body is unread, so the connection cannot be reused.
    response.setHeader('Connection', 'close');
    return send(response, error.status, { message: error.message });
  }
  if (isConnectorError(error)) {
    if (error.status === 500) log.error({ error: error.cause ?? error }, 'Connector call failed');
    if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds);
    return send(response, error.status, errorBody(error));
  }
  log.error({ error }, 'Request failed');
  send(response, 500, { message: 'The connector failed unexpectedly.' });
}

const errorBody = (error: ConnectorError): unknown =>
  error.status === 422 ? error.problems : { message: error.message };

function send(response: ServerResponse, status: number, body: unknown): void {
  if (body === undefined) {
    response.writeHead(status).end();
    return;
  }
  const text = jsonText(body);
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) })
    .end(text);
}

const listen = (server: Server, address: { host: string; port: number }): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port); // The server listens on TCP, so the address is not a pipe name.
    });
  });

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeIdleConnections();
  });
