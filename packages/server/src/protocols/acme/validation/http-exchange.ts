// A single GET over a new connection, using only the parts of HTTP that validation needs: validation accounts for most
// of the cost of an ACME issuance, and a general-purpose client would account for most of the cost of validation. The
// connection is closed after the response.
import type { Socket } from 'node:net';
import { ValidationFailure } from './challenge.ts';
import { connectionFailure } from './connection.ts';
import { HttpResponseReader, MalformedResponse, type HttpResponse } from './http-response-reader.ts';
import type { Target } from './reachable-addresses.ts';

export interface HttpRequest {
  /**
   * Value of the Host field: IPv6 addresses are in brackets, and the port is included only if it is not the default
   * (RFC 9110 §7.2).
   */
  readonly authority: string;
  /** Path and query. */
  readonly path: string;
}

export interface ExchangeOptions {
  readonly request: HttpRequest;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/** Sends the request and returns the response. Throws `ValidationFailure`. The caller destroys the socket. */
export async function exchange(socket: Socket, { request, target, signal }: ExchangeOptions): Promise<HttpResponse> {
  socket.write(requestText(request));
  const response = await readResponse(socket).catch((error: unknown) => {
    if (!(error instanceof MalformedResponse)) throw error;
    const detail = `${target.shownAs}, port ${target.port}: the server did not return a valid HTTP/1.1 response.`;
    throw new ValidationFailure({ type: 'incorrectResponse', detail, mayChange: false, cause: error });
  });
  if (response) return response;
  throw connectionFailure(
    target,
    signal.aborted
      ? 'no complete response was received in time'
      : 'the connection was closed before the response was complete',
  );
}

const requestText = ({ authority, path }: HttpRequest): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${authority}\r\nUser-Agent: signetry-acme\r\nAccept: */*\r\nConnection: close\r\n\r\n`;

/** Returns undefined if the connection is closed before the response is complete. */
function readResponse(socket: Socket): Promise<HttpResponse | undefined> {
  const reader = new HttpResponseReader();
  return new Promise((resolve, reject) => {
    const settle = (read: () => HttpResponse | undefined): void => {
      try {
        const response = read();
        if (response) resolve(response);
      } catch (error) {
        reject(error as Error); // The reader throws only instances of `Error`.
      }
    };
    socket.on('data', (bytes: Buffer) => settle(() => reader.push(bytes)));
    socket.on('end', () => settle(() => reader.end()));
    socket.on('close', () => resolve(undefined));
  });
}
