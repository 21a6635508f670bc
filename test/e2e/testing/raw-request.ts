// Raw HTTP: any bytes, any headers, over a new connection.
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** For HTTPS: whom to trust, and the certificate of the client. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Address of this machine that the request comes from. */
  readonly from?: string;
}

/** The path is sent as it stands in the URL, doubled slashes and all. */
export function send(base: string, path: string, { method = 'GET', headers = {}, body, tls, from }: RawRequest = {}) {
  const { hostname, port, protocol } = new URL(base);
  const options = { hostname, port, path, method, headers, agent: false, localAddress: from, ...tls };
  return new Promise<RawAnswer>((resolve, reject) => {
    const request = (protocol === 'https:' ? httpsRequest : httpRequest)(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', reject);
    });
    // The platform may answer and close before it has read everything that was sent.
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

/** Sends bytes as they are and answers what comes back until the other side closes. */
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
