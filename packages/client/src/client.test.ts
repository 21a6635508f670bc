import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import { authorityProviderOperations, platformOperations } from '@signetry/contract';
import type { GroupDto } from '@signetry/contract';
import { createClient } from './client.ts';
import type { CallInput } from './request.ts';
import { ApiError, ConnectionError } from './errors.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const servers: Server[] = [];

interface RecordedRequest {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Starts a server on loopback that responds as specified and records its requests. */
async function startServer(answer: (response: ServerResponse, seen: RecordedRequest) => void) {
  const seen: RecordedRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const one = { method: request.method, url: request.url, headers: request.headers, body };
    seen.push(one);
    answer(response, one);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // The server listens on TCP.
  return { baseUrl: `http://127.0.0.1:${port}/api`, seen };
}

const jsonResponse =
  (status: number, body: unknown, type = 'application/json') =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': type });
    response.end(JSON.stringify(body));
  };

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('the call succeeded'),
    (error: unknown) => error,
  );

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

describe('a call', () => {
  it('sends path, body, token and headers as declared, and returns the parsed body', async () => {
    const { baseUrl, seen } = await startServer(jsonResponse(200, { uuid, name: 'Operations' }));
    const client = createClient({ baseUrl: `${baseUrl}/`, token: 't0ken', headers: { 'x-request-id': 'r1' } });
    const group = await client.groups.editGroup({ params: { uuid }, body: { name: 'Operations' } });
    expect(group).toEqual({ uuid, name: 'Operations' });
    expectTypeOf(group.name).toEqualTypeOf<GroupDto['name']>();
    expect(seen).toMatchObject([
      {
        method: 'PUT',
        url: `/api/v1/groups/${uuid}`,
        headers: { authorization: 'Bearer t0ken', 'x-request-id': 'r1', 'content-type': 'application/json' },
        body: '{"name":"Operations"}',
      },
    ]);
  });

  it('requires no input if the operation has none', async () => {
    const { baseUrl, seen } = await startServer(jsonResponse(200, []));
    const client = createClient({ baseUrl });
    expect(await client.groups.listGroups()).toEqual([]);
    expect(await client.raProfiles.listRaProfiles({ query: { enabled: false } })).toEqual([]);
    expect(seen.map(({ url }) => url)).toEqual(['/api/v1/groups', '/api/v1/raProfiles?enabled=false']);
    expect(seen[0]?.headers).not.toHaveProperty('content-type');
  });

  it('repeats query parameters with list values, and omits absent ones', async () => {
    const { baseUrl, seen } = await startServer(jsonResponse(200, []));
    const listed = { ...platformOperations.listConnectors };
    // No declared operation accepts a list yet.
    const query = { status: ['connected', 'offline'], kind: undefined } as unknown as { kind?: string };
    await createClient({ baseUrl }).call(listed, { query });
    expect(seen[0]?.url).toBe('/api/v1/connectors?status=connected&status=offline');
  });

  it('encodes path parameters, and rejects values that would change the path', async () => {
    const { baseUrl, seen } = await startServer(jsonResponse(200, []));
    const { getConnectorAttributes } = createClient({ baseUrl }).connectors;
    await getConnectorAttributes({ params: { uuid, functionGroup: 'authorityProvider', kind: 'a/b?c' } });
    expect(seen[0]?.url).toBe(`/api/v1/connectors/${uuid}/attributes/authorityProvider/a%2Fb%3Fc`);
    for (const kind of ['', '.', '..'])
      await expect(
        getConnectorAttributes({ params: { uuid, functionGroup: 'authorityProvider', kind } }),
      ).rejects.toThrow('path parameter kind');
    expect(seen).toHaveLength(1);
  });

  it('returns bytes for other media types, and undefined if there is no body', async () => {
    const archive = Uint8Array.of(0x50, 0x4b, 0x00, 0xff);
    const { baseUrl } = await startServer((response, { url }) => {
      response.writeHead(url?.endsWith('/export') ? 200 : 204);
      response.end(url?.endsWith('/export') ? archive : undefined);
    });
    const client = createClient({ baseUrl });
    expect(await client.auditLogs.exportAuditLogs({ body: [] })).toEqual(archive);
    expect(await client.groups.deleteGroup({ params: { uuid } })).toBeUndefined();
  });

  it('also supports connector operations, with additional headers', async () => {
    const { baseUrl, seen } = await startServer(jsonResponse(200, { certificateData: 'MIIB' }));
    const answer = await createClient({ baseUrl }).call(
      authorityProviderOperations.issueCertificate,
      { params: { uuid: 'ca-1' }, body: { request: 'MIIC', attributes: [], raProfileAttributes: [] } },
      { headers: { 'Idempotency-Key': uuid } },
    );
    expect(answer.certificateData).toBe('MIIB');
    expect(seen[0]?.headers['idempotency-key']).toBe(uuid);
  });
});

