// Responds on the HTTP address during startup: migrating a large database takes minutes, and supervisors must be able
// to distinguish that from a process that hangs. Replaced by the real listener.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { useTitleCase } from '../platform/http/title-case-headers.ts';
import { closeServer, toListenError, type ListenAddress } from './listeners.ts';

const RETRY_AFTER_S = '5';

export interface StartingListener {
  /** Sets the current startup step, which all further responses include. */
  describe(what: string): void;
  /** Can be called more than once. */
  close(): Promise<void>;
}

export async function openStartingListener(address: ListenAddress): Promise<StartingListener> {
  let message = 'the platform is starting';
  const server = createServer((request, response) => respond(request, response, message));
  server.listen({ host: address.host, port: address.port });
  try {
    await once(server, 'listening');
  } catch (error) {
    // Listening fails with errno errors.
    throw toListenError(error as NodeJS.ErrnoException, { address, flag: '--http' });
  }
  let closing: Promise<void> | undefined;
  return {
    describe(what) {
      message = `the platform is starting: ${what}`;
    },
    close() {
      closing ??= closeServer(server);
      server.closeAllConnections();
      return closing;
    },
  };
}

function respond({ url = '/' }: IncomingMessage, response: ServerResponse, message: string): void {
  useTitleCase({ url }, response);
  const path = url.split('?', 1)[0] ?? '';
  if (/^\/(?:health\/live|api\/v1\/health\/liveness)$/.test(path)) return send(response, 200, { status: 'UP' });
  if (path === '/health/ready') return send(response, 503, { status: 'DOWN', message });
  return send(response, 503, { code: 'UNAVAILABLE', message });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    // The next request must go to the real listener.
    connection: 'close',
    ...(status === 503 ? { 'retry-after': RETRY_AFTER_S } : {}),
  });
  response.end(JSON.stringify(body));
}
