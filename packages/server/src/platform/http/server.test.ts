// The server around all routes, tested over raw connections: malformed requests are rejected in the API's error format.
import type { AddressInfo } from 'node:net';
import { openConnection, statusesOf } from '@signetry/testkit/raw-connection';
import { afterAll, describe, expect, it } from 'vitest';
import { createHttpServer } from './server.ts';

const faults: Error[] = [];
const server = createHttpServer({
  isServedHost: (host) => /^(?:localhost|ca\.example)(?::\d+)?$/.test(host),
  trustedProxies: ['127.0.0.1'],
  onFault: (error) => faults.push(error),
  strictTransportHost: 'ca.example',
  timeLimits: { headersMs: 300, requestMs: 600 },
});
server.get('/host', (request) => ({ host: request.host, url: request.url, originalUrl: request.originalUrl }));
server.get('/broken', (_request, reply) => reply.header('location', '/\u4e00').send('never sent'));
server.get('/things/:name', (request) => ({ params: request.params }));
server.post('/body', (request) => ({ body: request.body }));
await server.listen({ host: '127.0.0.1', port: 0 });
const { port } = server.server.address() as AddressInfo; // The server listens on TCP.
afterAll(() => server.close());

/** Sends a request verbatim and returns everything received until the connection was closed. */
async function exchange(request: string): Promise<{ status: number; head: string; body: Record<string, unknown> }> {
  const connection = await openConnection(port, request);
  const text = await connection.closed();
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  return { status: statusesOf(head)[0] ?? 0, head, body: JSON.parse(body) as Record<string, unknown> };
}

const request = (line: string, headers = '', body = ''): string =>
  `${line} HTTP/1.1\r\nConnection: close\r\n${headers}\r\n${body}`;

function expectOwnForm({ head, body }: { head: string; body: Record<string, unknown> }, message: RegExp): void {
  expect(body).toEqual({ code: 'BAD_REQUEST', message: expect.stringMatching(message) });
  expect(head).toMatch(/^content-type: application\/json/im);
  expect(head).toMatch(/^x-request-id: [0-9a-f-]{36}/im);
  expect(head).toMatch(/^x-content-type-options: nosniff/im);
  expect(head).toMatch(/^cache-control: no-store/im);
}

describe('the character U+0000', () => {
  it('is not found in a path, and malformed in a query', async () => {
    for (const path of ['/things/%00', '/things/a%00b', '/%00', '/host/%00?a=1']) {
      const { status, body } = await exchange(request(`GET ${path}`, 'Host: localhost\r\n'));
      expect([path, status, body.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
    const inQuery = await exchange(request('GET /things/a?name=%00', 'Host: localhost\r\n'));
    expect([inQuery.status, inQuery.body.code]).toEqual([400, 'BAD_REQUEST']);
    // An encoded percent sign does not start an escape sequence.
    expect((await exchange(request('GET /things/a%2500b?name=%2500', 'Host: localhost\r\n'))).status).toBe(200);
  });
});

describe('non-HTTP input', () => {
  it.each([
    ['no request line', 'good morning\r\n\r\n', 400, /HTTP\/1\.1/],
    [
      'two lengths',
      request('POST /body', 'Host: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n'),
      400,
      /HTTP/,
    ],
    ['too large headers', request('GET /host', `Host: localhost\r\nX: ${'x'.repeat(40_000)}\r\n`), 431, /32768 bytes/],
  ])("is rejected in the API's error format: %s", async (_what, text, status, message) => {
    const answer = await exchange(text);
    expect(answer.status).toBe(status);
    expectOwnForm(answer, message);
  });

  it('does not corrupt the response to a previous request', async () => {
    const text = await (
      await openConnection(port, `GET /host HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n`)
    ).closed();
    expect(statusesOf(text).length).toBeLessThanOrEqual(2);
    for (const [answer] of text.matchAll(/HTTP\/1\.1 [\s\S]*?(?=HTTP\/1\.1 \d|$)/g)) {
      const [, length] = /^content-length: (\d+)/im.exec(answer) ?? [];
      expect(answer.split('\r\n\r\n')[1]).toHaveLength(Number(length));
    }
  });
});

describe('a slow client', () => {
  it.each([
    ['headers', 'GET /host HTTP/1.1\r\nHost: localhost\r\n'],
    [
      'a body',
      'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
    ],
  ])(
    'that does not complete %s is disconnected soon after the time limit, with an error message',
    async (_what, start) => {
      const startedMs = performance.now();
      const answer = await exchange(start);
      expect(answer.status).toBe(408);
      expectOwnForm(answer, /0\.3 s.+0\.6 s/);
      // By default, Node checks only every 30 s, which would exceed this.
      expect(performance.now() - startedMs).toBeLessThan(15_000);
    },
  );
});

describe('the host of a request', () => {
  it('is rejected if it is specified more than once', async () => {
    const twice = await exchange(request('GET /host', 'Host: localhost\r\nHost: localhost\r\n'));
    expect(twice.status).toBe(400);
    expectOwnForm(twice, /more than one Host/);
  });

  it('comes from an absolute-form target, regardless of the Host header', async () => {
    const own = await exchange(request('GET http://ca.example:8443/host?a=b', 'Host: localhost\r\n'));
    expect(own.body).toEqual({ host: 'ca.example:8443', url: '/host?a=b', originalUrl: '/host?a=b' });
    expect((await exchange(request('GET http://ca.example?a=b', 'Host: localhost\r\n'))).status).toBe(404);
    const foreign = await exchange(request('GET http://evil.example/host', 'Host: localhost\r\n'));
    expect([foreign.status, foreign.body['message']]).toEqual([421, expect.stringContaining('evil.example')]);
  });
});

describe('a browser', () => {
  const transport = /^strict-transport-security: max-age=\d+\r?$/im;
  const over = (scheme: string, host: string) =>
    exchange(request('GET /host', `Host: ${host}\r\nX-Forwarded-Proto: ${scheme}\r\n`));

  it('is instructed to use only HTTPS if it used HTTPS and the public host name', async () => {
    expect((await over('https', 'ca.example')).head).toMatch(transport);
    expect((await over('http', 'ca.example')).head).not.toMatch(transport);
    expect((await over('https', 'localhost')).head).not.toMatch(transport);
  });
});

describe('a response whose headers cannot be sent', () => {
  it('is replaced by an internal error in the usual format', async () => {
    const answer = await exchange(request('GET /broken', 'Host: localhost\r\n'));
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ code: 'INTERNAL_SERVER_ERROR', message: expect.stringMatching(/[0-9a-f-]{36}/) });
    expect(answer.head).toMatch(/^x-request-id: /im);
    expect(answer.head).toMatch(/^x-content-type-options: nosniff/im);
    expect(faults).toHaveLength(1);
  });
});
