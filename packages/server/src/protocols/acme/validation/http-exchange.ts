// One GET over a fresh connection, and no more of HTTP than validation needs: a validation is most of what an issuance
// by ACME costs, and a general client would be most of the validation. The connection ends with the response.
import type { Socket } from 'node:net';
import { ValidationFailure } from './challenge.ts';
import { connectionFailure } from './connection.ts';
import { HttpResponseReader, MalformedResponse, type HttpResponse } from './http-response-reader.ts';
import type { Target } from './reachable-addresses.ts';

export interface HttpRequest {
  /** Value of the Host field: an address of IPv6 in brackets, the port when it is not the usual one (RFC 9110 §7.2). */
  readonly authority: string;
  /** Path and query. */
  readonly path: string;
}

export interface ExchangeOptions {
  readonly request: HttpRequest;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/** Throws `ValidationFailure`. The caller destroys the socket. */
export async function exchange(socket: Socket, { request, target, signal }: ExchangeOptions): Promise<HttpResponse> {
  socket.write(requestText(request));
  const response = await readResponse(socket).catch((error: unknown) => {
    if (!(error instanceof MalformedResponse)) throw error;
    const detail = `${target.shownAs}, port ${target.port}: the answer was not a valid HTTP/1.1 response.`;
    throw new ValidationFailure({ type: 'incorrectResponse', detail, mayChange: false, cause: error });
  });
  if (response) return response;
  throw connectionFailure(target, signal.aborted ? 'no complete response came in time' : 'the response broke off');
}

const requestText = ({ authority, path }: HttpRequest): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${authority}\r\nUser-Agent: signetry-acme\r\nAccept: */*\r\nConnection: close\r\n\r\n`;

/** Nothing when the connection ends before the response does. */
function readResponse(socket: Socket): Promise<HttpResponse | undefined> {
  const reader = new HttpResponseReader();
  return new Promise((resolve, reject) => {
    const settle = (read: () => HttpResponse | undefined): void => {
      try {
        const response = read();
        if (response) resolve(response);
      } catch (error) {
        reject(error as Error); // of the reader
      }
    };
    socket.on('data', (bytes: Buffer) => settle(() => reader.push(bytes)));
    socket.on('end', () => settle(() => reader.end()));
    socket.on('close', () => resolve(undefined));
  });
}
