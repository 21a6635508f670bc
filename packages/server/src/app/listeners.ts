// The HTTP and HTTPS listeners, on one router. If a port is in use, the error names the flag to change.
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { deferBodyRequests, connectionOptions, rejectConnection, TIME_LIMITS } from '../platform/http/connections.ts';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Failure to open a listener; exit code 1. */
export class ListenError extends Error {
  constructor(message: string, options: { cause: unknown }) {
    super(message, options);
    this.name = 'ListenError';
  }
}

/** Parses a `HOST:PORT` setting; returns undefined for `off`. */
export function parseAddress(text: string): ListenAddress | undefined {
  if (text === 'off') return undefined;
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at).replace(/^\[(.*)\]$/, '$1'), port: Number(text.slice(at + 1)) };
}

type ListenFlag = '--http' | '--https' | '--scep-https';

/** Checks whether a listener can be opened, before the start creates anything that would affect a corrected start. */
export async function assertFree(address: ListenAddress, flag: ListenFlag): Promise<void> {
  const probe = createServer();
  probe.listen({ host: address.host, port: address.port });
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw toListenError(error as NodeJS.ErrnoException, { address, flag }); // Listening fails with errno errors.
  }
  probe.close();
  await once(probe, 'close');
}

/** Opens the HTTP listener and returns its address. */
export async function listenHttp(
  server: FastifyInstance,
  address: ListenAddress,
  { flag }: { readonly flag: string } = { flag: '--http' },
): Promise<ListenAddress> {
  try {
    await server.listen({ host: address.host, port: address.port });
  } catch (error) {
    throw toListenError(error as NodeJS.ErrnoException, { address, flag }); // Listening fails with errno errors.
  }
  // TCP listeners have addresses of this form.
  return { host: address.host, port: (server.server.address() as AddressInfo).port };
}

/**
 * Maximum duration of a TLS handshake. Clients finish within milliseconds; a stalled handshake costs a socket and a key
 * exchange.
 */
const TLS_HANDSHAKE_MS = 10_000;
/** TLS 1.3, and TLS 1.2 only with forward secrecy and authenticated encryption (RFC 9325 §4.2). */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

export interface TlsMaterial {
  readonly key: string;
  readonly cert: string;
}

export interface TlsOptions extends TlsMaterial {
  readonly handshakeMs?: number;
  /** Flag of the listener's setting. Default: `--https`. */
  readonly flag?: ListenFlag;
  /** Default: true. */
  readonly requestCert?: boolean;
}

/**
 * Opens an HTTPS listener. Client certificates are requested but not required. They are checked against the inventory
 * rather than by TLS.
 */
export async function listenHttps(
  server: FastifyInstance,
  address: ListenAddress,
  { handshakeMs = TLS_HANDSHAKE_MS, flag = '--https', requestCert = true, ...tls }: TlsOptions,
): Promise<{ address: ListenAddress; server: HttpsServer }> {
  const https = createHttpsServer({
    ...connectionOptions(),
    ...tls,
    requestCert,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    handshakeTimeout: handshakeMs,
    ciphers: CIPHERS,
    honorCipherOrder: true,
  });
  https.on('request', (request, response) => server.routing(request, response));
  // This listener's sockets are TLS sockets.
  https.on('clientError', (cause, socket: TLSSocket) => rejectConnection(cause, socket, TIME_LIMITS));
  deferBodyRequests(https);
  return { address: await open(https, address, flag), server: https };
}

function open(server: HttpsServer, address: ListenAddress, flag: ListenFlag): Promise<ListenAddress> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => reject(toListenError(error, { address, flag }));
    server.once('error', onError);
    server.listen({ host: address.host, port: address.port }, () => {
      server.off('error', onError);
      // TCP listeners have addresses of this form.
      resolve({ host: address.host, port: (server.address() as AddressInfo).port });
    });
  });
}

/** Longer than an issue request waits by default; longer work continues in the background. */
const DRAIN_MS = 10_000;
const SWEEP_MS = 50;

/** Closes a listener: running requests are completed, and each connection is closed once it is idle. */
export async function drain(server: HttpServer | HttpsServer, close: () => Promise<unknown>): Promise<void> {
  // When a server closes, it closes only connections that are idle at that moment; the others would stay open for the
  // keep-alive time after their response.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  try {
    await close();
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}

/** Closes a server; resolves when its last connection is closed. */
export const closeServer = (server: HttpServer | HttpsServer): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });

export function toListenError(
  cause: NodeJS.ErrnoException,
  { address, flag }: { address: ListenAddress; flag: string },
): ListenError {
  const where = `${address.host}:${address.port}`;
  if (cause.code === 'EADDRINUSE') {
    return new ListenError(
      `The address ${where} is in use by another program. Choose a different address with ${flag} HOST:PORT (port 0 selects any free port).`,
      { cause },
    );
  }
  if (cause.code === 'EACCES')
    return new ListenError(
      `This user does not have permission to listen on ${where}. Choose a port above 1023 with ${flag} HOST:PORT.`,
      {
        cause,
      },
    );
  return new ListenError(
    `Cannot listen on ${where} (${cause.code ?? cause.message}). Choose a different address with ${flag} HOST:PORT.`,
    { cause },
  );
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];

export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

export const isAny = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Returns a listener's URL for clients on this machine. */
export function listenerUrl(scheme: 'http' | 'https', { host, port }: ListenAddress): string {
  const name = isAny(host) ? '127.0.0.1' : host;
  const shown = name.includes(':') ? `[${name}]` : name;
  const standard = scheme === 'http' ? 80 : 443;
  return `${scheme}://${shown}${port === standard ? '' : `:${port}`}`;
}

/**
 * Returns the accepted host names: those of the listeners, client URLs and loopback. If a listener is bound to all
 * interfaces, any literal IP address is accepted.
 */
export function servedHosts(
  addresses: readonly ListenAddress[],
  urls: readonly (string | undefined)[],
): { names: readonly string[]; isServed: (host: string) => boolean } {
  const names = new Set([
    ...LOOPBACK_NAMES,
    ...addresses.map((address) => address.host).filter((host) => !isAny(host)),
  ]);
  for (const url of urls) if (url !== undefined) names.add(bareHost(new URL(url).host));
  const anyLiteral = addresses.some((address) => isAny(address.host));
  return {
    names: [...names],
    isServed(host) {
      const bare = bareHost(host);
      return names.has(bare) || (anyLiteral && /^(?:[\d.]+|[0-9a-f:]+)$/i.test(bare));
    },
  };
}

/** Returns the host in lowercase without port and brackets. */
const bareHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1');
