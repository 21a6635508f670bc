// Raw HTTP: any bytes, any headers, over a new connection.
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** For HTTPS: the trusted CA and the client certificate. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Local address from which the request is sent. */
  readonly from?: string;
}

/** Sends a request. The path is sent exactly as it appears in the URL, including double slashes. */
export function send(base: string, path: string, { method = 'GET', headers = {}, body, tls, from }: RawRequest = {}) {
  const { hostname, port, protocol } = new URL(base);
  const options = { hostname, port, path, method, headers, agent: false, localAddress: from, ...tls };
  return new Promise<RawResponse>((resolve, reject) => {
    const request = (protocol === 'https:' ? httpsRequest : httpRequest)(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', reject);
    });
    // The platform can respond and close before it has read everything.
    let answered = false;
    request.on('response', () => {
      answered = true;
    });
    request.on('error', (error) => {
      if (!answered) reject(error);
    });
    request.end(body);
  });
}

/** Sends bytes verbatim and returns everything received until the server closes the connection. */
export function sendBytes(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}
