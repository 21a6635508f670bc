// Rules for the connections of all listeners: time limits for requests, maximum header size, and responses to requests
// that Node's parser rejects.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server as HttpServer, type ServerOptions } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { AppError } from '../../kernel/errors.ts';
import { renderRestError } from './render-error.ts';
import { titleCase } from './title-case-headers.ts';

/** Time limits after which slow clients are disconnected: 10 s for the headers, 30 s for the whole request. */
export interface TimeLimits {
  readonly headersMs: number;
  readonly requestMs: number;
}
export const TIME_LIMITS: TimeLimits = { headersMs: 10_000, requestMs: 30_000 };
const KEEP_ALIVE_MS = 75_000;
const MAX_HEADER_BYTES = 32 * 1024;
/** Interval at which Node checks for late requests; with its default of 30 s, a limit of 10 s could become 40 s. */
const LATENESS_CHECK_MS = 1_000;
/** Time for a response to be sent and read before the connection is closed. */
const CLOSING_MS = 1_000;

/** Options that Node accepts only when a server is created. */
export const connectionOptions = ({ headersMs, requestMs }: TimeLimits = TIME_LIMITS) =>
  ({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(LATENESS_CHECK_MS, headersMs),
  }) as const satisfies ServerOptions;

/**
 * Requests a body from the client only when it is read (`unread-body.ts`). By default, Node requests it before the
 * request has been checked.
 */
export function deferBodyRequests(server: HttpServer | HttpsServer): void {
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
}

/** Responds to malformed, slow and oversized requests with an API error, and closes the connection. */
export function rejectConnection(cause: Error & { code?: string }, socket: Socket, limits: TimeLimits): void {
  if (cause.code === 'ECONNRESET' || !socket.writable || isResponding(socket)) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = renderRestError(rejectionOf(cause, limits), undefined);
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    'x-content-type-options': 'nosniff',
    connection: 'close',
    // The path may be that of a device protocol.
  }).map(([name, value]) => `${titleCase(name)}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
  // If data were left unread, the operating system would reset the connection, and the response would be lost.
  socket.resume();
  const deadline = setTimeout(() => socket.destroy(), CLOSING_MS).unref();
  socket.once('close', () => clearTimeout(deadline));
}

/**
 * Returns whether a response is in progress, which Node stores with the socket. An error response must not be written
 * into the response to an earlier request.
 */
const isResponding = (socket: Socket): boolean =>
  // As Node's own error handler does.
  (socket as Socket & { _httpMessage?: { headersSent: boolean } | null })._httpMessage?.headersSent === true;

function rejectionOf({ code }: { code?: string }, { headersMs, requestMs }: TimeLimits): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('headers_too_large', { limitBytes: MAX_HEADER_BYTES });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_too_slow', { headersS: headersMs / 1_000, wholeS: requestMs / 1_000 });
    default:
      return new AppError('malformed_request', { problem: 'it is not valid HTTP/1.1' });
  }
}
