// HTTP proxy between the platform and a connector that can fail in every way that a network or a connector can: before
// the connector receives the request, or after it has done the work. Forwarded calls are recorded, so that a test can
// see what the connector did even if the platform never learned of it.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as passTime } from 'node:timers/promises';

export type Fault =
  /** Accepts the request and never responds; the connector does not receive it, or does its work first. */
  | { readonly kind: 'silence'; readonly afterWork: boolean }
  /** Breaks the connection; the connector does not receive the request, or does its work first. */
  | { readonly kind: 'reset'; readonly afterWork: boolean }
  /** Sends the real response one byte at a time. */
  | { readonly kind: 'drip'; readonly pauseMs: number }
  /** Breaks off in the middle of the response. */
  | { readonly kind: 'cut' }
  /** Sends the real response, padded with spaces to this size. */
  | { readonly kind: 'swell'; readonly octets: number }
  /** Sends a different response; the connector does not receive the request, or does its work first. */
  | {
      readonly kind: 'answer';
      readonly afterWork: boolean;
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly text?: string;
    };

export interface FaultOptions {
  /** Number of affected calls; default: all. */
  readonly times?: number;
  /** Affects only every second call, starting with the first. */
  readonly flapping?: boolean;
}

export interface ForwardedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
  readonly text: string;
}

export interface FaultProxy {
  readonly url: string;
  /** Calls that the connector has answered. */
  readonly forwarded: readonly ForwardedCall[];
  /** Returns the number of received calls, forwarded or not, by method and path ending. */
  arrivals(method: string, pathEnd: string): number;
  forwardedTo(method: string, pathEnd: string): ForwardedCall[];
  /** Applies the fault to calls with this method and path ending, replacing an earlier fault. */
  inject(method: string, pathEnd: string, fault: Fault, options?: FaultOptions): void;
  /** Restores normal operation; silenced connections break. */
  heal(): void;
  close(): Promise<void>;
}

interface Rule extends FaultOptions {
  readonly method: string;
  readonly pathEnd: string;
  readonly fault: Fault;
  seen: number;
}

interface Proxy {
  readonly target: string;
  readonly forwarded: ForwardedCall[];
  readonly silent: Set<ServerResponse>;
}

/** Starts a proxy. `target` is the connector URL, without a trailing slash. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const proxy: Proxy = { target, forwarded: [], silent: new Set() };
  const arrived: { readonly method: string; readonly path: string }[] = [];
  let rules: Rule[] = [];

  const server = createServer((request, response) => {
    const { method = 'GET', url: path = '/' } = request;
    arrived.push({ method, path });
    const rule = rules.find((each) => each.method === method && path.endsWith(each.pathEnd));
    serve(proxy, { request, response }, rule && faultNow(rule)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const heal = (): void => {
    rules = [];
    for (const response of proxy.silent) response.socket?.resetAndDestroy();
    proxy.silent.clear();
  };

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // listens on a TCP port
    forwarded: proxy.forwarded,
    arrivals: (method, pathEnd) =>
      arrived.filter((call) => call.method === method && call.path.endsWith(pathEnd)).length,
    forwardedTo: (method, pathEnd) =>
      proxy.forwarded.filter((call) => call.method === method && call.path.endsWith(pathEnd)),
    inject(method, pathEnd, fault, options = {}) {
      rules = rules.filter((rule) => rule.method !== method || rule.pathEnd !== pathEnd);
      rules.push({ method, pathEnd, fault, ...options, seen: 0 });
    },
    heal,
    close: () =>
      new Promise((resolve) => {
        heal();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function faultNow(rule: Rule): Fault | undefined {
  rule.seen += 1;
  if (rule.times !== undefined && rule.seen > rule.times) return undefined;
  return rule.flapping && rule.seen % 2 === 0 ? undefined : rule.fault;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function serve(proxy: Proxy, { request, response }: Exchange, fault: Fault | undefined): Promise<void> {
  const body = await bodyOf(request);
  const isBefore = fault && 'afterWork' in fault && !fault.afterWork;
  const answer = isBefore ? undefined : await forward(proxy, request, body);
  if (fault) await fail(proxy, response, fault, answer?.text ?? '');
  else if (answer) send(response, answer.status, answer.text);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a request without encoding yields buffers
  return Buffer.concat(chunks);
}

/** Hop-by-hop headers (RFC 9110 §7.6.1), and headers set by `fetch`. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'host',
  'content-length',
  'transfer-encoding',
]);

async function forward(
  { target, forwarded }: Proxy,
  { method = 'GET', url: path = '/', headers }: IncomingMessage,
  body: Buffer<ArrayBuffer>,
): Promise<ForwardedCall> {
  const passed = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name));
  const reply = await fetch(target + path, {
    method,
    headers: passed.map(([name, value]): [string, string] => [name, String(value)]),
    redirect: 'manual',
    ...(body.length > 0 ? { body } : {}),
  });
  const call = { method, path, headers, status: reply.status, text: await reply.text() };
  forwarded.push(call);
  return call;
}

async function fail({ silent }: Proxy, response: ServerResponse, fault: Fault, text: string): Promise<void> {
  switch (fault.kind) {
    case 'silence':
      silent.add(response);
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length + 100 });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      return;
    case 'drip':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      for (const octet of Buffer.from(text)) {
        if (response.destroyed) return;
        response.write(Buffer.of(octet));
        await passTime(fault.pauseMs);
      }
      response.end();
      return;
    case 'swell':
      send(response, 200, text + ' '.repeat(Math.max(0, fault.octets - text.length)));
      return;
    case 'answer':
      send(response, fault.status, fault.text ?? '', fault.headers);
  }
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}
