import type { AddressInfo } from 'node:net';
import { openConnection } from '@signetry/testkit/raw-connection';
import { afterAll, describe, expect, it } from 'vitest';
import { createHttpServer } from './server.ts';
import { titleCase } from './title-case-headers.ts';

it.each([
  ['content-type', 'Content-Type'],
  ['content-transfer-encoding', 'Content-Transfer-Encoding'],
  ['www-authenticate', 'WWW-Authenticate'],
  ['Retry-After', 'Retry-After'],
])('%s is written as %s', (name, written) => {
  expect(titleCase(name)).toBe(written);
});

const server = createHttpServer({
  isServedHost: (host) => host === 'localhost',
  trustedProxies: [],
  onFault: () => undefined,
});
server.get('/.well-known/est/cacerts', (_request, reply) =>
  reply.status(401).header('www-authenticate', 'Basic').header('retry-after', '7').send('x'),
);
server.get('/.well-known/estuary', (_request, reply) => reply.header('retry-after', '7').send('x'));
server.post('/api/v1/protocols/cmp/:name', () => 'x');
await server.listen({ host: '127.0.0.1', port: 0 });
const { port } = server.server.address() as AddressInfo; // The server listens on TCP.
afterAll(() => server.close());

async function headOf(line: string, headers = 'Host: localhost\r\n'): Promise<string> {
  const connection = await openConnection(port, `${line} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
  const [head = ''] = (await connection.closed()).split('\r\n\r\n', 1);
  return head;
}

const namesOf = (head: string): string[] => [...head.matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name);

describe('header names', () => {
  it('use title case on the paths of device protocols', async () => {
    const head = await headOf('GET /.well-known/est/cacerts');
    expect(namesOf(head)).toEqual(expect.arrayContaining(['WWW-Authenticate', 'Retry-After', 'Content-Type']));
    expect(namesOf(head)).toEqual(namesOf(head).map(titleCase));
  });

  it.each([
    ['an unknown path', 'GET /.well-known/est/unknown', 404],
    ['an unsupported method', 'PUT /api/v1/protocols/cmp/devices', 405],
    ['an unsupported media type', 'POST /api/v1/protocols/cmp/devices', 415, 'Content-Type: text/csv\r\nContent-Length: 0\r\nHost: localhost\r\n'], // prettier-ignore
    ['a host that is not served', 'GET /.well-known/cmp', 421, 'Host: elsewhere\r\n'],
    ['repeated slashes', 'GET //api//v1/protocols/scep/x', 404],
    ['invalid percent-encoding', 'GET /api/v1/protocols/scep/%zz', 400],
    ['malformed HTTP', 'GET', 400],
  ])('use title case there in the rejection of %s', async (_what, line, status, headers = 'Host: localhost\r\n') => {
    const head = await headOf(line, headers);
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(namesOf(head)).toContain('Content-Length');
    expect(namesOf(head)).toEqual(namesOf(head).map(titleCase));
  });

  it('are unchanged on other paths', async () => {
    expect(namesOf(await headOf('GET /.well-known/estuary'))).toContain('retry-after');
    expect(namesOf(await headOf('GET /unknown'))).toContain('content-type');
  });
});
