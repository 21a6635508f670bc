// Header names on the EST, CMP and SCEP routes, byte by byte over raw sockets: some device libraries compare them
// case-sensitively.
import { readFile } from 'node:fs/promises';
import { connect as connectPlain } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, expect, it } from 'vitest';
import { defaultProfile } from './testing/profiles.ts';
import { addScepProfile, makeScepCertificate } from './testing/scep-profiles.ts';

const server = sharedTestServer();
let root: string;
let scepPath: string;

const NAME = 'header-names';

beforeAll(async () => {
  const { client } = server;
  root = await readFile(server.ready.rootCertificate, 'utf8');
  const { raProfileUuid, ...path } = await defaultProfile(client);
  const users = [{ username: 'device', password: 'correct horse battery' }];
  const { uuid: estProfileUuid } = await client.estProfiles.createEstProfile({
    body: { name: NAME, raProfileUuid, users },
  });
  await client.estProfiles.enableEstProfile({ params: { estProfileUuid } });
  const { uuid: cmpProfileUuid } = await client.cmpProfiles.createCmpProfile({
    body: {
      name: NAME,
      variant: 'v3',
      raProfileUuid,
      requestProtectionMethod: 'sharedSecret',
      responseProtectionMethod: 'sharedSecret',
      sharedSecret: 'a secret of the factory',
    },
  });
  await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid } });
  const caCertificateUuid = await makeScepCertificate(client, { ...path, raProfileUuid });
  scepPath = new URL((await addScepProfile(client, { caCertificateUuid, raProfileUuid })).url).pathname;
});

interface Sent {
  readonly url: string;
  readonly headers?: string;
  readonly host?: string;
}

/** Sends a request and returns the head of the response as received. */
async function headOf(line: string, { url, headers = '', host = new URL(url).host }: Sent): Promise<string> {
  const { protocol, hostname, port } = new URL(url);
  const place = { host: hostname, port: Number(port) };
  const socket = protocol === 'https:' ? connectTls({ ...place, ca: root }) : connectPlain(place);
  socket.write(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`);
  const [head = ''] = (await text(socket)).split('\r\n\r\n', 1);
  return head;
}

function expectTitleCase(head: string, names: readonly string[]): void {
  const received = [...head.matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name);
  expect(received).toEqual(expect.arrayContaining([...names]));
  for (const name of received) expect(name).toMatch(/^(?:WWW|[A-Z][a-z\d]*)(?:-[A-Z][a-z\d]*)*$/);
}

const emptyBody = (type: string): string => `Content-Type: ${type}\r\nContent-Length: 0\r\n`;

it.each([
  ['the CA certificates', 'GET /.well-known/est/header-names/cacerts', 200, 'Content-Transfer-Encoding'],
  ['a password request', 'POST /.well-known/est/header-names/simpleenroll', 401, 'WWW-Authenticate', emptyBody('application/pkcs10')], // prettier-ignore
  ['a media type', 'POST /.well-known/est/header-names/simpleenroll', 415, 'Content-Type', emptyBody('text/plain')],
  ['an unknown profile', 'GET /.well-known/est/nobody/cacerts', 404, 'Cache-Control'],
  ['an unknown path', 'GET /.well-known/est/header-names/unknown', 404, 'Content-Type'],
])('EST responses use title case for %s', async (_what, line, status, name, headers = '') => {
  const head = await headOf(line, { url: server.ready.https, headers });
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expectTitleCase(head, [name, 'Content-Length']);
});

it('EST responses use title case for a host that is not served', async () => {
  const head = await headOf('GET /.well-known/est/cacerts', { url: server.ready.https, host: 'elsewhere.example' });
  expect(head).toContain('HTTP/1.1 421 ');
  expectTitleCase(head, ['Content-Type', 'Content-Length']);
});

it.each([
  ['a message', 'POST /api/v1/protocols/cmp/header-names', 200, emptyBody('application/pkixcmp')],
  ['a message at the well-known path', 'POST /.well-known/cmp/p/header-names', 200, emptyBody('application/pkixcmp')],
  ['a media type', 'POST /.well-known/cmp/p/header-names', 415, emptyBody('text/plain')],
  ['an unknown path', 'GET /.well-known/cmp/p/header-names/a/b', 404],
])('CMP responses use title case for %s', async (_what, line, status, headers = '') => {
  const head = await headOf(line, { url: server.ready.http, headers });
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expectTitleCase(head, ['Content-Type', 'Content-Length', 'Cache-Control']);
});

it.each([
  ['the capabilities', 'GET PATH?operation=GetCACaps', 200],
  ['an unreadable message', 'POST PATH?operation=PKIOperation', 400, emptyBody('application/x-pki-message')],
  ['an unknown profile', 'GET /api/v1/protocols/scep/nobody/pkiclient.exe?operation=GetCACaps', 400],
  ['an unsupported method', 'PUT PATH', 405],
])('SCEP responses use title case for %s', async (_what, line, status, headers = '') => {
  const head = await headOf(line.replace('PATH', scepPath), { url: server.ready.http, headers });
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expectTitleCase(head, ['Content-Type', 'Content-Length']);
});
