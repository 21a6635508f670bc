import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createClient } from '@signetry/client';
import { ipAddressName, writePem, writePemChain } from '@signetry/pki';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeFailure } from '../failures.ts';
import { createFakeAuthority } from '../testing/fake-authority.ts';
import { trustingFetch } from './trusting-fetch.ts';

async function serveOverTls(answer: RequestListener, name = '127.0.0.1') {
  const authority = await createFakeAuthority();
  const { keyPem, certificate } = await authority.issueForServer([ipAddressName(name)]);
  const server = createServer({ key: keyPem, cert: writePemChain([certificate]) }, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo; // The server listens on TCP.
  return { baseUrl: `https://127.0.0.1:${port}/api`, root: writePem('CERTIFICATE', authority.root) };
}

describe('fetch with its own trust anchors', () => {
  it('sends requests from the client', async () => {
    const { baseUrl, root } = await serveOverTls(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      response.end(JSON.stringify({ uuid: request.headers.authorization, name: JSON.parse(body).name }));
    });
    const client = createClient({ baseUrl, token: 't', fetch: trustingFetch([root]) });
    expect(await client.groups.createGroup({ body: { name: 'ä' } })).toEqual({ uuid: 'Bearer t', name: 'ä' });
  });

  it('returns a response without a body', async () => {
    const { baseUrl, root } = await serveOverTls((_, response) => response.writeHead(204).end());
    const client = createClient({ baseUrl, fetch: trustingFetch([root]) });
    const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
    expect(await client.groups.deleteGroup({ params: { uuid } })).toBeUndefined();
  });

  it.each([
    ['an unknown root', { root: 'Other Root', name: '127.0.0.1' }, '--ca FILE'],
    ['an earlier root of the same name', { root: 'Test Root', name: '127.0.0.1' }, '--ca FILE'],
    [
      'a certificate for another name',
      { root: undefined, name: '192.0.2.1' },
      "Use a name in the platform's certificate;",
    ],
  ])('rejects a server with %s, and includes a hint', async (_, { root: otherRoot, name }, help) => {
    const { baseUrl, root } = await serveOverTls((_request, response) => response.end('[]'), name);
    const anchors =
      otherRoot === undefined ? [root] : [writePem('CERTIFICATE', (await createFakeAuthority(otherRoot)).root)];
    const failure = await createClient({ baseUrl, fetch: trustingFetch(anchors) })
      .groups.listGroups()
      .catch((error: unknown) => describeFailure(error));
    expect(failure).toMatchObject({ exitCode: 3, help: [expect.stringContaining(help)] });
  });

  it('does not follow redirects', async () => {
    const { baseUrl, root } = await serveOverTls((_, response) => response.writeHead(302, { location: '/x' }).end());
    await expect(createClient({ baseUrl, fetch: trustingFetch([root]) }).groups.listGroups()).rejects.toThrow(
      'redirect',
    );
  });

  it("rejects with the caller's abort reason", async () => {
    const controller = new AbortController();
    const { baseUrl, root } = await serveOverTls(() => controller.abort(new Error('changed my mind')));
    const client = createClient({ baseUrl, fetch: trustingFetch([root]) });
    await expect(client.groups.listGroups({}, { signal: controller.signal })).rejects.toThrow('changed my mind');
  });
});
