import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { titleCase, writeTitleCaseHeaders } from './title-case-headers.ts';

it.each([
  ['content-type', 'Content-Type'],
  ['content-transfer-encoding', 'Content-Transfer-Encoding'],
  ['www-authenticate', 'WWW-Authenticate'],
  ['Retry-After', 'Retry-After'],
])('%s is written as %s', (name, written) => {
  expect(titleCase(name)).toBe(written);
});

it('responses within a scope, including rejections, use these header names, and responses in other scopes do not', async () => {
  const server = fastify();
  onTestFinished(() => server.close());
  void server.register(async (scope) => {
    writeTitleCaseHeaders(scope);
    scope.get('/titled', (_request, reply) => reply.header('retry-after', '7').send('x'));
    scope.get('/refused', (_request, reply) => reply.status(401).header('www-authenticate', 'Basic').send());
  });
  server.get('/other', (_request, reply) => reply.header('retry-after', '7').send('x'));
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo; // The server listens on TCP.
  const responseFor = async (path: string): Promise<string> => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    return text(socket);
  };
  expect(await responseFor('/titled')).toMatch(/\r\nRetry-After: 7\r\n[^]*Content-Type: text\/plain/);
  expect(await responseFor('/titled')).toMatch(/\r\nContent-Length: 1\r\n/);
  expect(await responseFor('/refused')).toContain('\r\nWWW-Authenticate: Basic\r\n');
  expect(await responseFor('/other')).toContain('\r\nretry-after: 7\r\n');
});
