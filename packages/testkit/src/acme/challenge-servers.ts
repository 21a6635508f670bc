// Servers with which an ACME client proves control: responders for http-01 (RFC 8555 §8.3) and tls-alpn-01 (RFC 8737),
// on free loopback ports. Both record requests and can be configured to misbehave.
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { generateKeyPair } from '@signetry/pki/node';
import { ACME_TLS_PROTOCOL, alpnCertificate, serverNameOf, type AlpnCertificateOptions } from './alpn-certificate.ts';

const LOOPBACK = '127.0.0.1';
const CHALLENGE_PATH = '/.well-known/acme-challenge/';

export interface ChallengeServerOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: a free port. */
  readonly port?: number;
}

export interface HttpChallengeRequest {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly userAgent: string | undefined;
}

export type HttpMisbehavior = (request: IncomingMessage, response: ServerResponse) => void;

export interface HttpChallengeServer {
  readonly port: number;
  readonly requests: readonly HttpChallengeRequest[];
  /** Serves content for a token: the key authorization or anything else. */
  serve(token: string, content: string | Uint8Array): void;
  /** Replaces the response to every request, until called without an argument. */
  misbehave(how?: HttpMisbehavior): void;
  stop(): Promise<void>;
}

export async function startHttpChallengeServer(options: ChallengeServerOptions = {}): Promise<HttpChallengeServer> {
  const contents = new Map<string, string | Uint8Array>();
  const requests: HttpChallengeRequest[] = [];
  let misbehaviour: HttpMisbehavior | undefined;
  const server = createHttpServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, host: headers.host, userAgent: headers['user-agent'] });
    if (misbehaviour) return misbehaviour(request, response);
    const content = path.startsWith(CHALLENGE_PATH) ? contents.get(path.slice(CHALLENGE_PATH.length)) : undefined;
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': 'application/octet-stream' });
    response.end(content);
  });
  return {
    port: await listen(server, options),
    requests,
    serve: (token, content) => void contents.set(token, content),
    misbehave: (how) => void (misbehaviour = how),
    stop: createStop(server),
  };
}

export interface AlpnConnection {
  /** Server name as sent by the client. */
  readonly serverName: string | undefined;
  readonly protocol: string | undefined;
}

export interface TlsAlpnChallengeServer {
  readonly port: number;
  /** Completed handshakes. */
  readonly connections: readonly AlpnConnection[];
  /** Serves a certificate, valid or falsified, for the key authorization of a name or IP address. */
  serve(name: string, keyAuthorization: string, certificate?: AlpnCertificateOptions): void;
  /** Takes over every connection before TLS begins, until called without an argument. */
  misbehave(how?: (socket: Socket) => void): void;
  stop(): Promise<void>;
}

export interface TlsAlpnChallengeServerOptions extends ChallengeServerOptions {
  /** Offered ALPN protocols; default: `acme-tls/1`. */
  readonly protocols?: readonly string[];
}

export async function startTlsAlpnChallengeServer(
  options: TlsAlpnChallengeServerOptions = {},
): Promise<TlsAlpnChallengeServer> {
  const keys = await generateKeyPair('P-256');
  const contexts = new Map<string, SecureContext>();
  const connections: AlpnConnection[] = [];
  let misbehaviour: ((socket: Socket) => void) | undefined;
  const tls = createTlsServer({
    ALPNProtocols: [...(options.protocols ?? [ACME_TLS_PROTOCOL])],
    // Without a context for the name, the handshake fails, as required.
    SNICallback: (serverName, answer) => answer(null, contexts.get(serverName.toLowerCase())),
  });
  tls.on('secureConnection', (socket) => {
    socket.on('error', () => undefined); // the client may have disconnected
    const { servername, alpnProtocol } = socket;
    connections.push({ serverName: servername || undefined, protocol: alpnProtocol || undefined });
    socket.end();
  });
  const front = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    if (misbehaviour) misbehaviour(socket);
    else tls.emit('connection', socket);
  });
  return {
    port: await listen(front, options),
    connections,
    serve(name, keyAuthorization, certificate = {}) {
      const made = alpnCertificate({ name, keyAuthorization, keys }, certificate);
      contexts.set(serverNameOf(name), createSecureContext(made));
    },
    misbehave: (how) => void (misbehaviour = how),
    stop: createStop(front),
  };
}

async function listen(server: Server, { host = LOOPBACK, port = 0 }: ChallengeServerOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port; // listens on a TCP port
}

/** Returns a function that stops the server immediately, disconnecting waiting clients. */
function createStop(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  let stopped: Promise<void> | undefined;
  return () =>
    (stopped ??= new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    }));
}