describe('a rejected call', () => {
  const rejectionOf = async (answer: (response: ServerResponse) => void) => {
    const { baseUrl } = await startServer(answer);
    const error = await failureOf(createClient({ baseUrl }).groups.listGroups());
    expect(error).toBeInstanceOf(ApiError);
    return error as ApiError; // Asserted above.
  };

  it('carries status, code and message', async () => {
    const error = await rejectionOf(jsonResponse(404, { code: 'NOT_FOUND', message: 'No such group.', uuid }));
    expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND', message: 'No such group.', problems: [] });
    expect(error.body).toMatchObject({ uuid });
  });

  it('parses the problem document for a missing permission', async () => {
    const body = { statusCode: 403, code: 'ACCESS_DENIED', message: 'Missing: list Group.' };
    expect(await rejectionOf(jsonResponse(403, body, 'application/problem+json'))).toMatchObject({
      status: 403,
      code: 'ACCESS_DENIED',
      message: 'Missing: list Group.',
    });
  });

  it('lists every validation problem', async () => {
    expect(await rejectionOf(jsonResponse(422, ['Name is taken.', 'E-mail is not valid.']))).toMatchObject({
      status: 422,
      problems: ['Name is taken.', 'E-mail is not valid.'],
      message: 'Name is taken.; E-mail is not valid.',
    });
  });

  it('quotes a body that is not an API error, and handles an empty body', async () => {
    const html = await rejectionOf((response) => response.writeHead(502).end(`<html>${'x'.repeat(2000)}</html>`));
    expect(html.message).toMatch(/^<html>x+$/);
    expect(html.message.length).toBe(500);
    const empty = await rejectionOf((response) => response.writeHead(401).end());
    expect(empty).toMatchObject({ status: 401, message: 'The request was rejected with status 401.' });
  });

  it('includes a successful response whose body is not JSON', async () => {
    const error = await rejectionOf((response) => response.writeHead(200).end('<html>Sign in</html>'));
    expect(error).toMatchObject({ status: 200, message: 'listGroups: the response is not JSON' });
  });
});

describe('a call without a response', () => {
  it('reports that the connection was refused', async () => {
    const { baseUrl } = await startServer(jsonResponse(200, []));
    await new Promise((done) => servers.pop()?.close(done));
    const error = await failureOf(createClient({ baseUrl }).groups.listGroups());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ timedOut: false, message: expect.stringContaining('ECONNREFUSED') });
  });

  it('fails after the timeout', async () => {
    const { baseUrl } = await startServer(() => undefined);
    const error = await failureOf(createClient({ baseUrl, timeoutMs: 20 }).groups.listGroups());
    expect(error).toMatchObject({ name: 'ConnectionError', timedOut: true });
  });

  it("rejects with the caller's abort reason", async () => {
    const controller = new AbortController();
    const { baseUrl } = await startServer(() => controller.abort(new Error('changed my mind')));
    const call = createClient({ baseUrl }).groups.listGroups({}, { signal: controller.signal });
    await expect(call).rejects.toThrow('changed my mind');
  });

  it('does not follow redirects', async () => {
    const { baseUrl, seen } = await startServer((response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    );
    const error = await failureOf(createClient({ baseUrl, token: 't0ken' }).groups.listGroups());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(seen).toHaveLength(1);
  });
});

describe('the types of a call', () => {
  type Input<Key extends keyof typeof platformOperations> = CallInput<(typeof platformOperations)[Key]>;

  it('require an input if the operation requires one', () => {
    expectTypeOf<Input<'getGroup'>>().toExtend<{ readonly params: { uuid: string } }>();
    expectTypeOf<{ params: { uuid: string } }>().toExtend<Input<'getGroup'>>();
    expectTypeOf<Record<never, never>>().not.toExtend<Input<'getGroup'>>();
    expectTypeOf<Record<never, never>>().toExtend<Input<'listRaProfiles'>>();
    expectTypeOf<{ params: { uuid: string; certificateFormat: 'raw' } }>().not.toExtend<Input<'downloadCertificate'>>();
    expectTypeOf<{ body: { filters: [] } }>().toExtend<Input<'listCertificates'>>();
  });
});
